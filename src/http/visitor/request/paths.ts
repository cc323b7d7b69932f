import type { Release, ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { percentDecoded } from '../../../model/page-name.ts'
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
export type PathResource =
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

/** The name of the picture for link previews, at `/p/{slug}/~/`. */
export const PICTURE_NAME = 'preview.png'

/** The address of the picture for link previews of a page, by the page's address. */
export function pictureOf(pageUrl: string): string {
  return `${pageUrl}/~/${PICTURE_NAME}`
}

/** Asks for the bytes of an image page, also where the viewer would be answered. */
export const FILE_QUERY = '?file'

/** Resolves a path below the page's own address, or below a frame token. */
export function resolvePath(publishedPage: OpenPage, target: Target): PathResource {
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
export function attachmentNameIn(query: string): string | null {
  const match = query.includes(DOWNLOAD_PARAMETER) ? DOWNLOAD.exec(query) : null
  return match && (percentDecoded(match[1] ?? '') ?? '')
}

/**
 * Whether a file of a deck is sent as a download. HTML is always shown: a request for it is a view,
 * and its sent form is made for the sandbox.
 */
export function isSaved(release: Release, file: ReleaseFile, { query }: Target): boolean {
  const isAsset = release.kind === 'bundle' && file.html === null
  return isAsset && attachmentNameIn(query) !== null
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
  return percentDecoded(path)?.normalize('NFC') ?? null
}

function redirectTo(location: string) {
  return { kind: 'redirect', location } as const
}
