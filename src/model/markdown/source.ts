import { percentDecoded } from '../page-name.ts'

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
  return url?.host === 'deck.invalid' ? percentDecoded(url.pathname.slice(1)) : null
}

/** The page of another file of Markdown, where a link of a file leads there; null elsewhere. */
export function linkToPage(
  link: string,
  { pages, path }: { pages: ReadonlyMap<string, string>; path: string },
): string | null {
  const page = link === '' ? undefined : pages.get(pathInDeck(link, path) ?? '')
  if (page === undefined) return null
  const file = encodeURI(page.slice(page.lastIndexOf('/') + 1))
  return link.slice(0, link.lastIndexOf('/') + 1) + file
}

/** Tools put settings before the text, between two lines of dashes. */
export function withoutFrontMatter(markdown: string): { text: string; title: string | null } {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(markdown)
  if (match === null) return { text: markdown, title: null }
  const title = /^title:\s*(.+)$/m
    .exec(match[1]!)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  return { text: markdown.slice(match[0].length), title: title || null }
}

/** Comments and other markup that no page shows. */
const HIDDEN = /<(?:[!?]|script\b|style\b|template\b)/i
const DEFINITION = /^[ \t>*+\-\d.)]*\[((?:\\.|[^[\]\\])+)\]:/gms
const REFERENCE = /\[((?:\\.|[^[\]\\])+)\](?!:)/gs

/**
 * The text that its page shows, for visitors: without front matter, and with links to pages.
 *
 * @returns null where it may have more than that: markup that is not shown, or definitions that
 *   nothing refers to, which serve as comments
 */
export function visibleMarkdown(
  markdown: string,
  deck: { pages: ReadonlyMap<string, string>; path: string },
): string | null {
  const { text } = withoutFrontMatter(markdown)
  const labels = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, label]) => label!.trim().replace(/\s+/g, ' ').toLowerCase())
  const definitions = labels(DEFINITION)
  const firsts = new Map(definitions.map((label, at) => [label, at] as const).reverse())
  const references = new Set(definitions.length > 0 ? labels(REFERENCE) : [])
  const isUnused = (label: string, at: number) => !references.has(label) || firsts.get(label) !== at
  if (HIDDEN.test(text) || definitions.some(isUnused)) return null
  return text.replace(LINK, (all, start: string, link: string) => {
    const page = linkToPage(link, deck)
    return page === null ? all : start + page
  })
}
const LINK = /(\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:\s*<?)([^\s()<>?#]+\.(?:md|markdown))/gim
