import { refuse } from '../../../model/errors.ts'

const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255
const MAX_DEPTH = 16

/**
 * Normalises a path in a deck and checks it. It is part of a URL and never a path on a disk.
 * @param param the parameter with the path, for the refusal
 * @throws Refusal `bad_path`
 */
export function checkDeckPath(path: string, param: string): string {
  const name = path.replace(/^\.\//, '').normalize('NFC')
  const why = whyBad(name)
  if (why === null) return name
  const details = { param, path: shortened(path) }
  throw refuse.invalid('bad_path', `The path ${quoted(path)} ${why}.`, details)
}

function whyBad(path: string): string | null {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'is not valid Unicode'
  if (/[\0-\x1f\x7f-\x9f]/.test(path)) return 'contains a control character'
  if (path.includes('\\')) return 'contains a backslash: folders are separated by /'
  if (path.startsWith('/')) return 'starts with /: paths are relative to the deck'
  if (path.startsWith('~')) return 'starts with ~, which is reserved for the service'
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`
  const segments = path.split('/')
  if (segments.length > MAX_DEPTH) return `is deeper than ${MAX_DEPTH} levels`
  for (const segment of segments) {
    if (segment === '') return 'has an empty part: one / between names, and none at the end'
    if (segment === '.' || segment === '..') return 'contains . or .., which is not allowed'
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      return `has a part longer than ${MAX_SEGMENT_BYTES} bytes`
    }
  }
  return null
}

/**
 * Refuses paths that differ only by case, and a file whose path is a folder of another: they could
 * not all be unpacked to a disk.
 * @param paths as `checkDeckPath` returns them
 * @param paramOf the parameter with the path of this index
 * @throws Refusal `duplicate_path`, `bad_path`
 */
export function assertDistinctPaths(
  paths: readonly string[],
  paramOf: (index: number) => string,
): void {
  const seen = new Map<string, string>()
  for (const [index, path] of paths.entries()) {
    const key = folded(path)
    const twin = seen.get(key)
    if (twin !== undefined) {
      const details = { param: paramOf(index), path }
      throw refuse.invalid('duplicate_path', duplicateText(path, twin), details)
    }
    seen.set(key, path)
  }
  for (const [index, path] of paths.entries()) {
    const key = folded(path)
    for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) {
      const file = seen.get(key.slice(0, at))
      if (file === undefined) continue
      const message = `${quoted(file)} cannot be a file and the folder of ${quoted(path)}.`
      throw refuse.invalid('bad_path', message, { param: paramOf(index), path })
    }
  }
}

function duplicateText(path: string, twin: string): string {
  if (path === twin) return `The path ${quoted(path)} is given twice.`
  return `The paths ${quoted(twin)} and ${quoted(path)} differ only by case.`
}

/** Upper and then lower case makes `ß` and `SS` equal, which neither does alone. */
function folded(path: string): string {
  return path.toUpperCase().toLowerCase().normalize('NFC')
}

/** The default entry of a deck: index.html, else the first page with the fewest folders. */
export function defaultEntry(htmlPaths: readonly string[]): string {
  if (htmlPaths.includes('index.html')) return 'index.html'
  const depth = (path: string) => path.split('/').length
  return htmlPaths.reduce((best, path) => (depth(path) < depth(best) ? path : best))
}

export function isHtmlPath(path: string): boolean {
  return /\.html?$/i.test(path)
}

/** A name for a message: quoted, on one line and not too long. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name))
}

function shortened(name: string): string {
  return name.length <= 100 ? name.toWellFormed() : `${name.slice(0, 100).toWellFormed()}…`
}
