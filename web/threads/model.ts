import type { ViewersReply } from '../../src/features/comments/contract.ts'
import type { AnchorNow, AuthorKind } from '../../src/model/comment.ts'
import type { Mark, SpotMark } from '../shell/frame-message.ts'

/** What is known of who wrote a comment. A name without such a mark beside it says nothing. */
export const AUTHOR_MARKS: Record<AuthorKind, Record<'text' | 'title', string>> = {
  owner: { text: 'Owner', title: 'Owns this page' },
  confirmed: { text: 'Confirmed', title: 'Confirmed an email address' },
  anonymous: { text: 'Not confirmed', title: 'Gave this name, or none, and confirmed no address' },
  imported: { text: 'Imported', title: 'Known to the server that this page came from' },
}

/** A comment as its readers see it: what the dashboard and the panel have in common. */
export interface CommentData extends Omit<ViewersReply, 'author' | 'placeholder'> {
  /** Null where the text was deleted or hidden. */
  author: { kind: AuthorKind; name: string | null; email?: string | null } | null
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

type Described = Pick<NonNullable<CommentData['anchor']>, 'quote' | 'sheet' | 'element'>

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

/** Whether addresses in what they wrote are links: those of strangers are text. */
export function writesLinks(kind: AuthorKind): boolean {
  return kind === 'owner' || kind === 'confirmed'
}

type Anchored = Pick<CommentData, 'id' | 'anchor' | 'anchor_state' | 'anchor_now'>

/**
 * The passage that a thread is about, as the framed page marks it; none where it has changed. Words
 * that have no place in the stored text, such as a script's, may stand once in what is shown.
 */
export function passageMarks({ id, anchor, anchor_now: now }: Anchored): Mark[] {
  if (anchor?.quote === undefined || (now !== null && now.reason !== 'unplaced')) return []
  return [{ id, quote: anchor.quote, prefix: anchor.prefix ?? '', suffix: anchor.suffix ?? '' }]
}

/** The spot that a thread is about. In a changed file, its element may be another one. */
export function spotMarks({ id, anchor, anchor_state: state }: Anchored): SpotMark[] {
  const { x, y, element } = anchor ?? {}
  if (state !== 'exact' || x === undefined || y === undefined || !element) return []
  return [{ id, x, y, element }]
}
