import { describe, expect, test } from 'bun:test'
import type { FormControl } from '../../../model/form.ts'
import { anyText, fc, runs } from '../../../testing/property.ts'
import { control, reportOf } from '../../../testing/reports.ts'

describe('the text of a summary', () => {
  const long = 'x'.repeat(200)
  test.each<[string, unknown[], FormControl[]]>([
    ['Rating: mean 3.33, from 1 to 5, 3 answers', [4, 1, 5], [control('a', 'number', 'Rating')]],
    ['a: mean 0.0012, from 0.0012 to 0.0012, 1 answer', [0.0012], []],
    ['a: 1 answer', ['many'], [control('a', 'number')]],
    ['Colour: red 2, blue 1', ['red', 'blue', 'red'], [control('a', 'choice', 'Colour')]],
    ['a: yes 1, no 1', [true, false], []],
    ['a: 2 answers', ['x', 'y'], []],
    ['a: no answers', [null], []],
    ['a: 3 items in 2 answers', [[{ b: 1 }, { b: 2 }], [{ b: 3 }]], []],
    ['one line only: 1 answer', ['x'], [control('a', 'text', ' one\nline\u2028\u0000only ')]],
    [`${'x'.repeat(79)}…: 1 answer`, ['x'], [control('a', 'text', long)]],
    [`a: ${'x'.repeat(39)}… 1`, [long], [control('a', 'choice')]],
    [
      'a: 0 1, 1 1, 2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 9 1, and 2 more',
      [Array.from({ length: 12 }, (_, i) => i)],
      [],
    ],
  ])('is `%s`', (line, sent, controls) => {
    const report = reportOf(
      sent.map((value) => ({ a: value })),
      controls,
    )
    expect(report.summary_text).toEqual([line])
  })

  test('is one line for any name, even an empty one', () => {
    expect(reportOf(['{"":1}']).summary_text).toEqual(['(empty): mean 1, from 1 to 1, 1 answer'])
    const property = fc.property(anyText, anyText, (key, value) => {
      const report = reportOf([JSON.stringify({ [key]: [value] })])
      for (const line of report.summary_text) {
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
        expect([...line].length).toBeLessThan(200)
      }
    })
    fc.assert(property, runs(300))
  })
})
