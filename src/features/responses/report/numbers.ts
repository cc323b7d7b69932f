const NUMERIC = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** No finite double needs more digits; longer texts are slow to parse. */
const MAX_DIGITS = 400

/** A double, or a bigint for a whole number that a double would round. */
export function exactNumber(digits: string): number | bigint {
  const value = Number(digits)
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return value
  return /^-?\d+$/.test(digits) ? BigInt(digits) : value
}

/** Parses a number in the notation of `<input type="number">`; null for any other text. */
export function parseNumber(text: string): number | bigint | null {
  if (text.length > MAX_DIGITS || !NUMERIC.test(text)) return null
  const value = exactNumber(text)
  return value === Infinity || value === -Infinity ? null : value
}

/** A running sum, with count, minimum and maximum. */
export interface NumberSum {
  count: number
  min: number | bigint
  max: number | bigint
  total: number
  /** The rounding errors of the total (Neumaier). */
  compensation: number
}

export function createSum(): NumberSum {
  return { count: 0, min: Infinity, max: -Infinity, total: 0, compensation: 0 }
}

export function addNumber(sum: NumberSum, value: number | bigint): void {
  sum.count += 1
  if (value < sum.min) sum.min = value
  if (value > sum.max) sum.max = value
  const number = Number(value)
  const total = sum.total + number
  const isSmaller = Math.abs(number) <= Math.abs(sum.total)
  sum.compensation += isSmaller ? sum.total - total + number : number - total + sum.total
  sum.total = total
}

/**
 * The mean, rounded to 15 digits where the sum is no whole number: the digits beyond are errors of
 * representing decimals in binary.
 *
 * @returns null without numbers, and where their sum is beyond all doubles
 */
export function meanOf(sum: NumberSum): number | null {
  const total = sum.total + sum.compensation
  const mean = total / sum.count
  if (!Number.isFinite(mean)) return null
  const rounded = Number.isInteger(total) ? mean : Number(mean.toPrecision(15))
  return Math.min(Math.max(rounded, Number(sum.min)), Number(sum.max))
}
