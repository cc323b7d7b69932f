/** The script that draws the diagrams of a page. The server has it; no other page loads it. */
export const MERMAID_PATH = '/~/mermaid.js'
/** Beyond this, rendering would take too long. A book has a tenth of it. */
export const MAX_MARKDOWN_BYTES = 2 * 1024 * 1024

export function isMarkdownName(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path)
}

/** The path in the deck that a reference of a file means; null for another host or scheme. */
export function pathInDeck(reference: string, from: string): string | null {
  const base = `http://deck.invalid/${from.split('/').map(encodeURIComponent).join('/')}`
  const url = URL.canParse(reference, base) ? new URL(reference, base) : null
  if (url?.host !== 'deck.invalid') return null
  try {
    return decodeURIComponent(url.pathname.slice(1))
  } catch {
    return null
  }
}
