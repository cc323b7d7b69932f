import { describe, expect, test } from 'bun:test'
import type { FormControl } from '../../../model/form.ts'
import type { JsonText } from '../../../model/json-text.ts'
import { fc, runs } from '../../../testing/property.ts'
import { control, reportOf, storedResponse } from '../../../testing/reports.ts'
import { MAX_COUNTS, MAX_FIELDS, type Summary } from '../contract.ts'
import { createReportBuilder, presentResponse, type Report } from './index.ts'

function keys(digest: Report): string[] {
  return digest.fields.map(({ key }) => key)
}
/** What a summary says beside its field, its values read. */
function facts({ key: _, label: __, type: ___, ...summary }: Summary): unknown {
  return JSON.parse(
    JSON.stringify(summary, (_, value) =>
      'text' in Object(value) ? JSON.parse(value.text) : value,
    ),
  )
}
function typeOf(sent: unknown[], controls: FormControl[] = []): string | undefined {
  return reportOf(sent, controls).fields[0]?.type
}
function factsOf(sent: unknown[], kind?: FormControl['kind']): unknown {
  const data = sent.map((value) => ({ a: value }))
  return facts(reportOf(data, kind ? [control('a', kind)] : []).summaries[0]!)
}

describe('fields stand in the order of the form', () => {
  test.each<[string, unknown[], string[]]>([
    ['of none there are none', [], []],
    ['an empty response has none', [{}, { a: {} }], []],
    ['as they were sent', [{ b: 1, a: 2 }], ['b', 'a']],
    ['names that are numbers too', ['{"2":1,"1":2,"10":3}'], ['2', '1', '10']],
    [
      'names that objects inherit too',
      ['{"__proto__":1,"constructor":2,"":3}'],
      ['__proto__', 'constructor', ''],
    ],
    [
      'a new one after the one before it',
      [
        { a: 1, c: 1 },
        { a: 1, b: 1, c: 1 },
      ],
      ['a', 'b', 'c'],
    ],
    [
      'several new ones',
      [
        { a: 1, d: 1 },
        { a: 1, b: 1, c: 1, d: 1 },
      ],
      ['a', 'b', 'c', 'd'],
    ],
    ['new ones at the front', [{ c: 1 }, { a: 1, b: 1, c: 1 }], ['a', 'b', 'c']],
    [
      'in front of where they were',
      [
        { x: 1, c: 1 },
        { a: 1, c: 1 },
      ],
      ['x', 'a', 'c'],
    ],
    ['new ones at the end', [{ a: 1 }, { a: 1, b: 1 }], ['a', 'b']],
    ['nothing in common: at the end', [{ a: 1 }, { c: 1, b: 1 }], ['a', 'c', 'b']],
    [
      'another order moves none',
      [
        { a: 1, b: 1 },
        { b: 1, a: 1 },
      ],
      ['a', 'b'],
    ],
    ['nested objects are dotted', [{ a: { b: 1, c: { d: 2 } }, e: 3 }], ['a.b', 'a.c.d', 'e']],
    ['the second of a name is numbered', ['{"a.b":1,"a":{"b":2}}'], ['a.b', 'a.b (2)']],
    [
      'whatever else is called so',
      ['{"a.b (2)":0,"a":{"b":1},"a.b":2,"x":{"y":{"z":1},"y.z":2},"x.y":{"z":3}}'],
      ['a.b (2)', 'a.b', 'a.b (3)', 'x.y.z', 'x.y.z (2)', 'x.y.z (3)'],
    ],
    ['fields without a value are fields', [{ a: null, b: '', c: [] }], ['a', 'b', 'c']],
  ])('%s', (_, sent, expected) => {
    expect(keys(reportOf(sent))).toEqual(expected)
  })
})

describe('what a field is', () => {
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
    ['rows', [[null, 1, { n: 1 }]]],
    ['text', [ROWS, 'none']],
    ['multi', [[ROWS]]],
  ])('%s, by its values %j', (type, values) => {
    expect(typeOf(values.map((value) => ({ a: value })))).toBe(type)
  })

  test('a published control decides before the values and the response’s own control', () => {
    const published = [control('a', 'choice', 'Colour'), control('a.b', 'number')]
    const collector = createReportBuilder(published)
    const said = [control('a', 'text', 'Not this'), control('c', 'multi', 'Tags')]
    collector.add(storedResponse('{"a":true,"b":1,"c":"x"}', { controls: said }))
    collector.add(storedResponse('{"a":true,"b":1,"c":"x"}'))
    expect(collector.build().fields).toEqual([
      { key: 'a', label: 'Colour', type: 'choice' },
      { key: 'b', label: null, type: 'number' },
      { key: 'c', label: 'Tags', type: 'multi' },
    ])
    expect(typeOf([{ a: { b: '1' } }], published)).toBe('number')
  })

  test('of the responses’ own controls the newest decides, also what came before it', () => {
    const collector = createReportBuilder([])
    collector.add(storedResponse('{"a":"x"}', { controls: [control('a', 'text', 'Old')] }))
    collector.add(storedResponse('{"a":"y"}', { controls: [control('a', 'choice', 'New')] }))
    collector.add(storedResponse('{"a":"x"}', { controls: [control('b', 'text')] }))
    collector.add(storedResponse('{"a":"x"}'))
    const digest = collector.build()
    expect(digest.fields).toEqual([{ key: 'a', label: 'New', type: 'choice' }])
    expect(facts(digest.summaries[0]!)).toEqual({
      answered: 4,
      counts: [
        { value: 'x', count: 3 },
        { value: 'y', count: 1 },
      ],
    })
  })

  test('lists of objects are rows, whatever a control of their name says', () => {
    expect(typeOf([{ a: ROWS }], [control('a', 'text')])).toBe('rows')
    expect(typeOf([{ a: ROWS }, { a: 'x' }], [control('a', 'text')])).toBe('text')
  })
})

describe('a summary', () => {
  test.each<[string, unknown[], FormControl['kind'] | undefined, unknown]>([
    ['yes and no', [true, false, true, null], undefined, { answered: 3, yes: 2, no: 1 }],
    ['of checkboxes as text', ['on', 'true', 'off'], 'boolean', { answered: 3, yes: 2, no: 1 }],
    ['not of what is neither', ['maybe', 1], 'boolean', { answered: 2, yes: 0, no: 0 }],
    ['mean, min, max', [4, 1, 5, null], undefined, range(3, 10 / 3, 1, 5)],
    ['of decimals as people mean them', [0.1, 0.2, 0.3], undefined, range(3, 0.2, 0.1, 0.3)],
    ['of one, which is its own mean', [0.1234567890123456], undefined, only(0.1234567890123456)],
    ['of numbers as text', ['1', '2.50', '-3e0', '.5'], 'number', range(4, 0.25, -3, 2.5)],
    ['not of other text', ['1', 'many', '0x10', '1e999', ' '], 'number', range(5, 1, 1, 1)],
    ['with no number', ['many'], 'number', range(1, null, null, null)],
    ['with no answer', [null, ''], 'number', range(0, null, null, null)],
    ['beyond all sums', [1.7e308, 1.7e308], undefined, range(2, 1.7e308, 1.7e308, 1.7e308)],
    [
      'that even out',
      [1.7e308, 1.7e308, -1.7e308],
      undefined,
      range(3, 1.7e308 / 3, -1.7e308, 1.7e308),
    ],
    [
      'most common first',
      ['b', 'a', 'c', 'a'],
      'choice',
      counts(4, [
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ]),
    ],
    [
      'a value is not its text',
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
      'of each choice',
      [['a', 'b'], [], ['b']],
      undefined,
      counts(2, [
        ['b', 2],
        ['a', 1],
      ]),
    ],
    [
      'of a single one too',
      ['a', ['a', 'b', null, '']],
      'multi',
      counts(2, [
        ['a', 2],
        ['b', 1],
      ]),
    ],
    ['not of what is no choice', [['a', ['a'], null], [{ a: 1 }]], 'multi', counts(2, [['a', 1]])],
    ['not of what is too long', ['x'.repeat(1001)], 'choice', counts(1, [])],
    [
      'samples, newest first',
      ['a', null, 'b'],
      undefined,
      samples(2, [
        ['b', 'r2'],
        ['a', 'r0'],
      ]),
    ],
    [
      'of any value, as text',
      [1, ['a', 'b'], 'c'],
      undefined,
      samples(3, [
        ['c', 'r2'],
        ['a; b', 'r1'],
        ['1', 'r0'],
      ]),
    ],
    ['items of all lists', [[{ a: 1 }, { a: 2 }], [], [{}]], undefined, { answered: 2, items: 3 }],
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

  test('counts the first so many different values, and those always', () => {
    const sent = Array.from({ length: MAX_COUNTS + 5 }, (_, i) => ({ a: `v${i}` }))
    const { summaries } = reportOf([...sent, ...sent], [control('a', 'choice')])
    expect(summaries[0]?.answered).toBe(2 * (MAX_COUNTS + 5))
    expect(summaries[0]?.counts).toHaveLength(MAX_COUNTS)
    expect(summaries[0]?.counts?.every(({ count }) => count === 2)).toBe(true)
  })
})

test('names that somebody makes up end: they stay in the data alone', () => {
  const sent = Array.from({ length: 12 }, (_, i) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, j) => [`k${i}_${j}`, j])),
  )
  const digest = reportOf(sent)
  expect(digest.fields).toHaveLength(MAX_FIELDS)
  const last = presentResponse(storedResponse(JSON.stringify(sent[11])), digest)
  expect(last.values.text).toBe('{}')
  expect(last.data.text).toBe(JSON.stringify(sent[11]))
})

describe('for all that can be sent', () => {
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

  test('summaries are what a plain look at all responses says', () => {
    const property = fc.property(fc.array(response, { maxLength: 60 }), (sent) => {
      const digest = reportOf(sent)
      expect(new Set(keys(digest))).toEqual(new Set(sent.flatMap((each) => Object.keys(each))))
      expect(digest.total).toBe(sent.length)
      for (const summary of digest.summaries) {
        const all = sent.map((each) => each[summary.key])
        expect(facts(summary)).toEqual(lookAt(all, summary.type))
      }
    })
    fc.assert(property, runs(500))
  })
})

function lookAt(all: unknown[], type: string): unknown {
  const some = all
    .map((value, i) => ({ value, respondent: `r${i}` }))
    .filter(({ value }) => value != null && value !== '' && !isEmptyList(value))
  const given = some.map(({ value }) => value)
  const answered = given.length
  if (type === 'boolean') {
    const yes = given.filter((value) => value === true).length
    return { answered, yes, no: answered - yes }
  }
  if (type === 'number') {
    const numbers = given as number[]
    const mean = numbers.reduce((a, b) => a + b, 0) / answered
    return { answered, mean: near(mean), min: Math.min(...numbers), max: Math.max(...numbers) }
  }
  if (type === 'rows') return { answered, items: given.flat().length }
  if (type === 'multi') {
    const plain = given.flat().filter((value) => typeof value !== 'object')
    const different = [...new Set(plain)]
    const of = (value: unknown) => plain.filter((each) => each === value).length
    const sorted = different.map((value) => ({ value, count: of(value) }))
    return { answered, counts: sorted.sort((a, b) => b.count - a.count) }
  }
  const texts = some.map(({ value, respondent }) => ({ value: asText(value), respondent }))
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
