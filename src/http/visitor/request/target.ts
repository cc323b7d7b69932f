const SLUG = /^[a-z0-9][a-z0-9-]{2,62}$/

/** What an address below `/p/` names. */
export interface Target {
  slug: string
  /** Decoded, without leading slash; null for the page itself, '' for it with a slash. */
  path: string | null
  /** The capability segment, without its `~`. */
  cap: string | null
  /** With its `?`, or ''. */
  query: string
}

/**
 * Read from the one address that the server has settled on: never from the raw request line, whose
 * dot segments other parts would read differently.
 *
 * @returns null for what can name no page
 */
export function targetOf(url: string): Target | null {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const question = url.indexOf('?', start)
  const pathname = question < 0 ? url.slice(start) : url.slice(start, question)
  const query = question < 0 ? '' : url.slice(question)
  if (!pathname.startsWith('/p/')) return null
  const slash = pathname.indexOf('/', 3)
  const slug = slash < 0 ? pathname.slice(3) : pathname.slice(3, slash)
  if (!SLUG.test(slug)) return null
  if (slash < 0) return { slug, path: null, cap: null, query }
  const rest = decoded(pathname.slice(slash + 1))
  if (rest === null) return null
  if (!rest.startsWith('~')) return { slug, path: rest, cap: null, query }
  const end = rest.indexOf('/')
  if (end < 0) return null
  return { slug, path: rest.slice(end + 1), cap: rest.slice(1, end), query }
}

/** A deck path as it stands in an address. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** An encoded slash or backslash would name another file than it seems to: no file has one. */
function decoded(path: string): string | null {
  if (!path.includes('%')) return path
  if (/%(?:2f|5c|00)/i.test(path)) return null
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return null
  }
}
