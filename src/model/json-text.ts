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

/** A string that is already serialized, in UTF-8: it may be too long to do that in one turn. */
export class JsonString {
  declare protected readonly isJsonString: true
  readonly bytes: Uint8Array
  /** @param bytes with the quotes */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
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

/** The schema of a string that is a `JsonString` or a `JsonStream` in results. */
export const jsonString = z
  .custom<JsonString | JsonStream>(
    (value) => value instanceof JsonString || value instanceof JsonStream,
  )
  .meta({ type: 'string' })

export type JsonPart = string | Uint8Array | JsonStream

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
  if (value instanceof JsonString) parts.push(value.bytes)
  else if (value instanceof JsonStream) parts.push(value)
  else if (!isList && !isPlainObject(value)) parts.push(toJson(value))
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

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof JsonText)
}

/** Like `JSON.stringify`, but inserts every `JsonText` and `JsonString` unchanged. */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (value instanceof JsonString) return new TextDecoder().decode(value.bytes)
  if (value instanceof JsonStream) throw new Error('a JsonStream is sent in pieces alone')
  if (Array.isArray(value)) return `[${value.map((each) => toJson(each ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${toJson(member)}`)
  }
  return `{${members.join(',')}}`
}
