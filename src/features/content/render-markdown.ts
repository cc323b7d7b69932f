import { refuse } from '../../model/errors.ts'
import { sha256 } from '../../platform/secrets.ts'

export interface MarkdownFile {
  /** UTF-8. */
  bytes: Uint8Array
  path: string
  /** In a deck, the HTML file of each of its files of Markdown. */
  pages?: ReadonlyMap<string, string>
}

interface RenderedMarkdown {
  /** The given bytes, which were moved to where the work is done. */
  given: Uint8Array
  bytes: Uint8Array
  hash: string
}

/** @throws Refusal `invalid_markdown` */
export async function renderMarkdownFile(file: MarkdownFile): Promise<RenderedMarkdown> {
  // Loaded when there is Markdown: nothing else needs it.
  const { renderMarkdown } = await import('../../model/markdown/render.ts')
  const text = new TextDecoder().decode(file.bytes)
  try {
    const bytes = new TextEncoder().encode(await renderMarkdown({ ...file, text }))
    return { given: file.bytes, bytes, hash: sha256(bytes) }
  } catch (err) {
    if (!(err instanceof RangeError)) throw err
    const message = 'The Markdown is nested too deep, or takes too long to render: simplify it.'
    throw refuse.invalid('invalid_markdown', message)
  }
}
