import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import { encodePath, type Target } from '../request/target.ts'

/** What an address means on this page. Told to nobody whom the gate has not let through. */
export type Resolved =
  | { to: 'file'; file: ReleaseFile; isDocument: boolean }
  | { to: 'redirect'; location: string }
  | { to: 'nothing' }

const NOTHING: Resolved = { to: 'nothing' }

export function resolve(live: PublishedPage, { slug, path, cap, query }: Target): Resolved {
  if (live.release === null) return NOTHING
  const { kind, entry } = live.release
  if (cap !== null) return framed(live, `/p/${slug}/~${cap}/`, path ?? '', query)
  if (kind === 'single') {
    if (path === null) return fileAt(live, entry, true)
    return path === '' ? redirect(`/p/${slug}${query}`) : NOTHING
  }
  if (path === null || path === '') return redirect(`/p/${slug}/${encodePath(entry)}${query}`)
  const found = fileAt(live, path.endsWith('/') ? `${path}index.html` : path, true)
  if (found.to === 'file') return { ...found, isDocument: found.file.html !== null }
  const isFolder = live.files.has(`${path}/index.html`)
  return isFolder ? redirect(`/p/${slug}/${encodePath(path)}/${query}`) : NOTHING
}

/** By capability: what a page loads of itself, and where its frame moves. */
function framed(live: PublishedPage, base: string, path: string, query: string): Resolved {
  if (path === '') return redirect(base + encodePath(live.release!.entry) + query)
  const found = fileAt(live, path.endsWith('/') ? `${path}index.html` : path, false)
  if (found.to === 'file' || !live.files.has(`${path}/index.html`)) return found
  return redirect(`${base}${encodePath(path)}/${query}`)
}

/** The address of the same, for people. */
export function cleanPath({ release }: PublishedPage, { slug, path, query }: Target): string {
  const isSingle = release?.kind === 'single'
  return isSingle ? `/p/${slug}` : `/p/${slug}/${encodePath(path ?? '')}${query}`
}

function fileAt({ files }: PublishedPage, path: string, isDocument: boolean): Resolved {
  const file = files.get(path)
  return file === undefined ? NOTHING : { to: 'file', file, isDocument }
}

function redirect(location: string): Resolved {
  return { to: 'redirect', location }
}
