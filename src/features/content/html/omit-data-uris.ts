/** A data: URI of this many characters is left out of what is read. */
const ELIDED_CHARS = 1000

export interface OmittedDataUris {
  count: number
  chars: number
}

/** The page without the bulk of what is inlined: each long data: URI becomes a placeholder. */
export function omitDataUris(html: string): { html: string; elided: OmittedDataUris } {
  const parts: string[] = []
  const elided = { count: 0, chars: 0 }
  const findEnd = createEndFinder(html)
  let kept = 0
  let inCode = false
  // Script and style are told apart by their tags alone: it decides only what a backslash means.
  const candidates = /data:|<(\/?)(?:script|style)\b/gi
  for (let found = candidates.exec(html); found !== null; found = candidates.exec(html)) {
    if (found[1] !== undefined) {
      inCode = found[1] === ''
      continue
    }
    const start = found.index
    const end = findEnd(start, inCode)
    if (end === null) continue
    candidates.lastIndex = end
    const chars = end - start
    if (chars < ELIDED_CHARS) continue
    parts.push(html.slice(kept, start), `ELIDED-BY-SERVICE-${chars}-CHARS`)
    kept = end
    elided.count++
    elided.chars += chars
  }
  return { html: parts.join('') + html.slice(kept), elided }
}

export function containsPlaceholder(html: string): boolean {
  return /ELIDED-BY-SERVICE-[0-9]{1,15}-CHARS/.test(html)
}

// Through the comma. Without the list of types, `{data:a/b,…` in a script would be one.
const TYPES = 'application|audio|chemical|example|font|image|message|model|multipart|text|video|x-'
const HEADER = new RegExp(`data:(?:(?:${TYPES}|;)[^\\s,"'\x60()<>]{1,250})?,`, 'iy')
const BASE64 = /[A-Za-z0-9+/=_%\s\\-]*/y
const BASE64_UNBROKEN = /[A-Za-z0-9+/=_%\\-]*/y
const BASE64_ESCAPED = /&#(?:x2b|x2f|x3d|43|47|61);/iy
const BARE = /[^\s"'`<>]*/y

/**
 * What opened a data: URI decides what ends it: a quote, escaped or not, the same quote; `(` the
 * next `)`; anything else white space, a quote or an angle. So a URI may hold what its own quote
 * allows, such as an SVG that was not encoded.
 *
 * Every search goes on from the end of the one before it, and one that found nothing is not made
 * again: the whole is linear.
 */
function createEndFinder(html: string) {
  const absent = new Set<string>()

  /** @returns the end of the URI that starts there; null when none does */
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
 * @returns the quote, as written, or `(` that opened the URI; '' for one that stands bare; null
 * where a URI cannot start
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

/** Base64 ends at what is no base64. */
function endOfBase64(html: string, from: number, mayBreak: boolean): number {
  const run = mayBreak ? BASE64 : BASE64_UNBROKEN
  let at = from
  for (;;) {
    at = endOfRun(run, html, at)
    const next = endOfRun(BASE64_ESCAPED, html, at)
    if (next === at) break
    at = next
  }
  // A backslash there belongs to an escaped quote, white space to what comes after.
  while (at > from && /[\s\\]/.test(html[at - 1]!)) at--
  return at
}

/** In a srcset a comma at the end is the list's. */
function endOfBare(html: string, from: number): number {
  let at = endOfRun(BARE, html, from)
  while (at > from && html[at - 1] === ',') at--
  return at
}

function endOfRun(run: RegExp, html: string, from: number): number {
  run.lastIndex = from
  return run.test(html) ? run.lastIndex : from
}

/** An odd number of backslashes before it. */
function isEscaped(html: string, at: number, from: number): boolean {
  let before = at
  while (before > from && html[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}
