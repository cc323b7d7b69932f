import { type ElementNode, streamHtmlToMarkdown, type TransformPlugin } from '@mdream/js'
import { visibleMarkdown } from '../../model/markdown/source.ts'
import { sha256 } from '../../platform/ids.ts'

export interface HtmlToConvert {
  /** UTF-8. */
  bytes: Uint8Array
  title: string | null
  /** Where the HTML is, for its relative links. */
  url: string
  /** The Markdown that it is made of, with its path, and the pages of its deck by theirs. */
  source?: { bytes: Uint8Array; path: string; pages: ReadonlyMap<string, string> }
}

export interface ConvertedHtml {
  markdown: Uint8Array<ArrayBuffer>
  /** The SHA-256 of the Markdown, in hex. */
  hash: string
}

/** Addresses become absolute, so the Markdown can be much longer than its HTML. */
const MAX_MARKDOWN_BYTES = 8 * 1024 * 1024
/** The length is checked after each. Smaller ones take longer: a text is read again in each. */
const PIECE_BYTES = 512 * 1024
/** Other schemes lead nowhere for a reader, like `javascript:`, or hold a whole file: `data:`. */
const LINKED = /^(?:https?|mailto|tel):/

/**
 * The Markdown of HTML, below front matter with its title and address: that which it is made of,
 * where this has no more than the page shows, else converted.
 *
 * @returns null where the Markdown would be too long
 */
export async function markdownOf(html: HtmlToConvert): Promise<ConvertedHtml | null> {
  const { source } = html
  const own = source && visibleMarkdown(new TextDecoder().decode(source.bytes), source)
  const pieces = own ? [Buffer.from(own)] : await convertHtml(html)
  if (pieces === null) return null
  const all = Buffer.concat([Buffer.from(frontMatter(html)), ...pieces])
  const markdown = new Uint8Array(all)
  return { markdown, hash: sha256(markdown) }
}

/**
 * Converts HTML to GitHub's Markdown. No tree is
 * made: 5 MB of nested tags take 0.2 s, and 5 MB of brackets 1.5 s and 600 MB.
 *
 * @returns null where the Markdown would be too long
 */
async function convertHtml(html: HtmlToConvert): Promise<Uint8Array[] | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  const hooks = [withAbsoluteUrls(html.url)]
  for await (const text of streamHtmlToMarkdown(streamed(html.bytes), { hooks })) {
    const piece = Buffer.from(text)
    length += piece.byteLength
    if (length > MAX_MARKDOWN_BYTES) return null
    pieces.push(piece)
  }
  return [...pieces, Buffer.from('\n')]
}

/** JSON is YAML, too. */
function frontMatter({ title, url }: HtmlToConvert): string {
  const lines = title === null ? [] : [`title: ${JSON.stringify(title)}`]
  return ['---', ...lines, `url: ${JSON.stringify(url)}`, '---', '', ''].join('\n')
}

/** The title is in the front matter. */
function withAbsoluteUrls(url: string): TransformPlugin {
  let base = url

  function makeAbsolute({ attributes }: ElementNode, name: 'href' | 'src'): void {
    const address = attributes[name]
    if (address === undefined) return
    const { href = '' } = URL.parse(address, base) ?? {}
    if (LINKED.test(href)) attributes[name] = href
    else delete attributes[name]
  }
  return {
    processAttributes(node) {
      makeAbsolute(node, 'href')
      makeAbsolute(node, 'src')
      if (node.name === 'base') base = node.attributes.href ?? base
    },
    processTextNode: ({ parent }) =>
      parent?.name === 'title' ? { content: '', skip: true } : undefined,
  }
}

function streamed(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES))
      at += PIECE_BYTES
      if (at >= bytes.byteLength) controller.close()
    },
  })
}
