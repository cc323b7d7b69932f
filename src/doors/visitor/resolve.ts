import type { ReleaseFile } from '../../features/content/index.ts'
import type { Live } from '../../features/pages/index.ts'
import { encodePath, type Target } from './target.ts'

/** What an address means on this page. Told to nobody whom the gate has not let through. */
export type Resolved =
  | { to: 'file'; file: ReleaseFile; is_document: boolean }
  | { to: 'redirect'; location: string }
  | { to: 'nothing' }

const NOTHING: Resolved = { to: 'nothing' }

export function resolve({ release, files }: Live, { slug, path, cap, query }: Target): Resolved {
  if (release === null) return NOTHING
  const { kind, entry } = release
  if (cap !== null) return fileAt(path ?? '', false)
  if (kind === 'bundle') return inDeck()
  if (path === null) return fileAt(entry, true)
  return path === '' ? redirect('') : NOTHING

  function inDeck(): Resolved {
    if (path === null || path === '') return redirect(`/${encodePath(entry)}`)
    const found = fileAt(path.endsWith('/') ? `${path}index.html` : path, true)
    if (found.to === 'file') return { ...found, is_document: found.file.html !== null }
    return files.has(`${path}/index.html`) ? redirect(`/${encodePath(path)}/`) : NOTHING
  }
  function fileAt(name: string, is_document: boolean): Resolved {
    const file = files.get(name)
    return file === undefined ? NOTHING : { to: 'file', file, is_document }
  }
  function redirect(rest: string): Resolved {
    return { to: 'redirect', location: `/p/${slug}${rest}${query}` }
  }
}
