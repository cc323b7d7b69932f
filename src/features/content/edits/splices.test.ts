import { expect, test } from 'bun:test'
import { fc, runs } from '../../../testing/property.ts'
import { applyEdits, type Edit } from './edits.ts'
import { createSpliceTracker, mapRange, type Splice } from './splices.ts'

const LIMITS = { maxBytes: 100_000 }

test.each<[string, [number, number], Splice[], [number, number] | null]>([
  ['nothing changed', [3, 6], [], [3, 6]],
  ['text grew before it', [3, 6], [{ start: 0, end: 1, length: 5 }], [7, 10]],
  ['text was deleted before it', [3, 6], [{ start: 0, end: 2, length: 0 }], [1, 4]],
  ['text was inserted right before it', [3, 6], [{ start: 3, end: 3, length: 2 }], [5, 8]],
  ['text was inserted right after it', [3, 6], [{ start: 6, end: 6, length: 2 }], [3, 6]],
  ['text was inserted inside', [3, 6], [{ start: 4, end: 4, length: 2 }], null],
  ['its first byte was replaced', [3, 6], [{ start: 2, end: 4, length: 2 }], null],
  ['its last byte was replaced', [3, 6], [{ start: 5, end: 9, length: 4 }], null],
  ['it was replaced whole', [3, 6], [{ start: 3, end: 6, length: 3 }], null],
  ['text changed after it', [3, 6], [{ start: 6, end: 9, length: 1 }], [3, 6]],
])('a range where %s', (_, [start, end], splices, mapped) => {
  const expected = mapped && { start: mapped[0], end: mapped[1] }
  expect(mapRange({ start, end }, splices)).toEqual(expected)
})

test('splices follow each edit on the result of the one before', () => {
  const tracker = createSpliceTracker(10)
  tracker.replace([2], 2, 4)
  tracker.replace([3], 1, 0)
  tracker.replace([0, 9], 1, 2)
  expect(tracker.splices()).toEqual([
    { start: 0, end: 1, length: 2 },
    { start: 2, end: 4, length: 3 },
    { start: 8, end: 9, length: 2 },
  ])
})

const smallText = fc
  .array(fc.constantFrom('a', 'b', 'é', '<p>', ' ', '𝒳'), { minLength: 1, maxLength: 30 })
  .map((parts) => parts.join(''))
const anyEdit: fc.Arbitrary<Edit> = fc.record({
  find: smallText.map((text) => text.slice(0, 2)),
  replace: fc.oneof(smallText, fc.constant('')),
  replace_all: fc.boolean(),
})

test('a mapped range always has the bytes of the range, for any edits', () => {
  fc.assert(
    fc.property(smallText, fc.array(anyEdit, { maxLength: 6 }), (text, edits) => {
      const before = Buffer.from(text)
      const possible: Edit[] = []
      let result: ReturnType<typeof applyEdits> | null = null
      for (const edit of edits) {
        try {
          result = applyEdits(before, [...possible, edit], LIMITS)
          possible.push(edit)
        } catch {}
      }
      if (result === null || possible.length === 0) return
      const after = Buffer.from(applyEdits(before, possible, LIMITS).bytes)
      const { splices } = applyEdits(before, possible, LIMITS)
      for (let start = 0; start < before.length; start++) {
        for (let end = start + 1; end <= before.length; end++) {
          const mapped = mapRange({ start, end }, splices)
          if (mapped === null) continue
          expect(after.subarray(mapped.start, mapped.end)).toEqual(before.subarray(start, end))
        }
      }
    }),
    runs(300),
  )
})
