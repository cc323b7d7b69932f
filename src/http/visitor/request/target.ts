import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'

const SLUG = /^[a-z0-9][a-z0-9-]{2,62}$/

/** The parts of an address below `/p/`: `/p/{slug}/~{frameToken}/{path}{query}`. */
export interface Target {
  slug: string
  /** Decoded, without the leading slash; null for `/p/{slug}`, '' for `/p/{slug}/`. */
  path: string | null
  /**
   * The segment that starts with `~`, without it: a frame token, or '' in the addresses that gates
   * post their forms to. Null without such a segment.
   */
  frameToken: string | null
  /** With its `?`, or ''. */
  query: string
}

/** What an address means on a page. Only visitors who have passed the gate may learn it. */
export type Resource =
  | { kind: 'file'; file: ReleaseFile; isDocument: boolean }
  | { kind: 'redirect'; location: string }
  | { kind: 'nothing' }

const NOTHING: Resource = { kind: 'nothing' }

/**
 * Parses the URL that Bun has normalized, never the raw request line: other parts of the server
 * would read its dot segments differently.
 *
 * @returns null for an address that no page can have
 */
export function parseTarget(url: string): Target | null {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const question = url.indexOf('?', start)
  const pathname = question < 0 ? url.slice(start) : url.slice(start, question)
  const query = question < 0 ? '' : url.slice(question)
  if (!pathname.startsWith('/p/')) return null
  const slash = pathname.indexOf('/', 3)
  const slug = slash < 0 ? pathname.slice(3) : pathname.slice(3, slash)
  if (!SLUG.test(slug)) return null
  if (slash < 0) return { slug, path: null, frameToken: null, query }
  const rest = decodePath(pathname.slice(slash + 1))
  if (rest === null) return null
  if (!rest.startsWith('~')) return { slug, path: rest, frameToken: null, query }
  const end = rest.indexOf('/')
  if (end < 0) return null
  return { slug, path: rest.slice(end + 1), frameToken: rest.slice(1, end), query }
}

export function resolveTarget(publishedPage: PublishedPage, target: Target): Resource {
  const { release, files } = publishedPage
  if (release === null) return NOTHING
  const { slug, path, frameToken, query } = target
  if (frameToken !== null) return resolveInFrame(publishedPage, target)
  const { kind, entry } = release
  if (kind === 'single') {
    if (path === null) return fileAt(publishedPage, entry, true)
    return path === '' ? redirectTo(`/p/${slug}${query}`) : NOTHING
  }
  if (path === null || path === '') return redirectTo(`/p/${slug}/${encodePath(entry)}${query}`)
  const found = fileAt(publishedPage, indexPath(path), true)
  if (found.kind === 'file') return { ...found, isDocument: found.file.html !== null }
  const isFolder = files.has(`${path}/index.html`)
  return isFolder ? redirectTo(`/p/${slug}/${encodePath(path)}/${query}`) : NOTHING
}

/** Files that the page's frame loads. None of them is a document that counts as a view. */
function resolveInFrame(publishedPage: PublishedPage, target: Target): Resource {
  const { slug, frameToken, query } = target
  const path = target.path ?? ''
  const base = `/p/${slug}/~${frameToken}/`
  if (path === '') return redirectTo(base + encodePath(publishedPage.release!.entry) + query)
  const found = fileAt(publishedPage, indexPath(path), false)
  if (found.kind === 'file' || !publishedPage.files.has(`${path}/index.html`)) return found
  return redirectTo(`${base}${encodePath(path)}/${query}`)
}

/** The address of the same file without the frame token. */
export function cleanPath({ release }: PublishedPage, { slug, path, query }: Target): string {
  const isSingle = release?.kind === 'single'
  return isSingle ? `/p/${slug}` : `/p/${slug}/${encodePath(path ?? '')}${query}`
}

/** Encodes a deck path for an address. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Refuses an encoded slash, backslash or NUL: with it a path reads like another file's. */
function decodePath(path: string): string | null {
  if (!path.includes('%')) return path
  if (/%(?:2f|5c|00)/i.test(path)) return null
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return null
  }
}

function indexPath(path: string): string {
  return path.endsWith('/') ? `${path}index.html` : path
}

function fileAt({ files }: PublishedPage, path: string, isDocument: boolean): Resource {
  const file = files.get(path)
  return file === undefined ? NOTHING : { kind: 'file', file, isDocument }
}

function redirectTo(location: string): Resource {
  return { kind: 'redirect', location }
}
