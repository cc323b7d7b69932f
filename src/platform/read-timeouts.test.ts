import { describe, expect, it } from 'bun:test'
import { withTimeouts } from './read-timeouts.ts'

describe('a timeout', () => {
  it('does not count the time to produce a chunk, and an error ends the download once', async () => {
    let released = 0
    const release = () => {
      released += 1
    }
    async function* slow() {
      await Bun.sleep(40)
      yield 'late'
      throw new Error('broken')
    }
    const chunks = withTimeouts(slow(), { idleTimeoutMs: 10, totalTimeoutMs: 1000, release })
    expect((await chunks.next()).value).toBe('late')
    expect(released).toBe(0)
    await expect(chunks.next()).rejects.toThrow('broken')
    expect(released).toBe(1)
    await chunks.return?.()
    await Bun.sleep(20)
    expect(released).toBe(1)
  })

  it('limits the total time of a steady reader', async () => {
    let released = 0
    async function* endless() {
      for (;;) yield 'more'
    }
    const release = () => {
      released += 1
    }
    const chunks = withTimeouts(endless(), { idleTimeoutMs: 1000, totalTimeoutMs: 60, release })
    for (let read = 0; read < 4; read++) {
      expect((await chunks.next()).value).toBe('more')
      await Bun.sleep(5)
    }
    await Bun.sleep(60)
    await expect(chunks.next()).rejects.toThrow('too slowly')
    expect(released).toBe(1)
  })

  it('ends the source, so that it holds nothing for a reader that takes no more', async () => {
    const ends: string[] = []
    async function* source() {
      try {
        for (;;) yield 'more'
      } finally {
        ends.push('source')
      }
    }
    const release = () => void ends.push('released')
    const chunks = withTimeouts(source(), { idleTimeoutMs: 10, release })
    await chunks.next()
    await Bun.sleep(40)
    expect(ends).toEqual(['source', 'released'])
    await expect(chunks.next()).rejects.toThrow('too slowly')
    expect(ends).toEqual(['source', 'released'])
  })
})
