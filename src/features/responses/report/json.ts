import { parseJson } from './parser.ts'

/**
 * What somebody sent. Objects are plain where JavaScript keeps their keys in order, and maps where
 * it does not; whole numbers that a double cannot hold are bigints.
 */
export type Sent = null | boolean | number | bigint | string | Sent[] | SentObject
export type SentObject = Map<string, Sent> | { [key: string]: Sent }

/** Names that JavaScript sorts first, however they are spelt, and numbers that it may round. */
const NEEDS_CARE = /"\d+"\s*:|\\u003|[^\d.]\d{16}/

/** Of text that was found sendable. The platform's own parser is several times faster. */
export function readObject(text: string): SentObject {
  return (NEEDS_CARE.test(text) ? parseJson(text) : JSON.parse(text)) as SentObject
}

export function isObject(value: Sent): value is SentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of objects: rows of a table of its own. Some of its items may be something else. */
export function isRows(value: Sent): value is Sent[] {
  return Array.isArray(value) && value.some(isObject)
}

export function isNothing(value: Sent): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

export function keysOf(object: SentObject): string[] {
  return object instanceof Map ? [...object.keys()] : Object.keys(object)
}

/** In the order of `keysOf`. */
export function valuesOf(object: SentObject): Sent[] {
  return object instanceof Map ? [...object.values()] : Object.values(object)
}

/** Own members only: a key may have the name of something every object inherits. */
export function memberOf(object: SentObject, key: string): Sent | undefined {
  if (object instanceof Map) return object.get(key)
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function writeJson(value: Sent): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const values = valuesOf(value)
  return writeObject(keysOf(value).map((key, i) => writeMember(key, values[i]!)))
}

export function writeMember(key: string, value: Sent): string {
  return `${JSON.stringify(key)}:${writeJson(value)}`
}

export function writeObject(members: readonly string[]): string {
  return `{${members.join(',')}}`
}

/** As a person reads it: plain values bare, lists of them joined, and all else as JSON. */
export function textOf(value: Sent): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(isJoinable)) return value.join('; ')
  return value === null ? '' : writeJson(value)
}

function isJoinable(value: Sent): boolean {
  if (typeof value === 'string') return !value.includes(';')
  return value !== null && typeof value !== 'object'
}
