type Tell = (key: string | null, value: string | null) => void

const NEVER = '0'

/**
 * `document.cookie` for a page that has none of its own: kept like storage, by name. Each value
 * stands behind its end in milliseconds, or 0.
 */
export function installCookies(entries: Map<string, string>, tell: Tell): void {
  if (!isBlocked()) return
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    enumerable: true,
    get: () => listed(entries),
    set(text: unknown) {
      const { name, value, endsMs } = read(String(text))
      const isOver = endsMs !== null && endsMs <= Date.now()
      if (isOver) entries.delete(name)
      else entries.set(name, `${endsMs ?? NEVER} ${value}`)
      tell(name, isOver ? null : entries.get(name)!)
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

function listed(entries: Map<string, string>): string {
  const pairs: string[] = []
  for (const [name, kept] of entries) {
    const space = kept.indexOf(' ')
    const ends = kept.slice(0, space)
    if (ends !== NEVER && Number(ends) <= Date.now()) continue
    const value = kept.slice(space + 1)
    pairs.push(name === '' ? value : `${name}=${value}`)
  }
  return pairs.join('; ')
}

function read(text: string) {
  const [pair = '', ...attributes] = text.split(';')
  const equals = pair.indexOf('=')
  const name = equals < 0 ? '' : pair.slice(0, equals).trim()
  const value = pair.slice(equals + 1).trim()
  let endsMs: number | null = null
  let hasAge = false
  for (const attribute of attributes) {
    const [key = '', ...given] = attribute.split('=')
    const about = given.join('=').trim()
    const kind = key.trim().toLowerCase()
    if (kind === 'max-age' && /^-?\d+$/.test(about)) {
      endsMs = Date.now() + Number(about) * 1000
      hasAge = true
    }
    if (kind === 'expires' && !hasAge && !Number.isNaN(Date.parse(about))) {
      endsMs = Date.parse(about)
    }
  }
  return { name, value, endsMs }
}
