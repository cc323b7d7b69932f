import { describe, expect, it } from 'bun:test'
import type { Summary } from './report.ts'
import { barsOf, memberOf, valueText, whereOf } from './values.ts'

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

it('asks for all values that were chosen of a field, whatever its name', () => {
  const choices = [
    { key: 'days', value: 'mo' },
    { key: '__proto__', value: 'x' },
    { key: 'days', value: 'tu' },
  ]
  expect(whereOf(choices)).toBe('{"days":["mo","tu"],"__proto__":["x"]}')
})

describe('barsOf', () => {
  const base = { key: 'a', label: null, answered: 4 }
  it('has yes and no of a checkbox, and the counts of a choice, as shares of the answered', () => {
    expect(barsOf({ ...base, type: 'boolean', yes: 3, no: 1 } as Summary)).toEqual([
      { value: 'true', text: 'Yes', count: 3, share: 0.75 },
      { value: 'false', text: 'No', count: 1, share: 0.25 },
    ])
    const counts = [{ value: 'red', count: 4 }]
    expect(barsOf({ ...base, type: 'choice', counts } as Summary)).toEqual([
      { value: 'red', text: 'red', count: 4, share: 1 },
    ])
  })
  it('divides by nothing where nobody answered', () => {
    const none = { ...base, answered: 0, type: 'boolean', yes: 0, no: 0 } as Summary
    expect(barsOf(none).map(({ share }) => share)).toEqual([0, 0])
  })
})
