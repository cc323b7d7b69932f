import { describe, expect, test } from 'bun:test'
import { control, reportOf, storedResponse } from '../../../testing/reports.ts'
import { findRows, presentResponse, presentRows } from './index.ts'

describe('a response in the report', () => {
  test('has flattened values, its data as sent, and no internal members', () => {
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

describe('a list of objects split into rows', () => {
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
    {
      who: 'Cy',
      items: [{ who: 'Di', name: 'Tea', at: { price: 3 } }, { items: 7 }, {}],
      name: 'n',
    },
  ]
  const report = reportOf(sent)
  const split = report.split('items')

  test('can be at the top level only', () => {
    expect(report.explodable).toEqual(['items', 'other'])
    expect(reportOf([{ a: { b: [{ c: 1 }] } }])).toMatchObject({
      fields: [{ key: 'a.b', type: 'rows' }],
      explodable: [],
    })
    expect(reportOf([{ a: [] }, { b: ['x'] }]).explodable).toEqual([])
  })

  test('has the response’s fields except lists of objects, then the items’ fields', () => {
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

  test('has summaries of the items’ fields over all rows', () => {
    expect(split.row_total).toBe(4)
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

  test('has a row for each item with a field, with the response’s other values', () => {
    const rows = sent.map((data, i) =>
      presentRows(storedResponse(JSON.stringify(data), { id: `resp_${i}` }), report, split),
    )
    expect(rows.flat().map((row) => [row.response_id, row.item, row.values.text])).toEqual([
      ['resp_0', 1, '{"who":"Ada","tags":["x"],"items.name":"Tea","at.price":2}'],
      ['resp_0', 2, '{"who":"Ada","tags":["x"],"items.name":"Cake","size":"L"}'],
      ['resp_2', 1, '{"who":"Cy","name":"n","items.who":"Di","items.name":"Tea","at.price":3}'],
      ['resp_2', 2, '{"who":"Cy","name":"n","items":7}'],
    ])
    expect(Object.keys(rows[0]![0]!)).not.toContain('data')
  })

  test('has unique field names', () => {
    const split = reportOf(['{"n":1,"items.n":2,"items":[{"n":3,"items.n":4}]}']).split('items')
    expect(split.row_fields.map(({ key }) => key)).toEqual([
      'n',
      'items.n',
      'items.n (2)',
      'items.items.n',
    ])
  })

  test('uses the control `list.field` for the field of an item', () => {
    const controls = [control('items.size', 'choice', 'Size')]
    const { row_fields } = reportOf(sent, controls).split('items')
    expect(row_fields).toContainEqual({ key: 'size', label: 'Size', type: 'choice' })
  })

  test.each<[number, number, [number, number, number]]>([
    [0, 1, [0, 1, 0]],
    [0, 2, [0, 1, 0]],
    [0, 3, [0, 3, 0]],
    [1, 2, [0, 3, 1]],
    [1, 1, [0, 1, 1]],
    [2, 1, [2, 1, 0]],
    [3, 9, [2, 1, 1]],
    [4, 9, [3, 0, 0]],
    [99, 9, [3, 0, 95]],
  ])(
    'finds the responses of rows from offset %i, limit %i',
    (offset, limit, [first, count, skip]) => {
      expect(split.rowCounts).toEqual([2, 0, 2])
      expect(findRows(split, { offset, limit })).toEqual({ first, count, skip })
    },
  )
})
