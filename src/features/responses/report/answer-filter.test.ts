import { describe, expect, it, test } from 'bun:test'
import { createPick } from './answer-filter.ts'
import { createReportBuilder } from './builder.ts'
import type { StoredResponse } from './split.ts'

function storedResponse(data: object | string): StoredResponse {
  return {
    ...{ id: 'rsp_1', respondent: 'Amber Heron', name: 'Ann', path: '', submit_count: 1 },
    ...{ submitted_at: '2026', created_at: '2026', page_version: null, controls: null },
    data: typeof data === 'string' ? data : JSON.stringify(data),
  }
}

const whereOf = (fields: Record<string, string | string[]>) =>
  new Map(Object.entries(fields).map(([key, wanted]) => [key, [wanted].flat()]))

describe('a response', () => {
  const response = storedResponse(
    '{"colour":"red","days":["mo","tu"],"agrees":true,"age":30,"at":{"city":"Köln"},' +
      '"remarks":"More BREAKS","none":null,"__proto__":"sent"}',
  )
  test.each<[string, string, Record<string, string | string[]>, boolean]>([
    ['nothing asked', '', {}, true],
    ['a part of an answer in any case', 'breaks', {}, true],
    ['its name', 'ann', {}, true],
    ['its alias', 'HERON', {}, true],
    ['letters beyond ASCII, in a nested value', 'KÖLN', {}, true],
    ['an item of a list', 'tu', {}, true],
    ['a number', '30', {}, true],
    ['what nobody wrote', 'lunch', {}, false],
    ['the name of a field', 'colour', {}, false],
    ['a value', '', { colour: 'red' }, true],
    ['a part of a value', '', { colour: 're' }, false],
    ['another case', '', { colour: 'Red' }, false],
    ['one of several values', '', { days: 'tu' }, true],
    ['two of several values', '', { days: ['mo', 'tu'] }, true],
    ['one that is not among them', '', { days: ['mo', 'we'] }, false],
    ['a boolean as JSON', '', { agrees: 'true' }, true],
    ['a number as JSON', '', { age: '30' }, true],
    ['a nested field', '', { 'at.city': 'Köln' }, true],
    ['null', '', { none: 'null' }, true],
    ['a value and words', 'breaks', { colour: 'red' }, true],
    ['a value without the words', 'lunch', { colour: 'red' }, false],
    ['two fields, one of them other', '', { colour: 'red', age: '31' }, false],
    ['a field named __proto__', '', JSON.parse('{"__proto__":"sent"}'), true],
    ['a member of every object', '', { constructor: 'x' }, false],
  ])('matches %s', (_, search, where, expected) => {
    const picked = createPick({ search, where: whereOf(where) }, null)(response)
    expect(picked !== null).toBe(expected)
  })
})

describe('a response of which a list is split', () => {
  const response = storedResponse({
    name: 'Ann',
    items: [{ name: 'Soup', size: 'L' }, { name: 'Tea' }, { name: 'Soup' }],
  })
  const builder = createReportBuilder([])
  builder.add(response)
  const split = builder.build().split('items')

  test.each<[string, string, Record<string, string>, number[] | null]>([
    ['by a field of the items', '', { 'items.name': 'Soup' }, [0, 2]],
    ['by two fields of one item', '', { 'items.name': 'Soup', size: 'L' }, [0]],
    ['by fields of different items', '', { 'items.name': 'Tea', size: 'L' }, null],
    ['by a field of the response', '', { name: 'Ann' }, [0, 1, 2]],
    ['by words', 'tea', {}, [1]],
    ['by words of the response', 'ann', {}, [0, 1, 2]],
    ['by words that nobody wrote', 'cake', {}, null],
  ])('has the items that match %s', (_, search, where, expected) => {
    const picked = createPick({ search, where: whereOf(where) }, split)(response)
    expect(picked && [...picked.pickedItems!.indexes]).toEqual(expected)
  })

  it('without an item is one row, which matches by its own answers', () => {
    const bare = storedResponse({ name: 'Ann', items: [] })
    const pick = (where: Record<string, string>) =>
      createPick({ search: '', where: whereOf(where) }, split)(bare)
    expect(pick({ name: 'Ann' })).toBe(bare)
    expect(pick({ 'items.name': 'Soup' })).toBeNull()
  })
})
