/** data: URIs of this many characters and more are left out. */
const MIN_CHARS = 1000

/** Where a long data: URI starts and ends. */
export type UriRange = readonly [start: number, end: number]

export function countUris(uris: readonly UriRange[]) {
  const chars = uris.reduce((sum, [start, end]) => sum + end - start, 0)
  return { count: uris.length, chars }
}

/**
 * A part of the HTML, all unless told, with placeholders for the URIs that start in it. Of others,
 * it leaves out what is in it.
 *
 * @param uris in their order; none before the one at `first` reaches into the part
 * @param offset where the part starts in the HTML, to which the ranges belong
 */
export function withoutUris(
  part: string,
  uris: readonly UriRange[],
  { offset, first } = { offset: 0, first: 0 },
): string {
  const parts: string[] = []
  let copied = 0
  for (let at = first; at < uris.length; at++) {
    const [start, end] = uris[at]!
    if (start >= offset + part.length) break
    if (start >= offset) {
      parts.push(part.slice(copied, start - offset), `ELIDED-BY-SERVICE-${end - start}-CHARS`)
    }
    copied = end - offset
  }
  return parts.join('') + part.slice(copied)
}

export function findLongDataUris(html: string): UriRange[] {
  const uris: UriRange[] = []
  const findEnd = createEndFinder(html)
  let inCode = false
  // Only tags decide what is a script or a style, which affects only the meaning of a backslash.
  const candidates = /data:|<(\/?)(?:script|style)\b/gi
  for (let match = candidates.exec(html); match !== null; match = candidates.exec(html)) {
    if (match[1] !== undefined) {
      inCode = match[1] === ''
      continue
    }
    const start = match.index
    const end = findEnd(start, inCode)
    if (end === null) continue
    candidates.lastIndex = end
    if (end - start >= MIN_CHARS) uris.push([start, end])
  }
  return uris
}

export function containsPlaceholder(html: string): boolean {
  return PLACEHOLDER.test(html)
}

/** The same for bytes, without a copy of them as text. */
export function hasPlaceholder(html: Buffer): boolean {
  let at = html.indexOf(PLACEHOLDER_START)
  for (; at >= 0; at = html.indexOf(PLACEHOLDER_START, at + 1)) {
    if (PLACEHOLDER.test(html.toString('latin1', at, at + MAX_PLACEHOLDER_CHARS))) return true
  }
  return false
}

const PLACEHOLDER_START = 'ELIDED-BY-SERVICE-'
const PLACEHOLDER = /ELIDED-BY-SERVICE-[0-9]{1,15}-CHARS/
const MAX_PLACEHOLDER_CHARS = PLACEHOLDER_START.length + 15 + '-CHARS'.length

// To the comma. The list of types excludes `{data:a/b,…` in a script.
const TYPES = 'application|audio|chemical|example|font|image|message|model|multipart|text|video|x-'
const HEADER = new RegExp(`data:(?:(?:${TYPES}|;)[^\\s,"'\x60()<>]{1,250})?,`, 'iy')
const BASE64 = /[A-Za-z0-9+/=_%\s\\-]*/y
const BASE64_UNBROKEN = /[A-Za-z0-9+/=_%\\-]*/y
const BASE64_ESCAPED = /&#(?:x2b|x2f|x3d|43|47|61);/iy
const BARE = /[^\s"'`<>]*/y

/**
 * What is before a data: URI decides what ends it: a quote, escaped or not, ends with the same
 * quote, `(` with the next `)`, and anything else with white space, a quote or an angle bracket. So
 * a URI may contain all that its own quote allows, such as an SVG that was not encoded.
 *
 * Each search continues from the end of the one before, and a search that found nothing is not
 * repeated, so that all searches together take linear time.
 */
function createEndFinder(html: string) {
  const absent = new Set<string>()

  /** @returns the end of the URI that starts there; null where none starts */
  return (start: number, inCode: boolean): number | null => {
    const opener = openerOf(html, start, inCode)
    if (opener === null) return null
    HEADER.lastIndex = start
    const header = HEADER.exec(html)?.[0]
    if (header === undefined) return null
    const body = start + header.length
    if (/;\s*base64,$/i.test(header)) return endOfBase64(html, body, opener !== '')
    const closer = opener === '' ? -1 : indexOfCloser(opener, body, inCode)
    return closer >= 0 ? closer : endOfBare(html, body)
  }

  function indexOfCloser(opener: string, from: number, inCode: boolean): number {
    const closer = opener === '(' ? ')' : opener
    const escapable = inCode && closer.length === 1
    const key = escapable ? `\\${closer}` : closer
    if (absent.has(key)) return -1
    let at = html.indexOf(closer, from)
    while (escapable && at >= 0 && isEscaped(html, at, from)) at = html.indexOf(closer, at + 1)
    if (at < 0) absent.add(key)
    return at
  }
}

const QUOTE_REFERENCE = /&(?:quot|apos|#34|#39|#x22|#x27);$/i

/**
 * @returns the quote, as written, or `(` before the URI; '' where it has neither; null where a URI
 * cannot start
 */
function openerOf(html: string, start: number, inCode: boolean): string | null {
  let at = start - 1
  while (at >= 0 && start - at < 32 && /\s/.test(html[at]!)) at--
  const char = html[at] ?? ' '
  if (char === '"' || char === "'" || char === '`') {
    if (/srcset\s{0,8}=\s{0,8}$/i.test(html.slice(Math.max(0, at - 32), at))) return ''
    return inCode && html[at - 1] === '\\' ? `\\${char}` : char
  }
  if (char === '(') return char
  const reference = char === ';' && QUOTE_REFERENCE.exec(html.slice(Math.max(0, at - 6), at + 1))
  if (reference) return reference[0]
  return at < start - 1 || /[\s=,>]/.test(char) ? '' : null
}

/** @returns the end of the base64 characters */
function endOfBase64(html: string, from: number, mayBreak: boolean): number {
  const run = mayBreak ? BASE64 : BASE64_UNBROKEN
  let at = from
  for (;;) {
    at = endOfRun(run, html, at)
    const next = endOfRun(BASE64_ESCAPED, html, at)
    if (next === at) break
    at = next
  }
  // A backslash at the end belongs to an escaped quote, white space to what follows.
  while (at > from && /[\s\\]/.test(html[at - 1]!)) at--
  return at
}

/** @returns the end of a URI without quotes; a comma at its end belongs to the srcset */
function endOfBare(html: string, from: number): number {
  let at = endOfRun(BARE, html, from)
  while (at > from && html[at - 1] === ',') at--
  return at
}

function endOfRun(run: RegExp, html: string, from: number): number {
  run.lastIndex = from
  return run.test(html) ? run.lastIndex : from
}

/** Whether an odd number of backslashes is before it. */
function isEscaped(html: string, at: number, from: number): boolean {
  let before = at
  while (before > from && html[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

const SLICE_CHARS = 64 * 1024

/** The HTML as a string of JSON, piece by piece, without the data: URIs of these ranges. */
export async function* htmlJson(
  pieces: AsyncIterable<Uint8Array>,
  uris: readonly UriRange[],
): AsyncGenerator<string> {
  // Keeps a byte order mark, which is part of the content.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const next = quoter(uris)
  yield '"'
  for await (const piece of pieces) yield next(utf8.decode(piece, { stream: true }))
  yield `${next(utf8.decode())}"`
}

/** How many bytes `htmlJson` makes, without making all of them at once. */
export function sizeOfHtmlJson(html: string, uris: readonly UriRange[]): number {
  const next = quoter(uris)
  let sizeBytes = 2
  for (let at = 0; at < html.length; ) {
    // The two halves of a character belong together.
    const isHalf = /[\ud800-\udbff]/.test(html[at + SLICE_CHARS - 1] ?? '')
    const end = at + SLICE_CHARS + (isHalf ? 1 : 0)
    sizeBytes += Buffer.byteLength(next(html.slice(at, end)))
    at = end
  }
  return sizeBytes
}

/** @returns what to call with the parts of the HTML, in their order */
function quoter(uris: readonly UriRange[]): (part: string) => string {
  let [offset, first] = [0, 0]
  return (part) => {
    const text = withoutUris(part, uris, { offset, first })
    offset += part.length
    while (first < uris.length && uris[first]![1] <= offset) first++
    return JSON.stringify(text).slice(1, -1)
  }
}
