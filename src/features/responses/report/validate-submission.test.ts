import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import { fc, runs } from '../../../testing/property.ts'
import { anySubmission, hasDuplicateName } from '../../../testing/reports.ts'
import { validateSubmission } from './index.ts'

function refusal(data: string): Refusal | null {
  try {
    validateSubmission(data)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function nested(levels: number, [open, close] = ['{"a":', '}']): string {
  return `{"a":${open!.repeat(levels - 1)}1${close!.repeat(levels - 1)}}`
}
function keys(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`
}
function items(count: number, item: string, more = ''): string {
  return `{"a":[${Array(count).fill(item).join(',')}${more}]}`
}
function bytes(count: number, unit = 'x'): string {
  const empty = '{"a":""}'
  return `{"a":"${unit.repeat((count - empty.length) / Buffer.byteLength(unit))}"}`
}
const KIB = 1024

test.each<[string, string]>([
  ['an empty object', '{}'],
  ['surrounding spaces', ' \n{"a" : 1}\t'],
  ['names with a meaning in JavaScript', '{"__proto__":1,"constructor":2,"":3,"2":4}'],
  ['an escaped NUL, which stays escaped', '{"a\\u0000":"\\u0000"}'],
  ['an escaped lone surrogate', '{"a":"\\ud800"}'],
  ['the largest number', '{"a":1.7976931348623157e308}'],
  ['a long whole number', `{"a":${'9'.repeat(300)}}`],
  ['32 levels', nested(32)],
  ['32 levels of lists', nested(32, ['[', ']'])],
  ['1,000 names', keys(1000)],
  ['a name of 1,000 characters', `{"${'n'.repeat(1000)}":1}`],
  ['a dotted name of 1,000 characters', `{"${'n'.repeat(499)}":{"${'n'.repeat(500)}":1}}`],
  ['names of items, which have no prefix', `{"${'n'.repeat(900)}":[{"${'n'.repeat(900)}":1}]}`],
  ['1,000 rows', items(1000, '{"a":1}').replace(/\{"a":1\}/g, '{}')],
  ['a long list of numbers', items(50_000, '0')],
  ['256 KiB', bytes(256 * KIB)],
])('%s is accepted', (_, data) => {
  expect(refusal(data)).toBeNull()
})

test.each<[string, string, RegExp]>([
  ['a list', '[]', /not an object/],
  ['a plain value', '"text"', /not an object/],
  ['nothing', '', /not JSON/],
  ['truncated JSON', '{"a":1', /not JSON/],
  ['two objects', '{}{}', /not JSON/],
  ['a comma at the end', '{"a":1,}', /not JSON/],
  ['a bare NUL', '{"a":"\0"}', /not JSON/],
  ['a lone surrogate', '{"a":"\ud800"}', /not valid Unicode/],
  ['an infinite number', '{"a":1e400}', /number in it is too large/],
  ['an infinite number in a list', '{"a":[[-1e400]]}', /number in it is too large/],
  ['an infinite number in digits', `{"a":${'9'.repeat(100_000)}}`, /number in it is too large/],
  ['a duplicate name', '{"a":1,"b":2,"a":1}', /a name in it comes twice/],
  [
    'a duplicate name in another spelling',
    '{"a":{"b":1e400,"\\u0062":1}}',
    /a name in it comes twice/,
  ],
  ['33 levels', nested(33), /over 32 levels/],
  ['thousands of levels', nested(40_000), /over 32 levels/],
  ['thousands of levels of lists', nested(40_000, ['[', ']']), /over 32 levels/],
  ['1,001 names', keys(1001), /over 1,000 named values/],
  ['1,001 names in all', items(501, '{"a":1,"b":2}'), /over 1,000 named values/],
  ['a name of 1,001 characters', `{"${'n'.repeat(1001)}":1}`, /name in it has over 1,000/],
  [
    'a dotted name of 1,001 characters',
    `{"${'n'.repeat(500)}":{"${'n'.repeat(500)}":1}}`,
    /name in it has over 1,000/,
  ],
  ['1,001 rows', items(1001, '{}'), /list of objects in it has over 1,000 items/],
  ['1,001 items, one an object', items(1000, '0', ',{}'), /list of objects in it has over 1,000/],
])('%s is refused', (_, data, reason) => {
  const refused = refusal(data)
  expect(refused).toMatchObject({ kind: 'invalid', code: 'invalid_data' })
  expect(refused?.message).toMatch(/^This form sent something that cannot be stored: .+\.$/)
  expect(refused?.message).toMatch(reason)
})

test.each([
  ['in bytes', bytes(256 * KIB + 1)],
  ['in bytes of UTF-8, not in characters', bytes(256 * KIB + 2, 'é')],
  ['even if it is not JSON', '['.repeat(10_000_000)],
])('over 256 KiB is too large, %s', (_, data) => {
  expect(Buffer.byteLength(data)).toBeGreaterThan(256 * KIB)
  expect(refusal(data)).toMatchObject({ kind: 'tooLarge', code: 'too_large' })
})

test.each([
  ['strings that are not closed', `{"1":"${'\\"'.repeat(125_000)}`],
  ['spaces after names', `{"1":1,${`"a"${' '.repeat(200)}`.repeat(1200)}`],
  ['names twice', `{"1":1,${'"a":1,'.repeat(40_000)}`],
])('%s take time in proportion to their length', (_, data) => {
  const began = process.cpuUsage()
  expect(refusal(data)?.code).toBe('invalid_data')
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000)
})

describe('for any data', () => {
  test('JSON within the limits is accepted', () => {
    const property = fc.property(anySubmission, (data) => {
      fc.pre(data.isWellFormed() && !hasDuplicateName(data))
      expect(refusal(data)).toBeNull()
    })
    fc.assert(property, runs(1000))
  })
})
