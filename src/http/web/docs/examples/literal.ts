/** How a language writes JSON values in its source. */
export interface LiteralSyntax {
  name(key: string): string
  text(value: string): string
  constants: { true: string; false: string; null: string }
  indent: string
  /** Python has no spaces inside the braces of an object on one line. */
  padding: '' | ' '
}

/** What fits beside the text of the reference in a window of 1280 px. */
const MAX_LINE = 56

interface Place {
  /** The indentation of the line that the value starts on. */
  indent: string
  /** What is before the value on that line. */
  before: string
}

/** Writes a value in the syntax of a language, on one line if it is short. */
export function literal(value: unknown, syntax: LiteralSyntax, { indent, before }: Place): string {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) {
    return syntax.constants[String(value) as 'true' | 'false' | 'null']
  }
  const inner = indent + syntax.indent
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, syntax, { indent: inner, before: '' }))
    : Object.entries(value).map(([key, member]) => {
        const start = `${syntax.name(key)}: `
        return start + literal(member, syntax, { indent: inner, before: start })
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  const padding = Array.isArray(value) ? '' : syntax.padding
  const line = `${open}${padding}${items.join(', ')}${padding}${close}`
  const isShort = indent.length + before.length + line.length <= MAX_LINE
  if (isShort && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}
