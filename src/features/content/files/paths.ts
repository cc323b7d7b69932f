import { refuse } from '../../../model/errors.ts'
import { isOfService, percentDecoded } from '../../../model/page-name.ts'

const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255
const MAX_FOLDERS = 30

/** A path in the form in which decks have it: without a leading `./`, and in NFC. */
export function normalPath(path: string): string {
  return path.replace(/^\.\//, '').normalize('NFC')
}

/**
 * Normalises a path in a deck and checks it. It is part of a URL and never a path on a disk.
 * @param param the parameter with the path, for the refusal
 * @throws Refusal `bad_path`
 */
export function checkDeckPath(path: string, param: string): string {
  const name = normalPath(path)
  const why = whyBad(name) ?? whyNotKept(name)
  if (why === null) return name
  const details = { param, path: shortened(path) }
  throw refuse.invalid('bad_path', `The path ${quoted(path)} ${why}.`, details)
}

function whyBad(path: string): string | null {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'is not valid Unicode'
  if (path.includes('\\')) return 'contains a backslash: folders are separated by /'
  if (path.startsWith('/')) return 'starts with /: paths are relative to the deck'
  for (const segment of path.split('/')) {
    if (segment === '') return 'has an empty part: one / between names, and none at the end'
    if (segment === '.' || segment === '..') return 'contains . or .., which is not allowed'
  }
  return null
}

/** Why a file cannot be kept in a deck, though its path is a good one; null if it can. */
export function whyNotKept(path: string): string | null {
  const name = normalPath(path)
  if (whyBad(name) !== null) return null
  if (/[\0-\x1f\x7f-\x9f]/.test(name)) return 'contains a control character'
  if (isOfService(name)) return 'starts with ~, which is reserved for the service'
  if (Buffer.byteLength(name) > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`
  const segments = name.split('/')
  if (segments.length > MAX_FOLDERS + 1) return `is in more than ${MAX_FOLDERS} folders`
  const isLong = segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
  return isLong ? `has a part longer than ${MAX_SEGMENT_BYTES} bytes` : null
}

/**
 * Refuses a path that is given twice, and a file whose path is a folder of another.
 * @param paths as `checkDeckPath` returns them
 * @param paramOf the parameter with the path of this index
 * @throws Refusal `duplicate_path`, `bad_path`
 */
export function assertDistinctPaths(
  paths: readonly string[],
  paramOf: (index: number) => string,
): void {
  const uniquePaths = new Set<string>()
  for (const [index, path] of paths.entries()) {
    if (uniquePaths.has(path)) {
      const message = `The path ${quoted(path)} is given twice.`
      throw refuse.invalid('duplicate_path', message, { param: paramOf(index), path })
    }
    uniquePaths.add(path)
  }
  for (const [index, path] of paths.entries()) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const file = path.slice(0, at)
      if (!uniquePaths.has(file)) continue
      const message = `${quoted(file)} cannot be a file and the folder of ${quoted(path)}.`
      throw refuse.invalid('bad_path', message, { param: paramOf(index), path })
    }
  }
}

export function isHtmlPath(path: string): boolean {
  return /\.html?$/i.test(path)
}

/** A path of an address without its escapes, as decks have it; unchanged if they are malformed. */
export function decodedPath(path: string): string {
  return percentDecoded(path)?.normalize('NFC') ?? path
}

/** A name for a message: quoted, on one line and not too long. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name))
}

export function shortened(name: string): string {
  return name.length <= 100 ? name.toWellFormed() : `${name.slice(0, 100).toWellFormed()}…`
}
