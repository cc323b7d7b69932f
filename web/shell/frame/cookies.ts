import type { ReportChange } from './storage.ts'

/** An entry's expiry where it has none. */
const NO_EXPIRY = '0'

/**
 * Replaces `document.cookie` where the sandbox blocks it. An entry of the `cookie` area is a
 * cookie's name and `{expiry in milliseconds} {value}`.
 */
export function installCookies(entries: Map<string, string>, report: ReportChange): void {
  if (!isBlocked()) return
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    enumerable: true,
    get: () => serialize(entries),
    set(text: unknown) {
      const { name, value, expiresMs } = parse(String(text))
      const isExpired = expiresMs !== null && expiresMs <= Date.now()
      if (isExpired) entries.delete(name)
      else entries.set(name, `${expiresMs ?? NO_EXPIRY} ${value}`)
      report(name, isExpired ? null : entries.get(name)!)
    },
  })
}

function isBlocked(): boolean {
  try {
    return typeof document.cookie !== 'string'
  } catch {
    return true
  }
}

function serialize(entries: Map<string, string>): string {
  const pairs: string[] = []
  for (const [name, entry] of entries) {
    const space = entry.indexOf(' ')
    const expires = entry.slice(0, space)
    if (expires !== NO_EXPIRY && Number(expires) <= Date.now()) continue
    const value = entry.slice(space + 1)
    pairs.push(name === '' ? value : `${name}=${value}`)
  }
  return pairs.join('; ')
}

function parse(text: string) {
  const [pair = '', ...attributes] = text.split(';')
  const equals = pair.indexOf('=')
  const name = equals < 0 ? '' : pair.slice(0, equals).trim()
  const value = pair.slice(equals + 1).trim()
  let expiresMs: number | null = null
  let hasMaxAge = false
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=')
    const attributeName = key.trim().toLowerCase()
    const attributeValue = rest.join('=').trim()
    if (attributeName === 'max-age' && /^-?\d+$/.test(attributeValue)) {
      expiresMs = Date.now() + Number(attributeValue) * 1000
      hasMaxAge = true
    }
    const dateMs = Date.parse(attributeValue)
    if (attributeName === 'expires' && !hasMaxAge && !Number.isNaN(dateMs)) expiresMs = dateMs
  }
  return { name, value, expiresMs }
}
