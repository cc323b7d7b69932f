/**
 * JSON that is already text. A plain object would put keys such as `"2"` first and round long
 * whole numbers; what somebody sent must come back as it was sent.
 */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** As `JSON.stringify`, with every `JsonText` in it standing as it is. */
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
