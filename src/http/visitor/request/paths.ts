import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Target } from './page-request.ts'

/** What a path means on a page. Only visitors whom the gate admits may learn it. */
export type Resource =
  | { kind: 'file'; file: ReleaseFile }
  | { kind: 'redirect'; location: string }
  | { kind: 'nothing' }

export const NOTHING: Resource = { kind: 'nothing' }

/** Resolves a path below the page's own address, or below a frame token. */
export function resolvePath(publishedPage: PublishedPage, target: Target): Resource {
  const { slug, path, frameToken, query } = target
  const { kind, entry } = publishedPage.release!
  if (frameToken === null && kind === 'single') {
    return path === '' ? redirectTo(`/p/${slug}${query}`) : NOTHING
  }
  const base = frameToken === null ? `/p/${slug}/` : `/p/${slug}/~${frameToken}/`
  if (path === null || path === '') return redirectTo(base + encodePath(entry) + query)
  const found = fileAt(publishedPage, path.endsWith('/') ? `${path}index.html` : path)
  if (found.kind === 'file' || !publishedPage.files.has(`${path}/index.html`)) return found
  return redirectTo(`${base}${encodePath(path)}/${query}`)
}

export function fileAt({ files }: PublishedPage, path: string): Resource {
  const file = files.get(path)
  return file === undefined ? NOTHING : { kind: 'file', file }
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
export function decodePath(path: string): string | null {
  if (!path.includes('%')) return path
  if (/%(?:2f|5c|00)/i.test(path)) return null
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return null
  }
}

function redirectTo(location: string): Resource {
  return { kind: 'redirect', location }
}
