/** Converts values for the log: to plain data of limited size, without secrets. */

const DEPTH = 6
const ITEMS = 100
const CHARACTERS = 8192

const SECRET_NAMES = /^(authorization|.*cookie|.*password.*|.*secret.*|.*token|api_key)$/i

/** Secrets that are recognised by their form, wherever they stand. */
const CREDENTIALS: [RegExp, string][] = [
  // API keys: the first characters stay, to find which key it was.
  [/\b(sm_[0-9A-Za-z]{4})[0-9A-Za-z]+/g, '$1…'],
  [/\b(Bearer|Basic)\s+(?!sm_)[\w.~+/=-]+/gi, '$1 …'],
  [/(:\/\/[^/\s:@]*):[^/\s@]+@/g, '$1:…@'],
]
/** What follows the host of a web address. */
const ADDRESS = /\b(https?:\/\/[^/?#\s"']+)[/?#][^\s"']*/gi
/**
 * What is quoted in the message of an error: mostly the text that could not be parsed. Not an
 * apostrophe, nor the code after "evaluating".
 */
const QUOTED = /(?<!\w|evaluating )(["'`])(?:\\.|(?!\1)[^\\])+(?:\1(?!\w)|$)/gs

/** Text that is logged without redaction, for a line whose purpose is to show a secret. */
export class Disclosed {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function withoutCredentials(text: string): string {
  return CREDENTIALS.reduce((result, [secret, mask]) => result.replace(secret, mask), text)
}

/** Text of limited length, without credentials, and of web addresses only their origin. */
export function redact(text: string): string {
  const short = text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text
  return withoutCredentials(short).replace(ADDRESS, '$1/…')
}

/** Converts any value to JSON-safe data. A value that throws when it is read is `[unreadable]`. */
export function plain(value: unknown, parents: readonly object[] = []): unknown {
  try {
    return convert(value, parents)
  } catch {
    return '[unreadable]'
  }
}

function convert(value: unknown, parents: readonly object[]): unknown {
  if (value instanceof Disclosed) return value.text
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value !== 'object' || value === null) return value
  if (parents.includes(value)) return '[circular]'
  if (parents.length >= DEPTH) return '[deeper]'
  return convertObject(value, [...parents, value])
}

function convertObject(value: object, parents: readonly object[]): unknown {
  if (value instanceof Error) return convertError(value, parents)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return redact(value.href)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map) return convertEntries([...value], parents)
  if (value instanceof Headers) return convertEntries([...value], parents)
  const items = value instanceof Set ? [...value] : value
  if (Array.isArray(items)) return items.slice(0, ITEMS).map((item) => plain(item, parents))
  return convertEntries(
    Object.keys(value).map((name) => [name, readIfPossible(value, name)]),
    parents,
  )
}

function convertEntries(entries: [unknown, unknown][], parents: readonly object[]): object {
  const converted = entries.slice(0, ITEMS).map(([key, value]) => {
    const name = String(key)
    return [name, isSecret(name, value) ? '[redacted]' : plain(value, parents)]
  })
  return Object.fromEntries(converted)
}

function isSecret(name: string, value: unknown): boolean {
  return SECRET_NAMES.test(name) && value !== null && !/boolean|number|undefined/.test(typeof value)
}

/** The fields that identify an error. A database's `detail` is not one: it quotes the row. */
const ERROR_FIELDS = ['code', 'errno', 'table', 'constraint', 'errors'] as const

function convertError(err: Error, parents: readonly object[]): object {
  const message = messageOf(err)
  const converted: Record<string, unknown> = { name: err.name, message: redact(message) }
  for (const field of ERROR_FIELDS) {
    const value = readIfPossible(err, field)
    if (value !== undefined) converted[field] = plain(value, parents)
  }
  // Libraries also put what they received there.
  if (err.cause instanceof Error) converted.cause = plain(err.cause, parents)
  const stack = String(err.stack).replace(String(err.message), () => message)
  return { ...converted, stack: redact(stack) }
}

function messageOf(err: Error): string {
  const issues = readIfPossible(err, 'issues')
  if (Array.isArray(issues)) return issues.map(messageOfIssue).join('; ')
  const message = String(err.message).slice(0, CHARACTERS)
  return quotesNames(err) ? message : message.replaceAll(QUOTED, '$1…$1')
}

/** What a schema says about a value, without the value. */
function messageOfIssue({ code, path }: { code: string; path: unknown[] }): string {
  return `${code} at ${path.join('.') || 'the top'}`
}

/**
 * Whether the error quotes names of files, or of what is in the database. Of PostgreSQL's errors,
 * those about data (class 22) quote values.
 */
function quotesNames(err: Error): boolean {
  const { syscall, errno } = err as { syscall?: unknown; errno?: unknown }
  return typeof syscall === 'string' || (err.name === 'PostgresError' && !/^22/.test(String(errno)))
}

function readIfPossible(from: object, name: string): unknown {
  try {
    return (from as Record<string, unknown>)[name]
  } catch {
    return '[unreadable]'
  }
}
