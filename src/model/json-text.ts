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

/** The schema of a string that is a `JsonString` in results. */
export const jsonString = z
  .custom<JsonString>((value) => value instanceof JsonString)
  .meta({ type: 'string' })

/** The parts of the JSON of a value, with every `JsonText` and `JsonString` unchanged. */
export function jsonParts(value: unknown): (string | Uint8Array)[] {
  const parts: (string | Uint8Array)[] = []
  addParts(parts, value)
  return parts
}

/** The approximate length of the JSON. */
export function sizeOfParts(parts: readonly (string | Uint8Array)[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

function addParts(parts: (string | Uint8Array)[], value: unknown): void {
  const isList = Array.isArray(value)
  if (value instanceof JsonString) parts.push(value.bytes)
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
  if (Array.isArray(value)) return `[${value.map((each) => toJson(each ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${toJson(member)}`)
  }
  return `{${members.join(',')}}`
}
