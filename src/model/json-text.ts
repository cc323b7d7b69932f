/**
 * JSON that is already serialized and must be returned unchanged. Parsing it to an object would
 * move keys such as `"2"` to the front and round long integers.
 */
export class JsonText {
  /** Exists for the types only: without it, each object with a `text` would be of this type. */
  declare protected readonly isJsonText: true
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Like `JSON.stringify`, but inserts every `JsonText` unchanged. */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map((each) => toJson(each ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${toJson(member)}`)
  }
  return `{${members.join(',')}}`
}
