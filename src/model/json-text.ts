import { z } from 'zod'

/**
 * JSON that is already serialized and must be returned unchanged. Parsing it to an object would
 * move keys such as `"2"` to the front and round long integers.
 */
export class JsonText<Value = unknown> {
  /** Exists for the types only: without it, each object with a `text` would be of this type. */
  declare protected readonly parsed: Value
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A string that is serialized while it is sent, so that it is never in memory whole. */
export class JsonStream {
  declare protected readonly isJsonStream: true
  /** Of the JSON, in bytes. */
  readonly length: number
  /** The JSON, with the quotes. */
  readonly pieces: () => AsyncIterable<string>

  constructor(length: number, pieces: () => AsyncIterable<string>) {
    this.length = length
    this.pieces = pieces
  }
}

/** The schema of a string that is a `JsonText` or a `JsonStream` in results. */
export const jsonString = z
  .custom<JsonText<string> | JsonStream>(
    (value) => value instanceof JsonText || value instanceof JsonStream,
  )
  .meta({ type: 'string' })

export type JsonPart = string | JsonStream

/** The parts of the JSON of a value, with what is serialized already unchanged. */
export function jsonParts(value: unknown): JsonPart[] {
  const parts: JsonPart[] = []
  addParts(parts, value)
  return parts
}

/** The approximate length of the JSON. */
export function sizeOfParts(parts: readonly JsonPart[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/** Whether it must be sent in pieces: `toJson` has no text for such parts. */
export function hasStream(parts: readonly JsonPart[]): boolean {
  return parts.some((part) => part instanceof JsonStream)
}

function addParts(parts: JsonPart[], value: unknown): void {
  const isList = Array.isArray(value)
  if (value instanceof JsonText) parts.push(value.text)
  else if (value instanceof JsonStream) parts.push(value)
  else if (typeof value !== 'object' || value === null) parts.push(JSON.stringify(value))
  else {
    const members = Object.entries(value).filter(([, member]) => isList || member !== undefined)
    parts.push(isList ? '[' : '{')
    members.forEach(([key, member], at) => {
      parts.push(`${at > 0 ? ',' : ''}${isList ? '' : `${JSON.stringify(key)}:`}`)
      addParts(parts, member ?? null)
    })
    parts.push(isList ? ']' : '}')
  }
}

/** Like `JSON.stringify`, but inserts every `JsonText` unchanged. */
export function toJson(value: unknown): string {
  const parts = jsonParts(value)
  if (hasStream(parts)) throw new Error('a JsonStream is sent in pieces alone')
  return parts.join('')
}

/** The JSON of the parts, with that of streams. */
export async function joinParts(parts: readonly JsonPart[]): Promise<string> {
  let json = ''
  for (const part of parts) {
    if (typeof part === 'string') json += part
    else for await (const piece of part.pieces()) json += piece
  }
  return json
}

/**
 * More than any valid request needs: three for each file of the largest deck. JSON of this size is
 * parsed within some milliseconds.
 */
const MAX_VALUES = 32_000
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether JSON is small enough in structure to be parsed and validated at once. A few megabytes of
 * empty objects or brackets would hold up all other requests for seconds. Takes linear time, and
 * says nothing about whether the JSON is valid.
 */
export function isModestJson(bytes: Uint8Array, maxValues = MAX_VALUES): boolean {
  return countNames(bytes, maxValues) !== null
}

/** How many names of members JSON has; null where it is too large in structure. */
export function countNames(bytes: Uint8Array, maxValues = MAX_VALUES): number | null {
  const { length } = bytes
  let [names, values, depth] = [0, 0, 0]
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) values += 1
    else if (byte === COLON) names += 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (values > maxValues || depth > MAX_DEPTH) return null
  }
  return names
}

/** How many names a value has. Of one that an object of its JSON had twice, one is left. */
export function countNamesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  const own = Array.isArray(value) ? 0 : members.length
  return members.reduce((sum, member) => sum + countNamesIn(member), own)
}

/** The place of the closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
