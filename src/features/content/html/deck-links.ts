import { percentDecoded } from '../../../model/page-name.ts'

/** The paths of a deck's files, and the one that its root shows. */
export interface Deck {
  paths: ReadonlySet<string>
  entry: string
  /** Whether a script among its files reads the pixels of images. */
  readsPixels?: boolean
}

/**
 * How a reference is used. A `module`, and a `prefix` of modules in an import map, never means the
 * index file of a folder and must start with a dot.
 */
type LinkUse = 'url' | 'module' | 'prefix'

/** @returns the reference relative to its file; null where it stays as it is */
export type LinkRewriter = (reference: string, use: LinkUse) => string | null

// Leading white space; the path after its first slash; query and fragment. A second slash would
// make it another host. A deck's path has at most 1,024 bytes, each percent-encoded as three.
const ROOT_RELATIVE = /^([\0- ]{0,32})\/(?![/\\])([^?#\\\t\r\n]{0,3072})([?#][\s\S]*)?$/

/**
 * Rewrites root-relative references to files of the deck (`/team.html`) as relative ones
 * (`../team.html`), so that they work below any prefix.
 * @param folderDepth in how many folders the file is that has the references
 */
export function createLinkRewriter(deck: Deck, folderDepth: number): LinkRewriter {
  const up = '../'.repeat(folderDepth)
  let folders: Set<string> | undefined

  function target(segments: string[], use: LinkUse): string | null {
    const spelling = pathOf(segments)
    if (spelling === null) return null
    const path = spelling.normalize('NFC')
    const raw = path === spelling ? segments.join('/') : encodePath(path)
    if (deck.paths.has(path)) return raw
    if (use === 'module') return null
    if (use === 'prefix') {
      folders ??= foldersOf(deck.paths)
      return path === '' || folders.has(path) ? raw : null
    }
    if (path === '') return encodePath(deck.entry)
    if (path.endsWith('/')) return deck.paths.has(`${path}index.html`) ? raw : null
    if (deck.paths.has(`${path}/index.html`)) return `${raw}/`
    // Static hosts find it without its extension. Here the link saves a redirect.
    return deck.paths.has(`${path}.html`) ? `${raw}.html` : null
  }

  return (reference, use) => {
    const parts = ROOT_RELATIVE.exec(reference)
    if (parts === null) return null
    const [, lead = '', path = '', rest = ''] = parts
    const relative = target(normalSegments(rest === '' ? path.trimEnd() : path), use)
    if (relative === null) return null
    // Without `./` it would be a bare module name, empty, or start with a scheme (`a:b.html`).
    const needsDot = up === '' && (use !== 'url' || relative === '' || /^[^/]*:/.test(relative))
    return `${lead}${needsDot ? './' : up}${relative}${rest}`
  }
}

const ROOT = '/deck/'

/**
 * Resolves references of a file as browsers do, with the deck as the root of its host.
 *
 * @returns the path from there, percent-encoded; null where it leads out of the deck
 */
export function createResolver(own: string): (reference: string) => string | null {
  const path = own.split('/').map(encodeURIComponent).join('/')
  const base = new URL(`http://deck.invalid${ROOT}${path}`)
  return (reference) => {
    const url = URL.parse(reference.replace(/^\s*\/(?![/\\])/, ROOT), base)
    const isInside = url?.host === base.host && url.pathname.startsWith(ROOT)
    return isInside ? url.pathname.slice(ROOT.length) : null
  }
}

/** Every folder that has files in it, with a slash at its end. */
export function foldersOf(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      folders.add(path.slice(0, at + 1))
    }
  }
  return folders
}

/** Resolves `.` and `..` as a URL parser does. */
function normalSegments(path: string): string[] {
  const out: string[] = []
  const segments = path.split('/')
  segments.forEach((segment, i) => {
    const name = segment.replace(/%2e/gi, '.')
    if (name !== '.' && name !== '..') {
      out.push(segment)
      return
    }
    if (name === '..') out.pop()
    if (i === segments.length - 1) out.push('')
  })
  return out
}

/** @returns null where it cannot name a file: invalid encoding, or a slash in a name */
function pathOf(segments: readonly string[]): string | null {
  const names = segments.map(percentDecoded)
  return names.some((name) => name === null || name.includes('/')) ? null : names.join('/')
}

function encodePath(path: string): string {
  return path
    .split('/')
    .map((name) => encodeURIComponent(name).replace(/['()]/g, hexEscape))
    .join('/')
}

/** Encodes what `encodeURIComponent` leaves and what can end a string in CSS or a script. */
function hexEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
