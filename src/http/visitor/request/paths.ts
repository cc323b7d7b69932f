import type { Release, ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { DOWNLOAD_PARAMETER } from '../../../model/sandbox-polyfills.ts'

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

/** What a path means on a page. Only visitors whom the gate admits may learn it. */
export type Resource =
  | { kind: 'file'; file: ReleaseFile }
  | { kind: 'redirect'; location: string }
  | { kind: 'nothing' }

const NOTHING = { kind: 'nothing' } as const

/**
 * Renewals that our documents request: the shell gets a new frame token at `/p/{slug}/~/frame`, and
 * the panel gets its current viewer at `/p/{slug}/~/viewer`.
 */
export function renewalOf(
  { method }: Request,
  { path, frameToken }: Target,
): 'frame_renewal' | 'viewer_renewal' | null {
  if (method !== 'GET' || frameToken !== '') return null
  if (path === 'frame') return 'frame_renewal'
  return path === 'viewer' ? 'viewer_renewal' : null
}

/** Resolves a path below the page's own address, or below a frame token. */
export function resolvePath(publishedPage: OpenPage, target: Target): Resource {
  const { slug, path, frameToken, query } = target
  const { kind, entry } = publishedPage.release
  if (frameToken === null && kind === 'single') {
    return path === '' ? redirectTo(`/p/${slug}${query}`) : NOTHING
  }
  const base = frameToken === null ? `/p/${slug}/` : `/p/${slug}/~${frameToken}/`
  if (path === null || path === '') return redirectTo(base + encodePath(entry) + query)
  const { files } = publishedPage
  const file = files.get(path.endsWith('/') ? `${path}index.html` : path)
  if (file !== undefined) return { kind: 'file', file }
  if (files.has(`${path}/index.html`)) return redirectTo(`${base}${encodePath(path)}/${query}`)
  // As on static hosts and on the page's own: `about` is `about.html`.
  const isDocument = files.get(`${path}.html`)?.html != null
  return isDocument ? redirectTo(`${base}${encodePath(path)}.html${query}`) : NOTHING
}

const DOWNLOAD = new RegExp(`[?&]${DOWNLOAD_PARAMETER}(?:=([^&]*))?(?=&|$)`)

/**
 * The name that a link with `download` gives to a file, or '': in the sandbox, where every file is
 * of another origin, browsers would open it otherwise. Null for what is not saved.
 */
export function attachmentAsked(query: string): string | null {
  const found = query.includes(DOWNLOAD_PARAMETER) ? DOWNLOAD.exec(query) : null
  if (found === null) return null
  try {
    return decodeURIComponent(found[1] ?? '')
  } catch {
    return ''
  }
}

/**
 * Whether a file of a deck is sent as a download. HTML is always shown: a request for it is a view,
 * and its sent form is made for the sandbox.
 */
export function isSaved(release: Release, file: ReleaseFile, { query }: Target): boolean {
  const isAsset = release.kind === 'bundle' && file.html === null
  return isAsset && attachmentAsked(query) !== null
}

/** The address of the same file without the frame token. */
export function cleanPath({ release }: OpenPage, target: Target): string {
  const { slug, path, frameToken, query } = target
  // The addresses of gates lead back to the page.
  const isPage = release.kind === 'single' || frameToken === ''
  return isPage ? `/p/${slug}` : `/p/${slug}/${encodePath(path ?? '')}${query}`
}

/** Encodes a deck path for an address. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Refuses an encoded slash, backslash or NUL: with it a path reads like another file's. */
export function decodePath(path: string): string | null {
  if (!path.includes('%')) return path
  if (/%(?:2f|5c|00)/i.test(path)) return null
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return null
  }
}

function redirectTo(location: string) {
  return { kind: 'redirect', location } as const
}

/** The meaning of a path on the page's own host. */
export type StaticResource =
  | { kind: 'file'; file: ReleaseFile; status: 200 | 404 }
  /** Without the query. */
  | { kind: 'redirect'; location: string }
  | { kind: 'nothing' }

const NOT_FOUND_FILE = '404.html'

/**
 * Finds the file of a path as static hosts do: `/` is the entry, `/about` is `about.html` or the
 * folder `about/`, the page's `fallback` is every path without an extension that no file has, and
 * `404.html` is the answer for missing files. An app of one document that routes by the path, and
 * has no `404.html`, is its own fallback.
 *
 * @param path decoded, without the leading slash
 */
export function resolveStatic({ page, release, files }: OpenPage, path: string): StaticResource {
  if (release.file_name !== null) return NOTHING
  const { entry, kind } = release
  const found = (name: string, status: 200 | 404 = 200): StaticResource | null => {
    const file = files.get(name)
    return file === undefined ? null : { kind: 'file', file, status }
  }
  if (path === '') {
    // Relative references of an entry in a folder start at that folder.
    return entry.includes('/') ? redirectTo(`/${encodePath(entry)}`) : (found(entry) ?? NOTHING)
  }
  const route = page.settings.fallback ?? routerEntry(release)
  if (kind === 'single' && path !== entry && route === null) return NOTHING
  const isFolder = path.endsWith('/')
  const exact =
    found(isFolder ? `${path}index.html` : path) ?? (isFolder ? null : found(`${path}.html`))
  if (exact !== null) return exact
  if (!isFolder && files.has(`${path}/index.html`)) return redirectTo(`/${encodePath(path)}/`)
  const isRoute = !/\.[^./]*$/.test(path)
  const routed = isRoute ? found(route ?? '') : null
  return routed ?? found(NOT_FOUND_FILE, 404) ?? NOTHING
}

/** The only document of an app with a router. It handles all routes, so each can be reloaded. */
function routerEntry({ entry, files, needs_origin: needs }: Release): string | null {
  if (!needs.includes('router')) return null
  return files.some(({ path, html }) => html !== null && path !== entry) ? null : entry
}

/**
 * The document that a path redirects to on the page's own host; null if the page has none there.
 */
export function staticDocument(publishedPage: OpenPage, path: string): ReleaseFile | null {
  const resource = resolveStatic(publishedPage, path)
  const { files, release } = publishedPage
  const file =
    resource.kind === 'redirect'
      ? files.get(path === '' ? release.entry : `${path}/index.html`)
      : resource.kind === 'file'
        ? resource.file
        : undefined
  return file?.html == null ? null : file
}
