import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { compressAround, fillSlottedGzip } from './slotted-gzip.ts'

const WORDS = Array.from({ length: 20_000 }, (_, at) => `word ${at * 7919} `).join('')

for (const [size, slot] of [
  [0, 0],
  [1, 0],
  [1, 1],
  [1000, 500],
  [100_000, 0],
  [100_000, 31],
  [200_000, 199_999],
] as const) {
  test(`of ${size} bytes, with text at ${slot}, decodes to the whole`, async () => {
    const source = Buffer.from(WORDS.slice(0, size))
    const gzip = await compressAround(source, slot)
    for (const text of ['', 'a', crypto.randomUUID().repeat(20), 'x'.repeat(70_000)]) {
      const filled = fillSlottedGzip(gzip, text)
      const decoded = gunzipSync(filled).toString()
      expect(decoded === WORDS.slice(0, slot) + text + WORDS.slice(slot, size)).toBe(true)
      expect(filled.byteLength).toBeLessThan(size / 2 + text.length + 100)
    }
  })
}

test('its length does not depend on the text, only on that of the text', async () => {
  const source = Buffer.from(WORDS.slice(0, 50_000))
  const gzip = await compressAround(source, 400)
  const texts = [WORDS.slice(0, 300), WORDS.slice(20_000, 20_300), 'a'.repeat(300)]
  expect(new Set(texts.map((text) => fillSlottedGzip(gzip, text).byteLength)).size).toBe(1)
})
