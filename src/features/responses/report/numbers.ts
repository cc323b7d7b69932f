const NUMERIC = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** No finite number needs more, and long digits are slow to read. */
const MAX_DIGITS = 400

/** As a double, but whole numbers written out that a double would round as a bigint. */
export function exactNumber(digits: string): number | bigint {
  const value = Number(digits)
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return value
  return /^-?\d+$/.test(digits) ? BigInt(digits) : value
}

/** The number that a text is, as controls for numbers write it. */
export function findNumber(text: string): number | bigint | null {
  if (text.length > MAX_DIGITS || !NUMERIC.test(text)) return null
  const value = exactNumber(text)
  return value === Infinity || value === -Infinity ? null : value
}

/** Sums without holding what it sums. */
export interface NumberSum {
  count: number
  min: number | bigint
  max: number | bigint
  /** Whole numbers are summed exactly: here while a double can, then in `large`. */
  whole: number
  large: bigint
  /** Of the others, with what its roundings have lost (Neumaier): all of them are below 2^53. */
  fractions: number
  lost: number
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
    lost: 0,
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
  sum.lost += isSmaller ? sum.fractions - total + value : value - total + sum.fractions
  sum.fractions = total
  sum.hasFractions = true
}

/**
 * Of whole numbers the nearest double. With others to 15 digits: people mean decimals, and the
 * digits beyond are noise of writing them in binary.
 */
export function meanOf(sum: NumberSum): number | null {
  if (sum.count === 0) return null
  const whole = divide(sum.large + BigInt(sum.whole), sum.count)
  if (!sum.hasFractions) return whole
  const mean = whole + (sum.fractions + sum.lost) / sum.count
  const rounded = Number(mean.toPrecision(15))
  return Math.min(Math.max(rounded, Number(sum.min)), Number(sum.max))
}

/** The double nearest to the quotient, which is one if all that was summed were doubles. */
function divide(total: bigint, count: number): number {
  const whole = Number(total)
  if (Number.isSafeInteger(whole)) return whole / count
  const magnitude = total < 0n ? -total : total
  const spareBits = magnitude < 1n << 128n ? 64 : 0
  const scaled = magnitude << BigInt(spareBits)
  const quotient = scaled / BigInt(count)
  // What is left over decides between two doubles as its lowest bit does.
  const hasRest = quotient * BigInt(count) !== scaled
  const nearest = Number(hasRest ? quotient | 1n : quotient) / 2 ** spareBits
  return total < 0n ? -nearest : nearest
}
