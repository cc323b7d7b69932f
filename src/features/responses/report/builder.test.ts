import { describe, expect, test } from 'bun:test'
import type { FormControl } from '../../../model/form.ts'
import { type JsonText, toJson } from '../../../model/json-text.ts'
import { fc, runs } from '../../../testing/property.ts'
import { control, reportOf, storedResponse } from '../../../testing/reports.ts'
import { MAX_COUNTS, MAX_FIELDS, type Summary } from '../contract.ts'
import { createReportBuilder, presentResponse, type Report } from './index.ts'

function keys(report: Report): string[] {
  return report.fields.map(({ key }) => key)
}
/** The members of a summary beside those of its field, as parsed JSON. */
function facts({ key: _, label: __, type: ___, ...summary }: Summary): unknown {
  return JSON.parse(toJson(summary))
}
function typeOf(sent: unknown[], controls: FormControl[] = []): string | undefined {
  return reportOf(sent, controls).fields[0]?.type
}
function factsOf(sent: unknown[], kind?: FormControl['kind']): unknown {
  const data = sent.map((value) => ({ a: value }))
  return facts(reportOf(data, kind ? [control('a', kind)] : []).summaries[0]!)
}

describe('fields are in the order of the form', () => {
  test.each<[string, unknown[], string[]]>([
    ['without responses there are none', [], []],
    ['an empty response has none', [{}, { a: {} }], []],
    ['in the order sent', [{ b: 1, a: 2 }], ['b', 'a']],
    ['names that are numbers keep their place', ['{"2":1,"1":2,"10":3}'], ['2', '1', '10']],
    [
      'names that objects inherit are fields',
      ['{"__proto__":1,"constructor":2,"":3}'],
      ['__proto__', 'constructor', ''],
    ],
    [
      'a new field goes after its predecessor',
      [
        { a: 1, c: 1 },
        { a: 1, b: 1, c: 1 },
      ],
      ['a', 'b', 'c'],
    ],
    [
      'several new fields stay together',
      [
        { a: 1, d: 1 },
        { a: 1, b: 1, c: 1, d: 1 },
      ],
      ['a', 'b', 'c', 'd'],
    ],
    ['new fields at the start go first', [{ c: 1 }, { a: 1, b: 1, c: 1 }], ['a', 'b', 'c']],
    [
      'new fields at the start go before the first known one',
      [
        { x: 1, c: 1 },
        { a: 1, c: 1 },
      ],
      ['x', 'a', 'c'],
    ],
    ['new fields at the end go last', [{ a: 1 }, { a: 1, b: 1 }], ['a', 'b']],
    ['without a common field they go last', [{ a: 1 }, { c: 1, b: 1 }], ['a', 'c', 'b']],
    [
      'a different order moves none',
      [
        { a: 1, b: 1 },
        { b: 1, a: 1 },
      ],
      ['a', 'b'],
    ],
    ['nested objects are dotted', [{ a: { b: 1, c: { d: 2 } }, e: 3 }], ['a.b', 'a.c.d', 'e']],
    ['an equal name gets a number', ['{"a.b":1,"a":{"b":2}}'], ['a.b', 'a.b (2)']],
    [
      'numbered names are unique too',
      ['{"a.b (2)":0,"a":{"b":1},"a.b":2,"x":{"y":{"z":1},"y.z":2},"x.y":{"z":3}}'],
      ['a.b (2)', 'a.b', 'a.b (3)', 'x.y.z', 'x.y.z (2)', 'x.y.z (3)'],
    ],
    ['fields without a value count', [{ a: null, b: '', c: [] }], ['a', 'b', 'c']],
  ])('%s', (_, sent, expected) => {
    expect(keys(reportOf(sent))).toEqual(expected)
  })
})

describe('the type of a field', () => {
  const ROWS = [{ n: 1 }]
  test.each<[string, unknown[]]>([
    ['boolean', [true, false, null]],
    ['number', [1, 2.5, '', null]],
    ['text', ['1']],
    ['text', [1, 'one']],
    ['text', [true, 1]],
    ['text', [null, '', []]],
    ['multi', [['a'], []]],
    ['multi', [[1, 2]]],
    ['multi', [ROWS, ['a']]],
    ['text', [['a'], 'a']],
    ['rows', [ROWS, [], null]],
    ['multi', [[null, 1, { n: 1 }]]],
    ['text', [ROWS, 'none']],
    ['multi', [[ROWS]]],
  ])('is %s for the values %j', (type, values) => {
    expect(typeOf(values.map((value) => ({ a: value })))).toBe(type)
  })

  test('is decided by the published control before the values and the response’s own control', () => {
    const published = [control('a', 'choice', 'Colour'), control('a.b', 'number')]
    const builder = createReportBuilder(published)
    const sent = [control('a', 'text', 'Not this'), control('c', 'multi', 'Tags')]
    builder.add(storedResponse('{"a":true,"b":1,"c":"x"}', { controls: sent }))
    builder.add(storedResponse('{"a":true,"b":1,"c":"x"}'))
    expect(builder.build().fields).toEqual([
      { key: 'a', label: 'Colour', type: 'choice' },
      { key: 'b', label: null, type: 'number' },
      { key: 'c', label: 'Tags', type: 'multi' },
    ])
    expect(typeOf([{ a: { b: '1' } }], published)).toBe('number')
  })

  test('is decided for all responses by the newest control that came with one', () => {
    const builder = createReportBuilder([])
    builder.add(storedResponse('{"a":"x"}', { controls: [control('a', 'text', 'Old')] }))
    builder.add(storedResponse('{"a":"y"}', { controls: [control('a', 'choice', 'New')] }))
    builder.add(storedResponse('{"a":"x"}', { controls: [control('b', 'text')] }))
    builder.add(storedResponse('{"a":"x"}'))
    const report = builder.build()
    expect(report.fields).toEqual([{ key: 'a', label: 'New', type: 'choice' }])
    expect(facts(report.summaries[0]!)).toEqual({
      answered: 4,
      counts: [
        { value: 'x', count: 3 },
        { value: 'y', count: 1 },
      ],
    })
  })

  test('is rows for lists of objects, whatever the control of that name says', () => {
    expect(typeOf([{ a: ROWS }], [control('a', 'text')])).toBe('rows')
    expect(typeOf([{ a: ROWS }, { a: 'x' }], [control('a', 'text')])).toBe('text')
  })
})

describe('a summary', () => {
  test.each<[string, unknown[], FormControl['kind'] | undefined, unknown]>([
    ['counts yes and no', [true, false, true, null], undefined, { answered: 3, yes: 2, no: 1 }],
    [
      'counts the texts of checkboxes',
      ['on', 'true', 'off'],
      'boolean',
      { answered: 3, yes: 2, no: 1 },
    ],
    ['counts neither for other values', ['maybe', 1], 'boolean', { answered: 2, yes: 0, no: 0 }],
    ['has mean, min and max', [4, 1, 5, null], undefined, range(3, 10 / 3, 1, 5)],
    [
      'has no binary rounding errors of decimals',
      [0.1, 0.2, 0.3],
      undefined,
      range(3, 0.2, 0.1, 0.3),
    ],
    [
      'has all digits of a single number',
      [0.1234567890123456],
      undefined,
      only(0.1234567890123456),
    ],
    ['parses numbers in texts', ['1', '2.50', '-3e0', '.5'], 'number', range(4, 0.25, -3, 2.5)],
    [
      'ignores texts that are not numbers',
      ['1', 'many', '0x10', '1e999', ' '],
      'number',
      range(5, 1, 1, 1),
    ],
    ['has null without a number', ['many'], 'number', range(1, null, null, null)],
    ['has null without an answer', [null, ''], 'number', range(0, null, null, null)],
    [
      'has no mean of a sum that is infinite',
      [1.7e308, 1.7e308],
      undefined,
      range(2, null, 1.7e308, 1.7e308),
    ],
    [
      'counts values, most common first',
      ['b', 'a', 'c', 'a'],
      'choice',
      counts(4, [
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ]),
    ],
    [
      'counts a value and its text apart',
      ['1', 1, true, 'true'],
      'choice',
      counts(4, [
        ['1', 1],
        [1, 1],
        [true, 1],
        ['true', 1],
      ]),
    ],
    [
      'counts each item of lists',
      [['a', 'b'], [], ['b']],
      undefined,
      counts(2, [
        ['b', 2],
        ['a', 1],
      ]),
    ],
    [
      'counts a single value like a list, and what is empty in a list',
      ['a', ['a', 'b', null, '']],
      'multi',
      counts(2, [
        ['a', 2],
        ['b', 1],
        [null, 1],
        ['', 1],
      ]),
    ],
    [
      'counts objects and lists in a list as JSON text',
      [
        ['a', ['a'], null],
        [{ a: 1 }, 'a'],
      ],
      'multi',
      counts(2, [
        ['a', 2],
        ['["a"]', 1],
        [null, 1],
        ['{"a":1}', 1],
      ]),
    ],
    ['does not count long texts', ['x'.repeat(1001)], 'choice', counts(1, [])],
    [
      'has samples, newest first',
      ['a', null, 'b'],
      undefined,
      samples(2, [
        ['b', 'r2'],
        ['a', 'r0'],
      ]),
    ],
    [
      'has samples of any value as text',
      [1, ['a', 'b'], 'c'],
      undefined,
      samples(3, [
        ['c', 'r2'],
        ['a; b', 'r1'],
        ['1', 'r0'],
      ]),
    ],
    [
      'counts the items of all lists that have a field',
      [[{ a: 1 }, { a: 2 }], [], [{}]],
      undefined,
      { answered: 2, items: 2 },
    ],
  ])('%s', (_, sent, kind, expected) => {
    expect(factsOf(sent, kind)).toEqual(expected)
  })

  test('keeps all digits of whole numbers', () => {
    const { summaries } = reportOf([
      '{"a":12345678901234567890}',
      '{"a":-98765432109876543210}',
      '{"a":2}',
    ])
    const { min, max, mean } = summaries[0]!
    expect((min as JsonText).text).toBe('-98765432109876543210')
    expect((max as JsonText).text).toBe('12345678901234567890')
    expect(mean).toBe(-28806584402880660000)
    const typed = reportOf(['{"a":"12345678901234567891"}'], [control('a', 'number')])
    expect(typed.summaries[0]?.max?.text).toBe('12345678901234567891')
  })

  test('has the newest 50 samples', () => {
    const sent = Array.from({ length: 120 }, (_, i) => ({ a: `text ${i}` }))
    const samples = reportOf(sent).summaries[0]?.samples ?? []
    expect(samples.map(({ value }) => value)).toEqual(
      Array.from({ length: 50 }, (_, i) => `text ${119 - i}`),
    )
    expect(samples[0]).toEqual({ value: 'text 119', respondent: 'r119' })
  })

  test('counts the first MAX_COUNTS distinct values exactly', () => {
    const sent = Array.from({ length: MAX_COUNTS + 5 }, (_, i) => ({ a: `v${i}` }))
    const { summaries } = reportOf([...sent, ...sent], [control('a', 'choice')])
    expect(summaries[0]?.answered).toBe(2 * (MAX_COUNTS + 5))
    expect(summaries[0]?.counts).toHaveLength(MAX_COUNTS)
    expect(summaries[0]?.counts?.every(({ count }) => count === 2)).toBe(true)
  })
})

test('fields beyond MAX_FIELDS are left out of the report, and stay in the data', () => {
  const sent = Array.from({ length: 12 }, (_, i) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, j) => [`k${i}_${j}`, j])),
  )
  const report = reportOf(sent)
  expect(report.fields).toHaveLength(MAX_FIELDS)
  const last = presentResponse(storedResponse(JSON.stringify(sent[11])), report)
  expect(last.values.text).toBe('{}')
  expect(last.data.text).toBe(JSON.stringify(sent[11]))
})

describe('for any data', () => {
  const values = fc.constantFrom<unknown>(
    true,
    false,
    null,
    '',
    'x',
    'y',
    1,
    2.5,
    -3,
    [],
    ['x', 'y'],
    [{ n: 1 }, { m: 2 }],
  )
  const response = fc.dictionary(fc.constantFrom('a', 'b', 'c'), values, { noNullPrototype: true })

  test('summaries agree with a naive implementation', () => {
    const property = fc.property(fc.array(response, { maxLength: 60 }), (sent) => {
      const report = reportOf(sent)
      expect(new Set(keys(report))).toEqual(new Set(sent.flatMap((each) => Object.keys(each))))
      expect(report.total).toBe(sent.length)
      for (const summary of report.summaries) {
        const all = sent.map((each) => each[summary.key])
        expect(facts(summary)).toEqual(naiveSummary(all, summary.type))
      }
    })
    fc.assert(property, runs(500))
  })
})

function naiveSummary(all: unknown[], type: string): unknown {
  const answers = all
    .map((value, i) => ({ value, respondent: `r${i}` }))
    .filter(({ value }) => value != null && value !== '' && !isEmptyList(value))
  const values = answers.map(({ value }) => value)
  const answered = values.length
  if (type === 'boolean') {
    const yes = values.filter((value) => value === true).length
    return { answered, yes, no: answered - yes }
  }
  if (type === 'number') {
    const numbers = values as number[]
    const mean = numbers.reduce((a, b) => a + b, 0) / answered
    return { answered, mean: near(mean), min: Math.min(...numbers), max: Math.max(...numbers) }
  }
  if (type === 'rows') return { answered, items: values.flat().length }
  if (type === 'multi') {
    const scalars = values.flat().map((value) => {
      return typeof value === 'object' ? JSON.stringify(value) : value
    })
    const distinct = [...new Set(scalars)]
    const countOf = (value: unknown) => scalars.filter((each) => each === value).length
    const counted = distinct.map((value) => ({ value, count: countOf(value) }))
    return { answered, counts: counted.sort((a, b) => b.count - a.count) }
  }
  const texts = answers.map(({ value, respondent }) => ({ value: asText(value), respondent }))
  return { answered, samples: texts.reverse().slice(0, 50) }
}
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
function asText(value: unknown): string {
  if (typeof value !== 'object') return String(value)
  const hasObjects = (value as unknown[]).some((item) => typeof item === 'object')
  return hasObjects ? JSON.stringify(value) : (value as string[]).join('; ')
}
function near(mean: number): unknown {
  return expect.closeTo(mean, 9)
}

function range(answered: number, mean: number | null, min: number | null, max: number | null) {
  return { answered, mean, min, max }
}
function only(value: number) {
  return range(1, value, value, value)
}
function counts(answered: number, pairs: [unknown, number][]) {
  return { answered, counts: pairs.map(([value, count]) => ({ value, count })) }
}
function samples(answered: number, pairs: [string, string][]) {
  return { answered, samples: pairs.map(([value, respondent]) => ({ value, respondent })) }
}
