import { type Patch, patchText } from './bytes.ts'

/** Rewrites one URL; null leaves it. */
export type RewriteUrl = (url: string) => string | null

/** `a.png 1x, b.png 2x`, of `srcset` and `imagesrcset`. */
export function rewriteSrcset(value: string, rewrite: RewriteUrl): string {
  const patches: Patch[] = []
  const urlRun = /[\s,]*([^\s]*)/y
  for (let at = 0; at < value.length; ) {
    urlRun.lastIndex = at
    const found = urlRun.exec(value)!
    const token = found[1]!
    let end = urlRun.lastIndex
    const start = end - token.length
    while (end > start && value[end - 1] === ',') end--
    push(patches, value, start, end, rewrite)
    at = end < start + token.length ? start + token.length : endOfDescriptors(value, end)
  }
  return patchText(value, patches)
}

/** After the comma that ends them; a comma inside brackets does not. */
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

/** `5; url=/next.html`, of `<meta http-equiv=refresh>`. */
export function rewriteRefresh(content: string, rewrite: RewriteUrl): string {
  const head = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(?:(["'])|)/i.exec(content)!
  const start = head[0].length
  const quote = head[1]
  const close = quote === undefined ? -1 : content.indexOf(quote, start)
  const patches: Patch[] = []
  push(patches, content, start, close < 0 ? content.length : close, rewrite)
  return patchText(content, patches)
}

/**
 * The strings of an import map, each of which is a module's name, its URL, or the hash of one.
 * Rewritten where they stand, so that the author's own spelling of the rest is kept.
 */
export function rewriteImportMap(json: string, rewrite: RewriteUrl): string {
  const patches: Patch[] = []
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfString(json, start)
    if (end < 0) break
    const next = rewrite(textOfJson(json.slice(start, end)))
    if (next !== null) patches.push({ start, end, text: JSON.stringify(next) })
    start = json.indexOf('"', end)
  }
  return patchText(json, patches)
}

/** @returns after its closing quote, -1 when it has none */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at++
    else if (json[at] === '"') return at + 1
  }
  return -1
}

function textOfJson(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return ''
  }
}

function push(
  patches: Patch[],
  text: string,
  start: number,
  end: number,
  rewrite: RewriteUrl,
): void {
  const next = rewrite(text.slice(start, end))
  if (next !== null) patches.push({ start, end, text: next })
}
