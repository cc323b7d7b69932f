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
  /** The exact sum of whole numbers is `whole + large`; `whole` stays a safe integer. */
  whole: number
  large: bigint
  /** The sum of the other numbers, all below 2^53, and its rounding errors (Neumaier). */
  fractions: number
  compensation: number
  hasFractions: boolean
}

export function createSum(): NumberSum {
  return {
    count: 0,
    min: Infinity,
    max: -Infinity,
    whole: 0,
    large: 0n,
    fractions: 0,
    compensation: 0,
    hasFractions: false,
  }
}

export function addNumber(sum: NumberSum, value: number | bigint): void {
  sum.count += 1
  if (value < sum.min) sum.min = value
  if (value > sum.max) sum.max = value
  if (typeof value === 'bigint') sum.large += value
  else if (Number.isInteger(value)) addWhole(sum, value)
  else addFraction(sum, value)
}

function addWhole(sum: NumberSum, value: number): void {
  const whole = sum.whole + value
  if (Number.isSafeInteger(whole)) sum.whole = whole
  else sum.large += BigInt(value)
}

function addFraction(sum: NumberSum, value: number): void {
  const total = sum.fractions + value
  const isSmaller = Math.abs(value) <= Math.abs(sum.fractions)
  sum.compensation += isSmaller ? sum.fractions - total + value : value - total + sum.fractions
  sum.fractions = total
  sum.hasFractions = true
}

/**
 * The mean of whole numbers is the nearest double. With fractions it is rounded to 15 digits: the
 * digits beyond are errors of representing decimals in binary.
 */
export function meanOf(sum: NumberSum): number | null {
  if (sum.count === 0) return null
  const whole = divide(sum.large + BigInt(sum.whole), sum.count)
  if (!sum.hasFractions) return whole
  const mean = whole + (sum.fractions + sum.compensation) / sum.count
  const rounded = Number(mean.toPrecision(15))
  return Math.min(Math.max(rounded, Number(sum.min)), Number(sum.max))
}

/** The double nearest to `total / count`. */
function divide(total: bigint, count: number): number {
  const whole = Number(total)
  if (Number.isSafeInteger(whole)) return whole / count
  const magnitude = total < 0n ? -total : total
  const spareBits = magnitude < 1n << 128n ? 64 : 0
  const scaled = magnitude << BigInt(spareBits)
  const quotient = scaled / BigInt(count)
  // A remainder sets the lowest bit (a sticky bit), so that the conversion rounds correctly.
  const hasRemainder = quotient * BigInt(count) !== scaled
  const nearest = Number(hasRemainder ? quotient | 1n : quotient) / 2 ** spareBits
  return total < 0n ? -nearest : nearest
}
