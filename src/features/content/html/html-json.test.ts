import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findLongDataUris, htmlJson, sizeOfHtmlJson, withoutUris } from './omit-data-uris.ts'

const uri = (chars: number) => `<img src="data:image/png;base64,${'A'.repeat(chars)}">`
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"\\\u0001', 'ü😀', '\ufeff', uri(5), uri(1500), uri(4000)),
)

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, n = 0; at < bytes.byteLength; n++) {
    const end = at + sizes[n % sizes.length]!
    yield bytes.subarray(at, end)
    at = end
  }
}

async function jsonOf(html: string, sizes: readonly number[], full: boolean): Promise<string> {
  const uris = full ? [] : findLongDataUris(html)
  const parts: string[] = []
  for await (const part of htmlJson(inPieces(Buffer.from(html), sizes), uris)) parts.push(part)
  return parts.join('')
}

test('pieces of any size make the JSON of the whole, with or without long data: URIs', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(text), sizes, async (parts, of) => {
      // As it is stored: UTF-8 has no halves of characters.
      const html = Buffer.from(parts.join('')).toString()
      expect(JSON.parse(await jsonOf(html, of, true))).toBe(html)
      const omitted = await jsonOf(html, of, false)
      expect(JSON.parse(omitted)).toBe(withoutUris(html, findLongDataUris(html)))
      expect(sizeOfHtmlJson(html, findLongDataUris(html))).toBe(Buffer.byteLength(omitted))
    }),
  )
})

test('the size is that of the JSON, however characters lie in slices', async () => {
  for (const start of ['', 'x', 'xy', '"']) {
    const html = start + '😀"\u0001ü'.repeat(60_000) + uri(200_000)
    for (const full of [true, false]) {
      const uris = full ? [] : findLongDataUris(html)
      const json = await jsonOf(html, [65_536], full)
      expect(sizeOfHtmlJson(html, uris)).toBe(Buffer.byteLength(json))
    }
  }
})

test('bytes that are not UTF-8 are read like those of a whole file', async () => {
  const bytes = Buffer.from('61c3', 'hex')
  const parts: string[] = []
  for await (const part of htmlJson(inPieces(bytes, [1]), [])) parts.push(part)
  expect(JSON.parse(parts.join(''))).toBe(new TextDecoder().decode(bytes))
})
