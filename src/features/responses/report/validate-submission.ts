import { type Refusal, refuse } from '../../../model/errors.ts'
import { isObject, keysOf, type Sent, valuesOf } from './json.ts'
import { MAX_LEVELS, parseJson } from './parser.ts'

const MAX_KIB = 256
const MAX_KEYS = 1000
const MAX_NAME = 1000
/** Each item of such a list becomes a row with the response's other values beside it. */
const MAX_ROWS = 1000

/**
 * Refuses what a page sent unless it can be stored, read and shown whole. What is accepted is
 * stored as the text it is: a `\u0000` or half of a surrogate pair in it stays escaped.
 */
export function validateSubmission(data: string): void {
  if (data.length > MAX_KIB * 1024 || Buffer.byteLength(data) > MAX_KIB * 1024) {
    const sent = 'This form sent more than can be stored'
    throw refuse.tooLarge('too_large', `${sent}: ${MAX_KIB} KiB is the most. Send less.`)
  }
  if (!data.isWellFormed()) throw invalid('its text is not valid Unicode')
  const value = parse(data)
  if (!isObject(value)) throw invalid('it is not an object with named values')
  assertValue(value, '', { keys: 0 })
}

function parse(data: string): Sent {
  try {
    // Readers differ in which of them stands, and no limit here would be of the others.
    return parseJson(data, () => {
      throw invalid('a name in it comes twice')
    })
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`it is nested over ${MAX_LEVELS} levels deep`)
    if (error instanceof SyntaxError) throw invalid('it is not JSON')
    throw error
  }
}

/** `prefix`: of the flattened names. An item's names are its own. */
function assertValue(value: Sent, prefix: string, seen: { keys: number }): void {
  if (value === Infinity || value === -Infinity) throw invalid('a number in it is too large')
  if (Array.isArray(value)) {
    const isLong = value.length > MAX_ROWS && value.some(isObject)
    if (isLong) throw invalid(`a list of objects in it has over ${count(MAX_ROWS)} items`)
    for (const item of value) assertValue(item, '', seen)
  } else if (isObject(value)) {
    const values = valuesOf(value)
    for (const [i, key] of keysOf(value).entries()) {
      const name = prefix + key
      seen.keys += 1
      if (seen.keys > MAX_KEYS) throw invalid(`it has over ${count(MAX_KEYS)} named values`)
      if (name.length > MAX_NAME) {
        throw invalid(`a name in it has over ${count(MAX_NAME)} characters`)
      }
      assertValue(values[i]!, `${name}.`, seen)
    }
  }
}

function count(limit: number): string {
  return limit.toLocaleString('en-GB')
}

function invalid(why: string): Refusal {
  return refuse.invalid('invalid_data', `This form sent something that cannot be stored: ${why}.`)
}
