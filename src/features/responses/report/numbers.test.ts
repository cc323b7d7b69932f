import { expect, test } from 'bun:test'
import { fc, runs } from '../../../testing/property.ts'
import { reportOf } from '../../../testing/reports.ts'

test('min and max of whole numbers are exact, and so is a mean whose sum has 53 bits', () => {
  const upTo = (max: bigint) => fc.bigInt({ min: -max, max })
  const whole = fc.oneof(upTo(10n), upTo(2n ** 48n), upTo(10n ** 25n))
  const property = fc.property(fc.array(whole, { minLength: 1, maxLength: 30 }), (numbers) => {
    const [summary] = reportOf(numbers.map((number) => `{"a":${number}}`)).summaries
    const sorted = numbers.toSorted((a, b) => (a < b ? -1 : 1))
    expect(summary?.min?.text).toBe(String(sorted[0]))
    expect(summary?.max?.text).toBe(String(sorted.at(-1)))
    const total = numbers.reduce((a, b) => a + b, 0n)
    const largest = Math.max(...numbers.map((number) => Math.abs(Number(number))))
    const exact = Number(total) / numbers.length
    const tolerance = largest <= 2 ** 48 ? 0 : largest * 1e-14
    expect(Math.abs(summary!.mean! - exact)).toBeLessThanOrEqual(tolerance)
  })
  fc.assert(property, runs(500))
})

test('the mean of many decimals has no accumulated error', () => {
  const [summary] = reportOf(Array(10_000).fill({ a: 0.1 })).summaries
  expect(summary?.mean).toBe(0.1)
  const [mixed] = reportOf([...Array(9_999).fill({ a: 0.1 }), { a: 0.7 }]).summaries
  expect(mixed?.mean).toBe(0.10006)
})
