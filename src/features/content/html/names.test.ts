import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readName } from './tags.ts'

// `\u212a` is the Kelvin sign, whose lower case is a plain k.
const letters = fc.constantFrom(...'abkABKé\u212aÃ©1-:_@`[{')
const names = fc.oneof(
  fc.string({ unit: letters, minLength: 1, maxLength: 3 }),
  fc.string({ minLength: 1, maxLength: 40 }),
)

test('a name is the same after any other names', () => {
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 2000, size: 'max' }), (all) => {
      const buffer = Buffer.from(all.join(''))
      let at = 0
      for (const name of all) {
        const end = at + Buffer.byteLength(name)
        const text = buffer.toString('utf8', at, end)
        expect(readName(buffer, at, end)).toBe(text.toLowerCase())
        at = end
      }
    }),
    { numRuns: 50 },
  )
})
