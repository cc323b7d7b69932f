import { type Patch, patchText } from './bytes.ts'
import type { RewriteUrl } from './link-lists.ts'

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
    const end = endOfString(css, quoteAt)
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
    else if (match[0].length === 1) tokens.lastIndex = endOfString(css, index) + 1
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
function endOfString(css: string, quoteAt: number): number {
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
