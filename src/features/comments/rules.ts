import { type Anchor, isTextAnchor } from '../../model/anchor.ts'
import { EDIT_MINUTES } from '../../model/comment.ts'
import { MAX_BODY, MAX_NAME } from '../../model/comment-limits.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { charactersIn, plainLine, plainText } from '../../model/plain-text.ts'
import { millisecondsOf } from '../../model/times.ts'
import type { Place } from '../events/index.ts'
import { type AnchorPlaces, anchorNow, whyOutdated } from './anchors/index.ts'
import type { GoneThread, OwnersComment, ViewersComment, ViewersReply } from './contract.ts'
import type { CommentRow } from './store.ts'

/** The key of the owner's comments, from the panel, the API or MCP. */
export const OWNER_KEY = 'owner'

const EDIT_MS = EDIT_MINUTES * 60_000

/** A comment and its replies, oldest first. */
export interface Thread {
  root: CommentRow
  replies: CommentRow[]
}

/** Groups rows into threads. A reply comes after its comment. @param rows oldest first */
export function threadsOf(rows: readonly CommentRow[]): Thread[] {
  const threads = new Map<string, Thread>()
  for (const row of rows) {
    if (row.parent_id === null) threads.set(row.id, { root: row, replies: [] })
    else threads.get(row.parent_id)?.replies.push(row)
  }
  return [...threads.values()]
}

function isVisible(row: CommentRow): boolean {
  return row.is_hidden === 0 && row.is_deleted === 0
}

/** A thread as viewers see it. A hidden or deleted comment keeps its place for its replies. */
export function toViewers({ root, replies }: Thread): ViewersComment | GoneThread {
  const visible = replies.filter(isVisible)
  if (!isVisible(root) && visible.length === 0) return { id: root.id, is_gone: true }
  const first = isVisible(root) ? viewersComment(root) : placeholderOf(root)
  return { ...first, replies: visible.map((reply) => ({ ...viewersComment(reply), ...of(root) })) }
}

/** The members that a reply has from its thread. */
function of({ state, addressed_in }: CommentRow) {
  return { state, addressed_in }
}

export function viewersComment(row: CommentRow): ViewersReply {
  const { author_kind: kind, name } = row
  return { ...sharedFields(row), author: { kind, name }, placeholder: null }
}

/** A comment without anything that its author wrote, selected or named. */
function placeholderOf(row: CommentRow): ViewersReply {
  return {
    ...sharedFields(row),
    author: null,
    body: '',
    path: '',
    anchor: null,
    anchor_state: null,
    anchor_now: null,
    edited_at: null,
    placeholder: row.is_deleted === 1 ? 'deleted' : 'hidden',
  }
}

export function toOwner({ root, replies }: Thread): OwnersComment {
  const ofReplies = replies.map((reply) => ({ ...ownersComment(reply), ...of(root) }))
  return { ...ownersComment(root), replies: ofReplies }
}

function ownersComment(row: CommentRow) {
  const author = { kind: row.author_kind, name: row.name, email: row.author_email }
  return { ...sharedFields(row), author, is_hidden: row.is_hidden === 1 }
}

function sharedFields(row: CommentRow) {
  return {
    id: row.id,
    path: row.path,
    version_no: row.version_no,
    body: row.body,
    anchor: shownAnchor(row),
    anchor_state: row.anchor_state,
    anchor_now: whyOutdated(row.anchor_state, placesIn(row)),
    state: row.state,
    addressed_in: row.addressed_in,
    created_at: row.created_at,
    edited_at: row.edited_at,
  }
}

export function anchorIn({ anchor }: CommentRow): Anchor | null {
  return anchor === null ? null : (JSON.parse(anchor) as Anchor)
}
/** The words of the page that a comment is about. */
export function passageOf(row: CommentRow): string | null {
  const anchor = anchorIn(row)
  return anchor !== null && isTextAnchor(anchor) ? anchor.quote : null
}
/** The results of earlier look-ups of the anchor. */
export function placesIn({ anchor_places }: CommentRow): AnchorPlaces {
  return JSON.parse(anchor_places) as AnchorPlaces
}
function shownAnchor(row: CommentRow): Anchor | null {
  const anchor = anchorIn(row)
  return anchor && anchorNow(anchor, row.anchor_state, placesIn(row))
}

/** Where the inbox has a thread. @param root its first comment */
export function placeOf({ state, is_hidden }: Pick<CommentRow, 'state' | 'is_hidden'>): Place {
  if (is_hidden === 1) return null
  return state === 'open' ? 'open' : 'closed'
}

/** Until when the author may change a comment, in milliseconds since the epoch. */
export function editableUntilMs({ created_at }: Pick<CommentRow, 'created_at'>): number {
  return millisecondsOf(created_at) + EDIT_MS
}

/** The text of a comment as it is stored. @throws Refusal `comment_empty`, `comment_too_long` */
export function cleanBody(text: string): string {
  const body = plainText(text)
  if (body === '')
    throw refuse.invalid('comment_empty', 'Write something first.', { param: 'body' })
  const length = charactersIn(body)
  if (length <= MAX_BODY) return body
  const limit = MAX_BODY.toLocaleString('en')
  const message = `A comment has at most ${limit} characters; this one has ${length}.`
  throw refuse.invalid('comment_too_long', message, { param: 'body', limit: MAX_BODY })
}

/** The name that the author gave; null where none was given. @throws `comment_too_long` */
export function cleanName(text: string | null | undefined): string | null {
  const name = plainLine(text ?? '')
  if (charactersIn(name) <= MAX_NAME) return name === '' ? null : name
  const message = `A name has at most ${MAX_NAME} characters.`
  throw refuse.invalid('comment_too_long', message, { param: 'name', limit: MAX_NAME })
}

/** @throws Refusal `comments_off` */
export function assertOn({ settings }: Page): void {
  if (settings.allow_comments) return
  throw refuse.conflict('comments_off', 'Comments are switched off on this page.')
}

export function commentNotFound(param = 'comment_id') {
  return refuse.notFound('comment_not_found', 'There is no such comment on this page.', { param })
}

/** The refusal where a comment is a reply, but must be the first of a thread. */
export function isReply(param: string) {
  const message = 'That is a reply: name the comment that it replies to.'
  return refuse.invalid('comment_is_reply', message, { param })
}
