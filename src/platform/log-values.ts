/** What a log may hold of a value: plain data of bounded size, without secrets. */

const DEPTH = 6
const ITEMS = 100
const CHARACTERS = 8192

const SECRET_NAMES = /^(authorization|.*cookie|.*password.*|.*secret.*|.*token|api_key)$/i

const SECRET_TEXTS: [RegExp, string][] = [
  // Our keys: enough stays to find which one it was.
  [/\b(sm_[0-9A-Za-z]{4})[0-9A-Za-z]+/g, '$1…'],
  // Capabilities and one-time links are secrets that travel in a path.
  [/\/~[\w.~-]{16,}/g, '/~…'],
  [/\/(setup|confirm)\/[\w.~-]{8,}/g, '/$1/…'],
  [/(\/unsubscribe\/\w+)\/[\w-]{8,}/g, '$1/…'],
  [/([?&](?:token|code|key|password|secret)=)[^&#\s"']+/gi, '$1…'],
  [/\b(Bearer|Basic)\s+(?!sm_)[\w.~+/=-]+/gi, '$1 …'],
  [/(:\/\/[^/\s:@]*):[^/\s@]+@/g, '$1:…@'],
]

/** For the rare line whose very purpose is to hand over what is otherwise a secret. */
export class Disclosed {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function redact(text: string): string {
  const short = text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text
  return SECRET_TEXTS.reduce((soFar, [secret, instead]) => soFar.replace(secret, instead), short)
}

/** JSON-safe, whatever it is given; what throws when it is read is named as such. */
export function plain(value: unknown, above: readonly object[] = []): unknown {
  try {
    return plainOf(value, above)
  } catch {
    return '[unreadable]'
  }
}

function plainOf(value: unknown, above: readonly object[]): unknown {
  if (value instanceof Disclosed) return value.text
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '[circular]'
  if (above.length >= DEPTH) return '[deeper]'
  return ofObject(value, [...above, value])
}

function ofObject(value: object, above: readonly object[]): unknown {
  if (value instanceof Error) return ofError(value, above)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return redact(value.href)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map) return ofEntries([...value], above)
  if (value instanceof Headers) return ofEntries([...value], above)
  const items = value instanceof Set ? [...value] : value
  if (Array.isArray(items)) return items.slice(0, ITEMS).map((item) => plain(item, above))
  return ofEntries(
    Object.keys(value).map((name) => [name, readIfPossible(value, name)]),
    above,
  )
}

function ofEntries(entries: [unknown, unknown][], above: readonly object[]): object {
  const kept = entries.slice(0, ITEMS).map(([key, value]) => {
    const name = String(key)
    return [name, isSecret(name, value) ? '[redacted]' : plain(value, above)]
  })
  return Object.fromEntries(kept)
}

function isSecret(name: string, value: unknown): boolean {
  return SECRET_NAMES.test(name) && value !== null && !/boolean|number|undefined/.test(typeof value)
}

/** What tells errors apart, and no more: a database's `detail` quotes the row. */
const ERROR_FIELDS = ['code', 'errno', 'table', 'constraint', 'cause', 'errors'] as const

function ofError(err: Error, above: readonly object[]): object {
  const told: Record<string, unknown> = { name: err.name, message: redact(String(err.message)) }
  for (const field of ERROR_FIELDS) {
    const value = readIfPossible(err, field)
    if (value !== undefined) told[field] = plain(value, above)
  }
  return { ...told, stack: redact(String(err.stack)) }
}

function readIfPossible(from: object, name: string): unknown {
  try {
    return (from as Record<string, unknown>)[name]
  } catch {
    return '[unreadable]'
  }
}
