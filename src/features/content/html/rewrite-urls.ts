import { parseJson } from '../../../model/parse-json.ts'
import { type Patch, patchText } from './bytes.ts'

/**
 * @param at where the URL starts in the text
 * @returns the new URL; null where it stays
 */
export type RewriteUrl = (url: string, at: number) => string | null

/** Rewrites the URLs of a `srcset`, such as `a.png 1x, b.png 2x`. */
export function rewriteSrcset(value: string, rewrite: RewriteUrl): string {
  const patches: Patch[] = []
  const urlRun = /[\s,]*([^\s]*)/y
  for (let at = 0; at < value.length; ) {
    urlRun.lastIndex = at
    const match = urlRun.exec(value)!
    const token = match[1]!
    let end = urlRun.lastIndex
    const start = end - token.length
    while (end > start && value[end - 1] === ',') end--
    patches.push(...rewritten(value, { start, end }, rewrite))
    at = end < start + token.length ? start + token.length : endOfDescriptors(value, end)
  }
  return patchText(value, patches)
}

/** @returns the place after the comma that ends the descriptors; one in brackets does not */
function endOfDescriptors(value: string, from: number): number {
  let isInside = false
  for (let at = from; at < value.length; at++) {
    const char = value[at]
    if (char === '(') isInside = true
    else if (char === ')') isInside = false
    else if (char === ',' && !isInside) return at + 1
  }
  return value.length
}

/** Rewrites the URL of a `<meta http-equiv=refresh>`, such as `5; url=/next.html`. */
export function rewriteRefresh(content: string, rewrite: RewriteUrl): string {
  const head = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(?:(["'])|)/i.exec(content)!
  const start = head[0].length
  const quote = head[1]
  const close = quote === undefined ? -1 : content.indexOf(quote, start)
  const end = close < 0 ? content.length : close
  return patchText(content, rewritten(content, { start, end }, rewrite))
}

/**
 * Rewrites the strings of an import map: names of modules, their URLs, and hashes, which stay.
 * Replaces each string in place, so that the rest keeps its bytes.
 */
export function rewriteImportMap(json: string, rewrite: RewriteUrl): string {
  return json.replace(JSON_STRING, (literal, start: number) => {
    const next = rewrite(String(parseJson(literal) ?? ''), start)
    return next === null ? literal : JSON.stringify(next)
  })
}

/** One that is not closed has all the rest. */
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs

/** @returns the patch of one URL, or none where it stays */
function rewritten(
  text: string,
  { start, end }: { start: number; end: number },
  rewrite: RewriteUrl,
): Patch[] {
  const next = rewrite(text.slice(start, end), start)
  return next === null ? [] : [{ start, end, text: next }]
}

/** Rewrites the URLs of `url(…)` and `@import '…'`. A URL with escapes stays as it is. */
export function rewriteCss(css: string, rewrite: RewriteUrl): string {
  if (!/url\(|@import/i.test(css)) return css
  const patches: Patch[] = []

  function replace(start: number, end: number) {
    const url = css.slice(start, end)
    const next = url.includes('\\') ? null : rewrite(url, start)
    if (next !== null) patches.push({ start, end, text: next })
  }
  /** @returns the place after the string */
  function readString(quoteAt: number): number {
    const end = endOfCssString(css, quoteAt)
    if (css[end] === css[quoteAt]) replace(quoteAt + 1, end)
    return end + 1
  }
  /** @returns the place after the URL, before the closing bracket */
  function readUrl(from: number): number {
    const start = endOfSpace(css, from)
    if (css[start] === '"' || css[start] === "'") return readString(start)
    const close = css.indexOf(')', start)
    const end = close < 0 ? css.length : close
    const url = css.slice(start, end).trimEnd()
    if (close >= 0 && !/[\s"'(]/.test(url)) replace(start, start + url.length)
    return end
  }

  const tokens = /\/\*|["']|(?<![\w\x80-\uffff-])url\(|@import(?![\w-])/gi
  for (let match = tokens.exec(css); match !== null; match = tokens.exec(css)) {
    const { index } = match
    const after = tokens.lastIndex
    if (match[0] === '/*') tokens.lastIndex = endOfComment(css, after)
    else if (match[0].length === 1) tokens.lastIndex = endOfCssString(css, index) + 1
    else if (match[0].startsWith('@')) tokens.lastIndex = afterImport(css, after, readString)
    else tokens.lastIndex = readUrl(after)
  }
  return patchText(css, patches)
}

/** A string after `@import` is a URL; `url(` is a token of its own. */
function afterImport(css: string, after: number, readString: (at: number) => number): number {
  const at = endOfSpace(css, after)
  return css[at] === '"' || css[at] === "'" ? readString(at) : at
}

/** @returns the place of the closing quote, or else of the end of the line or of the text */
function endOfCssString(css: string, quoteAt: number): number {
  for (let at = quoteAt + 1; at < css.length; at++) {
    const char = css[at]
    if (char === '\\') at++
    else if (char === css[quoteAt] || char === '\n') return at
  }
  return css.length
}

function endOfComment(css: string, from: number): number {
  const end = css.indexOf('*/', from)
  return end < 0 ? css.length : end + 2
}

function endOfSpace(css: string, from: number): number {
  let at = from
  while (at < css.length && /\s/.test(css[at]!)) at++
  return at
}
