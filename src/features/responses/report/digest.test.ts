import { describe, expect, test } from 'bun:test'
import type { FormControl } from '../../../model/form.ts'
import type { JsonText } from '../../../model/json-text.ts'
import { anyText, fc, runs } from '../../../testing/property.ts'
import { MAX_COUNTS, MAX_FIELDS, type Summary } from '../contract.ts'
import { anySent, control, digestOf, stored } from './harness.ts'
import { createDigest, type Digest, findRows, presentResponse, presentRows } from './index.ts'

function keys(digest: Digest): string[] {
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
  return digestOf(sent, controls).fields[0]?.type
}
function factsOf(sent: unknown[], kind?: FormControl['kind']): unknown {
  const data = sent.map((value) => ({ a: value }))
  return facts(digestOf(data, kind ? [control('a', kind)] : []).summaries[0]!)
}

describe('fields stand in the order of the form', () => {
  test.each<[string, unknown[], string[]]>([
    ['of none there are none', [], []],
    ['an empty response has none', [{}, { a: {} }], []],
    ['as they were sent', [{ b: 1, a: 2 }], ['b', 'a']],
    ['names that are numbers too', ['{"2":1,"1":2,"10":3}'], ['2', '1', '10']],
    ['names that objects inherit too', ['{"__proto__":1,"constructor":2,"":3}'], PROTO_KEYS()],
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
    expect(keys(digestOf(sent))).toEqual(expected)
  })
})

function PROTO_KEYS(): string[] {
  return ['__proto__', 'constructor', '']
}

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
    const collector = createDigest(published)
    const said = [control('a', 'text', 'Not this'), control('c', 'multi', 'Tags')]
    collector.add(stored('{"a":true,"b":1,"c":"x"}', { controls: said }))
    collector.add(stored('{"a":true,"b":1,"c":"x"}'))
    expect(collector.finish().fields).toEqual([
      { key: 'a', label: 'Colour', type: 'choice' },
      { key: 'b', label: null, type: 'number' },
      { key: 'c', label: 'Tags', type: 'multi' },
    ])
    expect(typeOf([{ a: { b: '1' } }], published)).toBe('number')
  })

  test('of the responses’ own controls the newest decides, also what came before it', () => {
    const collector = createDigest([])
    collector.add(stored('{"a":"x"}', { controls: [control('a', 'text', 'Old')] }))
    collector.add(stored('{"a":"y"}', { controls: [control('a', 'choice', 'New')] }))
    collector.add(stored('{"a":"x"}', { controls: [control('b', 'text')] }))
    collector.add(stored('{"a":"x"}'))
    const digest = collector.finish()
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
    const { summaries } = digestOf([
      '{"a":12345678901234567890}',
      '{"a":-98765432109876543210}',
      '{"a":2}',
    ])
    const { min, max, mean } = summaries[0]!
    expect((min as JsonText).text).toBe('-98765432109876543210')
    expect((max as JsonText).text).toBe('12345678901234567890')
    expect(mean).toBe(-28806584402880660000)
    const typed = digestOf(['{"a":"12345678901234567891"}'], [control('a', 'number')])
    expect(typed.summaries[0]?.max?.text).toBe('12345678901234567891')
  })

  test('has the newest 50 samples', () => {
    const sent = Array.from({ length: 120 }, (_, i) => ({ a: `text ${i}` }))
    const samples = digestOf(sent).summaries[0]?.samples ?? []
    expect(samples.map(({ value }) => value)).toEqual(
      Array.from({ length: 50 }, (_, i) => `text ${119 - i}`),
    )
    expect(samples[0]).toEqual({ value: 'text 119', respondent: 'r119' })
  })

  test('counts the first so many different values, and those always', () => {
    const sent = Array.from({ length: MAX_COUNTS + 5 }, (_, i) => ({ a: `v${i}` }))
    const { summaries } = digestOf([...sent, ...sent], [control('a', 'choice')])
    expect(summaries[0]?.answered).toBe(2 * (MAX_COUNTS + 5))
    expect(summaries[0]?.counts).toHaveLength(MAX_COUNTS)
    expect(summaries[0]?.counts?.every(({ count }) => count === 2)).toBe(true)
  })
})

test('names that somebody makes up end: they stay in the data alone', () => {
  const sent = Array.from({ length: 12 }, (_, i) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, j) => [`k${i}_${j}`, j])),
  )
  const digest = digestOf(sent)
  expect(digest.fields).toHaveLength(MAX_FIELDS)
  const last = presentResponse(stored(JSON.stringify(sent[11])), digest)
  expect(last.values.text).toBe('{}')
  expect(last.data.text).toBe(JSON.stringify(sent[11]))
})

test('numbers sum up as exact arithmetic does', () => {
  const whole = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })
  const property = fc.property(fc.array(whole, { minLength: 1, maxLength: 30 }), (numbers) => {
    const [summary] = digestOf(numbers.map((number) => `{"a":${number}}`)).summaries
    const sorted = numbers.toSorted((a, b) => (a < b ? -1 : 1))
    expect(summary?.min?.text).toBe(String(sorted[0]))
    expect(summary?.max?.text).toBe(String(sorted.at(-1)))
    const total = numbers.reduce((a, b) => a + b, 0n)
    expect(isNearest(summary?.mean ?? Number.NaN, total, BigInt(numbers.length))).toBe(true)
  })
  fc.assert(property, runs(500))
})

/** Whether no neighbour of the double is nearer to the quotient. */
function isNearest(mean: number, total: bigint, count: bigint): boolean {
  const distance = (value: number) => {
    const { numerator, denominator } = fraction(value)
    const difference = numerator * count - total * denominator
    return { over: difference < 0n ? -difference : difference, under: denominator }
  }
  const own = distance(mean)
  return neighbours(mean).every((value) => {
    const other = distance(value)
    return own.over * other.under <= other.over * own.under
  })
}
function neighbours(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8))
  return [-1n, 1n].map((step) => {
    view.setFloat64(0, value)
    view.setBigUint64(0, view.getBigUint64(0) + (value === 0 ? 1n : step))
    return view.getFloat64(0)
  })
}
function fraction(value: number): { numerator: bigint; denominator: bigint } {
  let denominator = 1n
  for (; !Number.isInteger(value); value *= 2) denominator *= 2n
  return { numerator: BigInt(value), denominator }
}

describe('in words', () => {
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
  ])('%s', (line, sent, controls) => {
    const digest = digestOf(
      sent.map((value) => ({ a: value })),
      controls,
    )
    expect(digest.summary_text).toEqual([line])
  })

  test('a field without a name has a line too, and no line has a break', () => {
    expect(digestOf(['{"":1}']).summary_text).toEqual(['(empty): mean 1, from 1 to 1, 1 answer'])
    const property = fc.property(anyText, anyText, (key, value) => {
      const digest = digestOf([JSON.stringify({ [key]: [value] })])
      for (const line of digest.summary_text) {
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
        expect([...line].length).toBeLessThan(200)
      }
    })
    fc.assert(property, runs(300))
  })
})

describe('a response as a record', () => {
  test('has its values flat and its data as sent, and not what is ours', () => {
    const data = '{ "b":{"2":1,"1":12345678901234567890}, "a":null, "e":{}, "l":[{"x":1}] }'
    const about = { name: 'Ada', path: 'two.html', controls: [control('a', 'text')] }
    const { controls: _, data: __, ...record } = stored(data, about)
    const presented = presentResponse(stored(data, about), digestOf([data]))
    const { values, data: sent, ...rest } = presented
    expect<unknown>(rest).toEqual(record)
    expect(values.text).toBe('{"b.2":1,"b.1":12345678901234567890,"a":null,"l":[{"x":1}]}')
    expect(sent.text).toBe(data)
  })
})

describe('a list of objects as rows', () => {
  const sent = [
    {
      who: 'Ada',
      items: [
        { name: 'Tea', at: { price: 2 } },
        { name: 'Cake', size: 'L' },
      ],
      tags: ['x'],
    },
    { who: 'Bo', items: [], other: [{ z: 1 }] },
    { who: 'Cy', items: [{ who: 'Di', name: 'Tea', at: { price: 3 } }, 7, null], name: 'n' },
  ]
  const digest = digestOf(sent)
  const split = digest.split('items')

  test('those at the top level can be split, nested ones cannot', () => {
    expect(digest.explodable).toEqual(['items', 'other'])
    expect(digestOf([{ a: { b: [{ c: 1 }] } }])).toMatchObject({
      fields: [{ key: 'a.b', type: 'rows' }],
      explodable: [],
    })
    expect(digestOf([{ a: [] }, { b: ['x'] }]).explodable).toEqual([])
  })

  test('has the response’s other fields without lists of objects, then the items’ own', () => {
    expect(split.row_fields.map(({ key, type }) => `${key}: ${type}`)).toEqual([
      'who: text',
      'name: text',
      'tags: multi',
      'items.who: text',
      'items.name: text',
      'size: text',
      'at.price: number',
      'items: number',
    ])
  })

  test('sums up the items’ own fields over all rows', () => {
    expect(split.row_total).toBe(5)
    const summaries = split.row_summaries.map((each) => [each.key, each.answered])
    expect(summaries).toEqual([
      ['items.who', 1],
      ['items.name', 3],
      ['size', 1],
      ['at.price', 2],
      ['items', 1],
    ])
    expect(split.row_summary_text[3]).toBe('at.price: mean 2.5, from 2 to 3, 2 answers')
  })

  test('gives each item its row, with the response’s other values', () => {
    const rows = sent.map((data, i) =>
      presentRows(stored(JSON.stringify(data), { id: `resp_${i}` }), digest, split),
    )
    expect(rows.flat().map((row) => [row.response_id, row.item, row.values.text])).toEqual([
      ['resp_0', 1, '{"who":"Ada","tags":["x"],"items.name":"Tea","at.price":2}'],
      ['resp_0', 2, '{"who":"Ada","tags":["x"],"items.name":"Cake","size":"L"}'],
      ['resp_2', 1, '{"who":"Cy","name":"n","items.who":"Di","items.name":"Tea","at.price":3}'],
      ['resp_2', 2, '{"who":"Cy","name":"n","items":7}'],
      ['resp_2', 3, '{"who":"Cy","name":"n"}'],
    ])
    expect(Object.keys(rows[0]![0]!)).not.toContain('data')
  })

  test('a name that is taken twice is numbered', () => {
    const taken = digestOf(['{"n":1,"items.n":2,"items":[{"n":3,"items.n":4}]}']).split('items')
    expect(taken.row_fields.map(({ key }) => key)).toEqual([
      'n',
      'items.n',
      'items.n (2)',
      'items.items.n',
    ])
  })

  test('a control may name an item’s field with the list’s name before it', () => {
    const controls = [control('items.size', 'choice', 'Size')]
    const { row_fields } = digestOf(sent, controls).split('items')
    expect(row_fields).toContainEqual({ key: 'size', label: 'Size', type: 'choice' })
  })

  test.each<[number, number, [number, number, number]]>([
    [0, 1, [0, 1, 0]],
    [0, 3, [0, 1, 0]],
    [0, 4, [0, 3, 0]],
    [2, 2, [0, 3, 2]],
    [3, 1, [2, 1, 0]],
    [4, 9, [2, 1, 1]],
    [5, 9, [3, 0, 0]],
    [99, 9, [3, 0, 94]],
  ])('rows from %i, %i of them, are found', (offset, limit, [first, count, skip]) => {
    expect(split.rows_each).toEqual([3, 0, 2])
    expect(findRows(split, { offset, limit })).toEqual({ first, count, skip })
  })
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
      const digest = digestOf(sent)
      expect(new Set(keys(digest))).toEqual(new Set(sent.flatMap((each) => Object.keys(each))))
      expect(digest.total).toBe(sent.length)
      for (const summary of digest.summaries) {
        const all = sent.map((each) => each[summary.key])
        expect(facts(summary)).toEqual(lookAt(all, summary.type))
      }
    })
    fc.assert(property, runs(500))
  })

  test('values are of the fields, rows of the row fields, and nothing else is touched', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const property = fc.property(fc.array(anySent, { maxLength: 6 }), (sent) => {
      const digest = digestOf(sent)
      const names = new Set(keys(digest))
      expect(names.size).toBe(digest.fields.length)
      const records = sent.map((data) => presentResponse(stored(data), digest))
      for (const { values } of records) expect(names.isSupersetOf(keysIn(values))).toBe(true)
      for (const key of digest.explodable) {
        const split = digest.split(key)
        const row_names = new Set(split.row_fields.map((field) => field.key))
        expect(row_names.size).toBe(split.row_fields.length)
        const rows = sent.map((data) => presentRows(stored(data), digest, split))
        expect(rows.map((each) => each.length).toReversed()).toEqual(split.rows_each)
        expect(rows.flat()).toHaveLength(split.row_total)
        for (const { values } of rows.flat()) {
          expect(row_names.isSupersetOf(keysIn(values))).toBe(true)
        }
      }
    })
    fc.assert(property, runs(1000))
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })
})

function keysIn(values: JsonText): Set<string> {
  return new Set(Object.keys(JSON.parse(values.text)))
}

function lookAt(all: unknown[], type: string): unknown {
  const some = all
    .map((value, i) => ({ value, respondent: `r${i}` }))
    .filter(({ value }) => value != null && value !== '' && !isDeepEmpty(value))
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
function isDeepEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
function asText(value: unknown): string {
  if (typeof value !== 'object') return String(value)
  const has_objects = (value as unknown[]).some((item) => typeof item === 'object')
  return has_objects ? JSON.stringify(value) : (value as string[]).join('; ')
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
