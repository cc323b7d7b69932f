/** The files of a deck, and the one its root leads to. */
export interface Deck {
  paths: ReadonlySet<string>
  entry: string
}

/**
 * What a reference is for. `module` and `prefix` (of modules, in an import map) are JavaScript's:
 * they name no folder's page, and must start with a dot.
 */
export type LinkUse = 'url' | 'module' | 'prefix'

/** @returns the same reference relative to its place; null when it is to stay as it is */
export type LinkRewriter = (reference: string, use: LinkUse) => string | null

// White space before; the path after its first slash; query and fragment. A second slash would
// make it another host. No deck's path is longer: 1,024 bytes, each of them percent-encoded.
const ROOT_RELATIVE = /^([\0- ]{0,32})\/(?![/\\])([^?#\\\t\r\n]{0,3072})([?#][\s\S]*)?$/

/**
 * Makes root-relative references (`/team.html`) that name a file of the deck relative
 * (`../team.html`), so that they work below any prefix.
 * @param folderDepth how many folders deep the place is that relative references start from
 */
export function createLinkRewriter(deck: Deck, folderDepth: number): LinkRewriter {
  const up = '../'.repeat(folderDepth)
  const folders = foldersOf(deck.paths)

  function target(segments: string[], use: LinkUse): string | null {
    const decoded = decodedPath(segments)
    if (decoded === null) return null
    const path = decoded.normalize('NFC')
    const raw = path === decoded ? segments.join('/') : encodePath(path)
    if (deck.paths.has(path)) return raw
    if (use === 'module') return null
    if (use === 'prefix') return path === '' || folders.has(path) ? raw : null
    if (path === '') return encodePath(deck.entry)
    if (path.endsWith('/')) return deck.paths.has(`${path}index.html`) ? raw : null
    return deck.paths.has(`${path}/index.html`) ? `${raw}/` : null
  }

  return (reference, use) => {
    const parts = ROOT_RELATIVE.exec(reference)
    if (parts === null) return null
    const [, lead = '', path = '', rest = ''] = parts
    const found = target(normalSegments(rest === '' ? path.trimEnd() : path), use)
    if (found === null) return null
    // Without `./` a bare module name, nothing at all, or a scheme (`a:b.html`).
    const needsDot = up === '' && (use !== 'url' || found === '' || /^[^/]*:/.test(found))
    return `${lead}${needsDot ? './' : up}${found}${rest}`
  }
}

/** Every folder that holds something, with its slash. */
function foldersOf(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      folders.add(path.slice(0, at + 1))
    }
  }
  return folders
}

/** Without `.` and `..`, as a URL parser leaves them. */
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

/** @returns null when it cannot name a file: broken encoding, or a slash inside a name */
function decodedPath(segments: readonly string[]): string | null {
  try {
    const names = segments.map(decodeURIComponent)
    return names.some((name) => name.includes('/')) ? null : names.join('/')
  } catch {
    return null
  }
}

/** A path as a URL spells it. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((name) => encodeURIComponent(name).replace(/['()]/g, hexEscape))
    .join('/')
}

/** What `encodeURIComponent` leaves and CSS and scripts do not. */
function hexEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
