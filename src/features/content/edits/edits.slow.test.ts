import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../../model/errors.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { applyEdits, type Edit } from './edits.ts'

const MB = 1024 * 1024
const maxBytes = 100 * MB

function apply(html: string, edits: Edit[], limit = maxBytes): string {
  return Buffer.from(applyEdits(Buffer.from(html), edits, { maxBytes: limit }).bytes).toString()
}

function refusal(html: string | Uint8Array, edits: Edit[], limit = maxBytes): Refusal {
  try {
    applyEdits(Buffer.from(html as string), edits, { maxBytes: limit })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('not refused')
}

describe('an edit', () => {
  test('of any text has the result of string replacement', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'é', 'è', '😀', '\n'), { maxLength: 24 })
    const short = fc.array(fc.constantFrom('a', 'b', 'é', 'è', '😀'), { maxLength: 5 })
    const edit = fc.record({
      find: short.map((list) => list.join('') || 'a'),
      replace: short.map((list) => list.join('')),
      replace_all: fc.boolean(),
    })
    const edits = fc.array(edit, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(text, edits, (list, values) => {
        const html = list.join('')
        const expected = naive(html, values)
        if (typeof expected === 'string') expect(apply(html, values)).toBe(expected)
        else {
          const { code, details } = refusal(html, values)
          expect([code, details?.edit_index]).toEqual([expected.code, expected.edit_index])
        }
      }),
      { numRuns: 20_000 },
    )
  })
})

/** The same rules, applied to strings. */
function naive(html: string, edits: Edit[]): string | { code: string; edit_index: number } {
  let text = html
  for (const [editIndex, { find, replace, replace_all }] of edits.entries()) {
    const first = text.indexOf(find)
    if (first < 0) return { code: 'edit_not_found', edit_index: editIndex }
    const isOnce = text.indexOf(find, first + 1) < 0
    if (!isOnce && !replace_all) return { code: 'edit_ambiguous', edit_index: editIndex }
    text = text.split(find).join(replace)
  }
  if (text.trim() === '') return { code: 'edit_empties_page', edit_index: edits.length - 1 }
  return text
}

describe('speed', () => {
  const row = '<tr class="row"><td>cell</td><td>value é</td></tr>\n'
  const large = Buffer.from(`${row.repeat((4 * MB) / Buffer.byteLength(row))}<!-- end -->`)

  function timed(name: string, act: () => void): number {
    act()
    const tookMs = processorMs(act)
    console.log(`${name}: ${tookMs.toFixed(1)} ms`)
    return tookMs
  }

  test('of 50 edits on 4 MB', () => {
    const marked = Buffer.from(large)
    const edits = Array.from({ length: 50 }, (_, i) => {
      const name = `mark-${String(i).padStart(3, '0')}`
      marked.write(name, i * 80_000 + 17)
      return { find: name, replace: `<b>${name}</b> and some more` }
    })
    timed('50 edits', () => applyEdits(marked, edits, { maxBytes: maxBytes }))
  })

  test('of hostile texts', () => {
    const a = Buffer.alloc(MB, 'a')
    const half = 'a'.repeat(MB / 2)
    const cases: [string, Buffer, Edit[]][] = [
      ['a…ab in a…a', a, Array(4).fill({ find: `${half}b`, replace: '' })],
      ['ba…a in a…a', a, Array(4).fill({ find: `b${half}`, replace: '' })],
      ['a…aba…a in a…a', a, Array(4).fill({ find: `${half.slice(1)}b${half}`, replace: '' })],
      ['a…a in a…a', a, [{ find: half, replace: '' }]],
      ['short a…ab in a…a', a, [{ find: `${'a'.repeat(200)}b`, replace: '' }]],
      ['many pieces', a, manyPieces('b'.repeat(500))],
      ['many pieces, long find', a, manyPieces(half)],
    ]
    for (const [name, html, edits] of cases) {
      const tookMs = timed(name, () => {
        try {
          applyEdits(html, edits, { maxBytes: maxBytes })
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      })
      expect(tookMs).toBeLessThan(4000)
    }
  })

  function manyPieces(last: string): Edit[] {
    const first = { find: 'a'.repeat(2000), replace: 'bc', replace_all: true }
    const swap = (i: number) => ({
      find: i % 2 === 0 ? 'b' : 'd',
      replace: i % 2 === 0 ? 'd' : 'b',
      replace_all: true,
    })
    return [first, ...Array.from({ length: 150 }, (_, i) => swap(i)), { find: last, replace: '' }]
  }
})
