import { expect, test } from 'bun:test'
import { fc, runs } from '../../../testing/property.ts'
import { reportOf } from '../../../testing/reports.ts'

test('min, max and mean of whole numbers are exact', () => {
  const upTo = (max: bigint) => fc.bigInt({ min: -max, max })
  const whole = fc.oneof(upTo(10n), upTo(2n ** 53n), upTo(10n ** 25n))
  const property = fc.property(fc.array(whole, { minLength: 1, maxLength: 30 }), (numbers) => {
    const [summary] = reportOf(numbers.map((number) => `{"a":${number}}`)).summaries
    const sorted = numbers.toSorted((a, b) => (a < b ? -1 : 1))
    expect(summary?.min?.text).toBe(String(sorted[0]))
    expect(summary?.max?.text).toBe(String(sorted.at(-1)))
    const total = numbers.reduce((a, b) => a + b, 0n)
    expect(isNearest(summary?.mean ?? Number.NaN, total, BigInt(numbers.length))).toBe(true)
  })
  fc.assert(property, runs(500))
})

test('a remainder beyond the precision decides the rounding', () => {
  const halfway = 2n ** 130n + 2n ** 77n
  const [summary] = reportOf([halfway, halfway, halfway + 1n].map((n) => `{"a":${n}}`)).summaries
  expect(summary?.mean).toBe(2 ** 130 + 2 ** 78)
})

test('the mean of many decimals has no accumulated error', () => {
  const [summary] = reportOf(Array(10_000).fill({ a: 0.1 })).summaries
  expect(summary?.mean).toBe(0.1)
  const [mixed] = reportOf([...Array(9_999).fill({ a: 0.1 }), { a: 0.7 }]).summaries
  expect(mixed?.mean).toBe(0.10006)
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
