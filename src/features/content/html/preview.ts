import { type Patch, patchBytes } from './bytes.ts'
import type { HtmlFacts } from './scan.ts'
import { escapeAttribute } from './text.ts'

interface HeadTexts {
  /** The owner's texts for link previews; null keeps the page's own tags. */
  og_title: string | null
  og_description: string | null
  /** The service's tags. */
  headHtml?: string
  /** The address of a picture, for a page that names none; null for no picture. */
  image?: string | null
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
  { og_title, og_description, headHtml = '', image = null }: HeadTexts,
): Patch[] {
  const values = { title: og_title, description: og_description }
  const texts = tagsOf('title', og_title) + tagsOf('description', og_description)
  const hasImage = facts.preview_spans.some(({ name }) => name === 'image')
  const text = headHtml + texts + (image === null || hasImage ? '' : imageTags(image))
  const patches: Patch[] = []
  if (text !== '') patches.push({ start: facts.head_offset, end: facts.head_offset, text })
  for (const { name, start, end } of facts.preview_spans) {
    if (name !== 'image' && values[name] !== null) patches.push({ start, end, text: '' })
  }
  return patches
}

function imageTags(url: string): string {
  const card = '<meta name="twitter:card" content="summary_large_image">'
  return `<meta property="og:image" content="${escapeAttribute(url)}">${card}`
}

function tagsOf(name: 'title' | 'description', text: string | null): string {
  if (text === null) return ''
  const content = escapeAttribute(text)
  return (
    `<meta property="og:${name}" content="${content}">` +
    `<meta name="twitter:${name}" content="${content}">`
  )
}
