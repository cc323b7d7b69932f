import { type Patch, patchBytes } from './bytes.ts'
import type { HtmlFacts, PreviewSpan } from './scan.ts'
import { escapeAttribute } from './text.ts'

/** The owner's texts for link previews; null keeps the page's own tags. */
interface PreviewText {
  og_title: string | null
  og_description: string | null
}

interface HeadTexts extends PreviewText {
  /** The service's tags. */
  headHtml?: string
}
type HeadFacts = Pick<HtmlFacts, 'head_offset' | 'preview_spans'>

/**
 * Inserts the service's tags and the owner's preview texts at the start of the head. Removes the
 * page's own preview texts that the owner's replace.
 *
 * @param facts of the same bytes
 */
export function insertIntoHead(bytes: Uint8Array, facts: HeadFacts, texts: HeadTexts): Uint8Array {
  return patchBytes(bytes, headPatches(facts, texts))
}

/** What `insertIntoHead` changes. */
export function headPatches(
  facts: HeadFacts,
  { og_title, og_description, headHtml = '' }: HeadTexts,
): Patch[] {
  const values = { title: og_title, description: og_description }
  const text = headHtml + tagsOf('title', og_title) + tagsOf('description', og_description)
  const patches: Patch[] = []
  if (text !== '') patches.push({ start: facts.head_offset, end: facts.head_offset, text })
  for (const { name, start, end } of facts.preview_spans) {
    if (values[name] !== null) patches.push({ start, end, text: '' })
  }
  return patches
}

function tagsOf(name: PreviewSpan['name'], text: string | null): string {
  if (text === null) return ''
  const content = escapeAttribute(text)
  return (
    `<meta property="og:${name}" content="${content}">` +
    `<meta name="twitter:${name}" content="${content}">`
  )
}
