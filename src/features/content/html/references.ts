import { isUtf8 } from 'node:buffer'
import { bufferOf } from './bytes.ts'
import { rewriteCss } from './css-links.ts'
import { createLinkRewriter, type Deck, type LinkRewriter } from './deck-links.ts'
import { rewriteHtml } from './html-links.ts'
import { depthOf, linksOfScript, rewriteScript } from './script-links.ts'

export type { Deck } from './deck-links.ts'

interface DeckFile {
  path: string
  mime: string
  bytes: Uint8Array
}

/**
 * Makes root-relative references of a file to other files of its deck relative, so that the deck
 * works below any prefix. Every other byte stays.
 * @returns the same object where nothing changes
 */
export function rewriteReferences({ path, mime, bytes }: DeckFile, deck: Deck): Uint8Array {
  if (mime.startsWith('text/html')) return rewriteHtml(path, bytes, deck)
  const isCss = mime.startsWith('text/css')
  if ((!isCss && !mime.startsWith('text/javascript')) || !isUtf8(bytes)) return bytes
  const text = bufferOf(bytes).toString()
  const next = isCss
    ? rewriteStyle(text, createLinkRewriter(deck, depthOf(path)))
    : rewriteScript(text, linksOfScript(path, text, deck))
  return next === text ? bytes : Buffer.from(next)
}

function rewriteStyle(text: string, link: LinkRewriter): string {
  return rewriteCss(text, (url) => link(url, 'url'))
}
