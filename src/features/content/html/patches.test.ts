import { expect, test } from 'bun:test'
import { fc, runs } from '../../../testing/property.ts'
import { addedBytes, type Patch, patchBytes, patchPieces } from './bytes.ts'

const patched = fc
  .record({
    bytes: fc.uint8Array({ maxLength: 40 }),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    cuts: fc.array(fc.nat(40), { maxLength: 8 }),
    texts: fc.array(fc.constantFrom('', 'x', 'é<b>'), { minLength: 4, maxLength: 4 }),
  })
  .map(({ bytes, sizes, cuts, texts }) => {
    const at = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)
    const patches: Patch[] = []
    for (let n = 0; n + 1 < at.length; n += 2) {
      patches.push({ start: at[n]!, end: at[n + 1]!, text: texts[n / 2]! })
    }
    return { bytes, sizes, patches }
  })

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

test('patches in pieces give the bytes that patches of all bytes give, in the size foretold', async () => {
  await fc.assert(
    fc.asyncProperty(patched, async ({ bytes, sizes, patches }) => {
      const parts = await Array.fromAsync(patchPieces(cut(bytes, sizes), patches))
      const all = Buffer.concat(parts)
      expect(all).toEqual(Buffer.from(patchBytes(bytes, patches)))
      expect(all.byteLength).toBe(bytes.byteLength + addedBytes(patches))
    }),
    runs(500),
  )
})
