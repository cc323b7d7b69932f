import { describe, expect, test } from 'bun:test'
import type { JsonText } from '../../../model/json-text.ts'
import { fc, runs } from '../../../testing/property.ts'
import { anySubmission, control, reportOf, storedResponse } from '../../../testing/reports.ts'
import { findRows, presentResponse, presentRows } from './index.ts'

describe('a response as a record', () => {
  test('has its values flat and its data as sent, and not what is ours', () => {
    const data = '{ "b":{"2":1,"1":12345678901234567890}, "a":null, "e":{}, "l":[{"x":1}] }'
    const about = { name: 'Ada', path: 'two.html', controls: [control('a', 'text')] }
    const { controls: _, data: __, ...record } = storedResponse(data, about)
    const presented = presentResponse(storedResponse(data, about), reportOf([data]))
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
  const digest = reportOf(sent)
  const split = digest.split('items')

  test('those at the top level can be split, nested ones cannot', () => {
    expect(digest.explodable).toEqual(['items', 'other'])
    expect(reportOf([{ a: { b: [{ c: 1 }] } }])).toMatchObject({
      fields: [{ key: 'a.b', type: 'rows' }],
      explodable: [],
    })
    expect(reportOf([{ a: [] }, { b: ['x'] }]).explodable).toEqual([])
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
      presentRows(storedResponse(JSON.stringify(data), { id: `resp_${i}` }), digest, split),
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
    const taken = reportOf(['{"n":1,"items.n":2,"items":[{"n":3,"items.n":4}]}']).split('items')
    expect(taken.row_fields.map(({ key }) => key)).toEqual([
      'n',
      'items.n',
      'items.n (2)',
      'items.items.n',
    ])
  })

  test('a control may name an item’s field with the list’s name before it', () => {
    const controls = [control('items.size', 'choice', 'Size')]
    const { row_fields: rowFields } = reportOf(sent, controls).split('items')
    expect(rowFields).toContainEqual({ key: 'size', label: 'Size', type: 'choice' })
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
    expect(split.rowCounts).toEqual([3, 0, 2])
    expect(findRows(split, { offset, limit })).toEqual({ first, count, skip })
  })
})

describe('for all that can be sent', () => {
  test('values are of the fields, rows of the row fields, and nothing else is touched', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const property = fc.property(fc.array(anySubmission, { maxLength: 6 }), (sent) => {
      const digest = reportOf(sent)
      const names = new Set(digest.fields.map(({ key }) => key))
      expect(names.size).toBe(digest.fields.length)
      const records = sent.map((data) => presentResponse(storedResponse(data), digest))
      for (const { values } of records) expect(names.isSupersetOf(keysIn(values))).toBe(true)
      for (const key of digest.explodable) {
        const split = digest.split(key)
        const rowNames = new Set(split.row_fields.map((field) => field.key))
        expect(rowNames.size).toBe(split.row_fields.length)
        const rows = sent.map((data) => presentRows(storedResponse(data), digest, split))
        expect(rows.map((each) => each.length).toReversed()).toEqual(split.rowCounts)
        expect(rows.flat()).toHaveLength(split.row_total)
        for (const { values } of rows.flat()) {
          expect(rowNames.isSupersetOf(keysIn(values))).toBe(true)
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
