import type { AnchorNow, AuthorKind } from '../../src/model/comment.ts'
import type { AnchorElement } from '../../src/model/passage.ts'

/** What is known of who wrote a comment. A name without such a mark beside it says nothing. */
export const AUTHOR_MARKS: Record<AuthorKind, Mark> = {
  owner: { text: 'Owner', title: 'Owns this page' },
  confirmed: { text: 'Confirmed', title: 'Confirmed an email address' },
  anonymous: { text: 'Not confirmed', title: 'Gave this name, or none, and confirmed no address' },
  imported: { text: 'Imported', title: 'Known to the server that this page came from' },
}

/** The members of an anchor that say in words what it is about. */
interface Described {
  quote?: string | undefined
  sheet?: number | undefined
  element: AnchorElement | null
}

/** A comment as its readers see it: what the dashboard and the panel have in common. */
export interface CommentData {
  id: string
  /** Null where the text was deleted or hidden. */
  author: { kind: AuthorKind; name: string | null; email?: string | null } | null
  body: string
  path: string
  version_no: number
  anchor: Described | null
  anchor_state: string | null
  anchor_now: AnchorNow | null
  state: string
  addressed_in: number | null
  created_at: string
  edited_at: string | null
  is_hidden?: boolean
}
export interface ThreadData extends CommentData {
  replies: CommentData[]
}

export interface CommentChange {
  state?: 'open' | 'resolved'
  is_hidden?: boolean
}

/** What people call an element. */
const NAMES: Record<string, string> = {
  ...{ img: 'image', svg: 'drawing', canvas: 'drawing', iframe: 'embedded page', a: 'link' },
  ...{ p: 'paragraph', li: 'list item', td: 'cell', th: 'cell', pre: 'text', blockquote: 'quote' },
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
  ...{ input: 'field', textarea: 'field', select: 'field', div: 'part', span: 'text' },
}

/** What a comment is about, in words. */
export function wordsOf({ quote, sheet, element }: Described): string {
  if (quote?.trim()) return quote.trim()
  if (sheet !== undefined) return `A spot on page ${sheet}`
  if (element === null) return 'A spot on the image'
  const { tag, text } = element
  return `The ${NAMES[tag] ?? tag} ${text}`.trim()
}

/** Why an outdated comment has no place in the page that is shown. */
export const WHY_OUTDATED: Record<AnchorNow['reason'], string> = {
  changed: 'The text has changed here.',
  file_gone: 'Its file is no longer in the page.',
  unplaced: 'Its place in this version is not certain.',
}

/** Where the dashboard, whose addresses begin with `/app`, compares a version with the live one. */
export function comparisonOf(pageId: string, versionNo: number): string {
  return `/pages/${pageId}/versions?from=${versionNo}`
}

interface Mark {
  text: string
  title: string
}

/** Whether addresses in what they wrote are links: those of strangers are text. */
export function writesLinks(kind: AuthorKind): boolean {
  return kind === 'owner' || kind === 'confirmed'
}
