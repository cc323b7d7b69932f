import { type Refusal, refuse } from '../../../model/errors.ts'
import { countNames, isObject, type JsonValue, keysOf, parseData, valuesOf } from './json.ts'

const MAX_KB = 256
const MAX_KEYS = 1000
const MAX_NAME_LENGTH = 1000
/** A list of objects is split into rows, each of which repeats the response's other values. */
const MAX_ROWS = 1000
const MAX_LEVELS = 32

/**
 * Checks that the data of a submission can be stored, read and shown without loss. The text is
 * stored as it was sent: an escaped `\u0000` or lone surrogate in it stays escaped.
 *
 * @throws Refusal `too_large` or `invalid_data`
 */
export function validateSubmission(data: string): void {
  if (data.length > MAX_KB * 1024 || Buffer.byteLength(data) > MAX_KB * 1024) {
    const message = 'This form sent more than can be stored'
    throw refuse.tooLarge('too_large', `${message}: ${MAX_KB} KB is the most. Send less.`)
  }
  if (!data.isWellFormed()) throw invalid('its text is not valid Unicode')
  const value = parse(data)
  if (!isObject(value)) throw invalid('it is not an object with named values')
  const total = { keys: 0 }
  assertValue(value, { prefix: '', level: 0 }, total)
  // Parsers differ in which of the values they use; the limits would apply to one of them only.
  if (countNames(data) > total.keys) throw invalid('a name in it comes twice')
}

function parse(data: string): JsonValue {
  try {
    return parseData(data)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    if (error instanceof SyntaxError) throw invalid('it is not JSON')
    throw error
  }
}

interface Place {
  /** Of the flattened names; names in a list's items start anew. */
  prefix: string
  level: number
}

function assertValue(value: JsonValue, { prefix, level }: Place, total: { keys: number }): void {
  if (value === Infinity || value === -Infinity) throw invalid('a number in it is too large')
  if (typeof value === 'object' && value !== null && level === MAX_LEVELS) throw tooDeep()
  if (Array.isArray(value)) {
    const isLong = value.length > MAX_ROWS && value.some(isObject)
    if (isLong) throw invalid(`a list of objects in it has over ${formatted(MAX_ROWS)} items`)
    for (const item of value) assertValue(item, { prefix: '', level: level + 1 }, total)
  } else if (isObject(value)) {
    const values = valuesOf(value)
    for (const [i, key] of keysOf(value).entries()) {
      const name = prefix + key
      total.keys += 1
      if (total.keys > MAX_KEYS) throw invalid(`it has over ${formatted(MAX_KEYS)} named values`)
      if (name.length > MAX_NAME_LENGTH) {
        throw invalid(`a name in it has over ${formatted(MAX_NAME_LENGTH)} characters`)
      }
      assertValue(values[i]!, { prefix: `${name}.`, level: level + 1 }, total)
    }
  }
}

function formatted(limit: number): string {
  return limit.toLocaleString('en-GB')
}

function tooDeep(): Refusal {
  return invalid(`it is nested over ${MAX_LEVELS} levels deep`)
}

function invalid(why: string): Refusal {
  const message = `This form sent something that cannot be stored: ${why}.`
  return refuse.invalid('invalid_data', message, { param: 'data' })
}
