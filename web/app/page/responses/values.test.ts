import { describe, expect, it } from 'bun:test'
import { barsOf, matches, memberOf, type Summary, valueText } from './values.ts'

it.each([
  [null, ''],
  [undefined, ''],
  [true, 'Yes'],
  [false, 'No'],
  [2.345678, '2.35'],
  [2026, '2026'],
  [['a', 1, true], 'a, 1, Yes'],
  [[{ a: 1 }], '{"a":1}'],
  [{ a: 1 }, '{"a":1}'],
])('writes a value as text: %j', (value, text) => {
  expect(valueText(value)).toBe(text)
})

it('finds only what was sent: names of built-in members are none', () => {
  const values = JSON.parse('{"__proto__": "sent", "a": null}')
  expect(memberOf(values, '__proto__')).toBe('sent')
  expect(memberOf(values, 'a')).toBeNull()
  expect(memberOf(values, 'constructor')).toBeUndefined()
})

describe('matches', () => {
  const response = {
    name: 'Ann',
    respondent: 'Amber Heron',
    values: { colour: 'red', days: ['mo', 'tu'], agrees: true, remarks: 'More BREAKS' },
  }
  it.each([
    ['nothing asked', '', [], true],
    ['a word in an answer', 'breaks', [], true],
    ['the sender', 'heron', [], true],
    ['a word nobody wrote', 'lunch', [], false],
    ['a value', '', [{ key: 'colour', value: 'red' }], true],
    ['another value', '', [{ key: 'colour', value: 'blue' }], false],
    ['one of several', '', [{ key: 'days', value: 'tu' }], true],
    ['yes', '', [{ key: 'agrees', value: 'Yes' }], true],
    ['a value and a word', 'lunch', [{ key: 'agrees', value: 'Yes' }], false],
    ['a field that is missing', '', [{ key: 'constructor', value: 'x' }], false],
  ])('%s', (_, text, choices, expected) => {
    expect(matches(response, { text, choices })).toBe(expected)
  })
})

describe('barsOf', () => {
  const base = { key: 'a', label: null, answered: 4 }
  it('has yes and no of a checkbox, and the counts of a choice, as shares of the answered', () => {
    expect(barsOf({ ...base, type: 'boolean', yes: 3, no: 1 } as Summary)).toEqual([
      { value: 'Yes', count: 3, share: 0.75 },
      { value: 'No', count: 1, share: 0.25 },
    ])
    const counts = [{ value: 'red', count: 4 }]
    expect(barsOf({ ...base, type: 'choice', counts } as Summary)).toEqual([
      { value: 'red', count: 4, share: 1 },
    ])
  })
  it('divides by nothing where nobody answered', () => {
    const none = { ...base, answered: 0, type: 'boolean', yes: 0, no: 0 } as Summary
    expect(barsOf(none).map(({ share }) => share)).toEqual([0, 0])
  })
})
