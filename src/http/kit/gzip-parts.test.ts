import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { type Deflated, deflated, joinGzip } from './shared-gzip.ts'

const WORDS = Array.from({ length: 20_000 }, (_, at) => `word ${at * 7919} `).join('')
const shared = (text: string): Promise<Deflated> => deflated(Buffer.from(text), 9)

test('parts in any order decode to their texts, one after the other', async () => {
  const long = 'x'.repeat(65_535 * 2 + 1)
  const texts = ['', 'a', 'Ünïcödé ✓', WORDS.slice(0, 5000), WORDS, long]
  for (const first of texts) {
    for (const second of texts) {
      const whole = `${first}${second}${first}`
      const forms = [
        [first, second, first],
        [await shared(first), second, await shared(first)],
        [first, await shared(second), first],
        [await shared(first), await shared(second), first],
      ]
      for (const parts of forms) {
        expect(gunzipSync(joinGzip(parts)).equals(Buffer.from(whole))).toBe(true)
      }
    }
  }
})

test('nothing is an empty stream', () => {
  expect(gunzipSync(joinGzip([])).byteLength).toBe(0)
})

test('what is compressed is small, and the rest as long as it is', async () => {
  const compressed = await shared(WORDS)
  expect(compressed.bytes.byteLength).toBeLessThan(WORDS.length / 3)
  const alone = joinGzip([compressed]).byteLength
  for (const text of [
    WORDS.slice(0, 300),
    'a'.repeat(300),
    crypto.randomUUID().repeat(9).slice(0, 300),
  ]) {
    expect(joinGzip([compressed, text]).byteLength).toBe(alone + 300 + 5)
  }
})
