import { describe, expect, test } from 'bun:test'
import { splitLines } from './lines.ts'

describe('the lines of a text', () => {
  async function linesOf(bytes: Uint8Array, size: number, maxChars?: number) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    return Array.fromAsync(splitLines(pieces(), maxChars))
  }

  for (const size of [1, 2, 3, 100]) {
    test(`are the same in pieces of ${size} bytes`, async () => {
      const bytes = Buffer.from('one\n\nzwölf 🎉\nlast')
      expect(await linesOf(bytes, size)).toEqual(['one', '', 'zwölf 🎉', 'last'])
    })
  }
  test('are refused where one is too long, or ends within a character', async () => {
    await expect(linesOf(Buffer.from('a\nlonger\n'), 1, 3)).rejects.toThrow(RangeError)
    await expect(linesOf(Buffer.from('🎉').subarray(0, 3), 100)).rejects.toThrow(TypeError)
  })
})
