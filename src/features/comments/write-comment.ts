import type { Anchor } from '../../model/anchor.ts'
import { type AuthorKind, MAX_COMMENTS, MAX_REPLIES } from '../../model/comment.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { RecordEvent } from '../events/index.ts'
import type { Located } from './anchors/index.ts'
import { commentNotFound, isReply } from './rules.ts'
import * as store from './store.ts'

export interface Author {
  kind: AuthorKind
  /** Identifies the author on this page. */
  key: string
  email: string | null
  /** The name that they gave; viewers see it, or else the alias. */
  name: string | null
  alias: string | null
}

/** Where a comment was written: the content that its author had open. */
export interface Place {
  path: string
  versionNo: number
  fileHash: string
  anchor: Anchor | null
  located: Located
  /** The content in which the anchor was located. */
  shownManifestId: string
}

/** A comment that is ready to be stored. */
export interface Draft {
  page: Page
  author: Author
  submissionId: string
  body: string
  parentId: string | null
  place: Place
}

export interface WriteDeps {
  clock: Clock
  recordEvent: RecordEvent
}

/** A concurrent request stored the same submission, and this one wrote nothing. */
export class WriteConflict extends Error {}

/**
 * Stores a comment, within the bounds of its page and thread.
 *
 * @throws WriteConflict, or Refusal `comments_full`, `comment_not_found`, `comment_is_reply`
 */
export async function writeComment(
  tx: Tx,
  draft: Draft,
  { clock, recordEvent }: WriteDeps,
): Promise<store.CommentRow> {
  const { page, author, parentId } = draft
  const nowMs = clock.ms()
  const nowUs = Math.floor(nowMs * 1000)
  const stamp = await store.reserve(tx, page.id, { nowUs, maxCount: MAX_COMMENTS })
  if (stamp === undefined) throw pageFull()
  const parent = parentId === null ? null : await findParent(tx, draft, parentId)
  const row = rowOf(draft, { id: newId('cmt', nowMs), stamp })
  if (!(await store.insert(tx, row))) throw new WriteConflict()
  if (parent !== null) await store.refreshLastAt(tx, parent.id)
  await recordEvent(tx, {
    kind: parent === null ? 'comment' : 'reply',
    pageId: page.id,
    count: 1,
    notifyOwner: page.settings.notify_on_comment && author.kind !== 'owner',
    threadId: parent?.id ?? row.id,
    author,
    body: page.settings.access === 'link' ? row.body : null,
  })
  return { ...row, ...NEW }
}

async function findParent(tx: Tx, { page, author }: Draft, id: string) {
  const parent = await store.find(tx, page.id, id)
  const isThere = parent?.is_deleted === 0 && (parent.is_hidden === 0 || author.kind === 'owner')
  if (parent === undefined || !isThere) throw commentNotFound('parent_id')
  if (parent.parent_id !== null) throw isReply('parent_id')
  if ((await store.countReplies(tx, id)) >= MAX_REPLIES) throw threadFull()
  return parent
}

const NEW = {
  state: 'open',
  addressed_in: null,
  addressed_by_draft: null,
  is_hidden: 0,
  is_deleted: 0,
  edited_at: null,
  changed_revision: null,
}

function rowOf(
  { page, author, submissionId, body, parentId, place }: Draft,
  { id, stamp }: { id: string; stamp: store.Stamp },
): store.NewComment {
  const createdAt = timestampOf(stamp.last_us)
  return {
    id,
    page_id: page.id,
    account_id: page.account_id,
    parent_id: parentId,
    author_kind: author.kind,
    author_key: author.key,
    author_email: author.email,
    name: author.name ?? author.alias,
    submission_id: submissionId,
    body,
    path: place.path,
    version_no: place.versionNo,
    file_hash: place.fileHash,
    anchor: place.anchor && JSON.stringify(place.anchor),
    anchor_state: place.located.state,
    anchor_places: JSON.stringify(place.located.places),
    anchor_manifest_id: place.shownManifestId,
    created_at: createdAt,
    last_at: parentId === null ? createdAt : null,
    revision: stamp.revision,
  }
}

function pageFull() {
  const most = MAX_COMMENTS.toLocaleString('en')
  const message = `This page has ${most} comments, as many as it can hold: tell its owner.`
  return refuse.conflict('comments_full', message, { limit: MAX_COMMENTS })
}
function threadFull() {
  const most = MAX_REPLIES.toLocaleString('en')
  const message = `This comment has ${most} replies, as many as it can hold: start another one.`
  return refuse.conflict('comments_full', message, { limit: MAX_REPLIES })
}
