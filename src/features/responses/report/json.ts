import { exactNumber } from './numbers.ts'

/**
 * A JSON value that a page sent. An object is a plain object where JavaScript preserves the order
 * of its keys, and a `Map` elsewhere. Whole numbers that a double cannot represent are bigints.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject
export type JsonObject = Map<string, JsonValue> | { [key: string]: JsonValue }

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A list of objects, which can be split into rows. Scripts leave null in it for a row that was
 * removed. A list with any other value is one of values.
 */
export function isObjectList(value: JsonValue): value is (JsonObject | null)[] {
  if (!Array.isArray(value) || !value.some(isObject)) return false
  return value.every((item) => item === null || isObject(item))
}

/** The items of such a list, each with its index: null and objects without a field are none. */
export function itemsOf(list: readonly (JsonObject | null)[]): [index: number, item: JsonObject][] {
  return list.flatMap((item, at): [number, JsonObject][] =>
    item !== null && hasFields(item) ? [[at, item]] : [],
  )
}

function hasFields(object: JsonObject): boolean {
  return valuesOf(object).some((value) => !isObject(value) || hasFields(value))
}

export function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0
}

export function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

export function keysOf(object: JsonObject): string[] {
  return object instanceof Map ? [...object.keys()] : Object.keys(object)
}

/** In the order of `keysOf`. */
export function valuesOf(object: JsonObject): JsonValue[] {
  return object instanceof Map ? [...object.values()] : Object.values(object)
}

/** Ignores inherited members: a key may be `constructor`. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  if (object instanceof Map) return object.get(key)
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function writeJson(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const values = valuesOf(value)
  return writeObject(keysOf(value).map((key, i) => writeMember(key, values[i]!)))
}

export function writeMember(key: string, value: JsonValue): string {
  return `${JSON.stringify(key)}:${writeJson(value)}`
}

export function writeObject(members: readonly string[]): string {
  return `{${members.join(',')}}`
}

/** Text for people: scalars without quotes, lists of scalars joined by `; `, the rest as JSON. */
export function displayText(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(isJoinable)) return value.join('; ')
  return value === null ? '' : writeJson(value)
}

function isJoinable(value: JsonValue): boolean {
  if (typeof value === 'string') return !value.includes(';')
  return value !== null && typeof value !== 'object'
}

export const MAX_LEVELS = 32

/** Digit-only keys, which JavaScript sorts first however they are escaped, and long numbers. */
const NEEDS_OWN_PARSER = /"\d+"\s*:|\\u003|[^\d.]\d{16}/

/**
 * Parses the `data` of a stored response, which `validateSubmission` has accepted. Uses the
 * platform's parser where it loses nothing, since that is several times faster.
 */
export function parseStoredObject(text: string): JsonObject {
  return (NEEDS_OWN_PARSER.test(text) ? parseJson(text) : JSON.parse(text)) as JsonObject
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERALS: readonly [string, JsonValue][] = [
  ['null', null],
  ['true', true],
  ['false', false],
]
const QUOTE = 34
const BACKSLASH = 92

/**
 * Parses JSON as `JSON.parse` does, but objects become maps, which preserve the order of their
 * keys, and long whole numbers keep all their digits.
 *
 * @param onDuplicate called with a name that one object has twice; the last value is used
 * @throws SyntaxError, or RangeError for more than `MAX_LEVELS` nested objects and lists
 */
export function parseJson(text: string, onDuplicate?: (name: string) => void): JsonValue {
  return new Parser(text, onDuplicate).parse()
}

class Parser {
  #at = 0
  readonly #text: string
  readonly #onDuplicate: ((name: string) => void) | undefined

  constructor(text: string, onDuplicate: ((name: string) => void) | undefined) {
    this.#text = text
    this.#onDuplicate = onDuplicate
  }

  parse(): JsonValue {
    this.#skipSpace()
    const value = this.#readValue(0)
    this.#skipSpace()
    return this.#at === this.#text.length ? value : this.#fail()
  }

  #readValue(level: number): JsonValue {
    const first = this.#text[this.#at]
    if (first === '"') return this.#readString()
    if (first !== '{' && first !== '[') return this.#readScalar()
    if (level >= MAX_LEVELS) throw new RangeError(`More than ${MAX_LEVELS} levels.`)
    return first === '{' ? this.#readObject(level + 1) : this.#readList(level + 1)
  }

  #readObject(level: number): Map<string, JsonValue> {
    const members = new Map<string, JsonValue>()
    this.#readSeries('}', () => {
      const key = this.#text[this.#at] === '"' ? this.#readString() : this.#fail()
      this.#skipSpace()
      if (!this.#accept(':')) this.#fail()
      this.#skipSpace()
      const value = this.#readValue(level)
      if (members.has(key)) this.#onDuplicate?.(key)
      members.set(key, value)
    })
    return members
  }

  #readList(level: number): JsonValue[] {
    const items: JsonValue[] = []
    this.#readSeries(']', () => items.push(this.#readValue(level)))
    return items
  }

  #readSeries(end: string, readOne: () => void): void {
    this.#at += 1
    this.#skipSpace()
    if (this.#accept(end)) return
    for (;;) {
      readOne()
      this.#skipSpace()
      if (this.#accept(end)) return
      if (!this.#accept(',')) this.#fail()
      this.#skipSpace()
    }
  }

  /** Uses `JSON.parse` for the string, so that the result does not keep the text in memory. */
  #readString(): string {
    const text = this.#text
    const start = this.#at
    let end = start + 1
    for (; text.charCodeAt(end) !== QUOTE; end += 1) {
      if (end >= text.length) this.#fail()
      if (text.charCodeAt(end) === BACKSLASH) end += 1
    }
    this.#at = end + 1
    return JSON.parse(text.slice(start, this.#at))
  }

  #readScalar(): JsonValue {
    const start = this.#at
    NUMBER.lastIndex = start
    if (NUMBER.test(this.#text)) {
      this.#at = NUMBER.lastIndex
      return exactNumber(this.#text.slice(start, this.#at))
    }
    for (const [word, value] of LITERALS) if (this.#accept(word)) return value
    return this.#fail()
  }

  #accept(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false
    this.#at += expected.length
    return true
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
  }

  #fail(): never {
    throw new SyntaxError(`Not JSON at character ${this.#at}.`)
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
