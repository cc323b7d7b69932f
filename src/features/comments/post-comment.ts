import { MAX_COMMENTS, MAX_REPLIES } from '../../model/comment-limits.ts'
import { refuse } from '../../model/errors.ts'
import { isOpenToAll, type Page } from '../../model/page/index.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { CommentAuthor, RecordEvent } from '../events/index.ts'
import type { Place, Places, WrittenOn } from './places.ts'
import { commentNotFound, isReply, passageOf, placeOf } from './rules.ts'
import * as store from './store.ts'

/** A comment as it was received, with cleaned text. */
export interface NewComment {
  author: CommentAuthor
  /** Other keys of the author, such as that of the browser before an address was confirmed. */
  formerKeys: readonly string[]
  submissionId: string
  body: string
  parentId: string | null
  /** The parameter that named the parent, for errors. */
  parentParam: string
  /** The named link by which its author came. */
  linkId?: string | null | undefined
}

interface PostDeps {
  database: Database
  clock: Clock
  space: ContentSpace
  recordEvent: RecordEvent
  findPlace: Places
}

/**
 * Returns a function that stores comments: all of them, or none. A repeated request gets the stored
 * comments and changes nothing.
 *
 * @throws Refusal `comments_full`, `comment_not_found`, `comment_is_reply` …; a foreign key
 *   violation if the page is deleted
 */
export function createPost(deps: PostDeps) {
  const { database, space, findPlace } = deps
  return async (
    page: Page,
    writtenOn: WrittenOn,
    comments: readonly NewComment[],
  ): Promise<store.CommentRow[]> => {
    for (const { parentId, parentParam } of comments) {
      if (parentId !== null && !isId('cmt', parentId)) throw commentNotFound(parentParam)
    }
    // A repeated request is not refused, even if a new one would be now.
    const sentBefore = await findSent(database.read, page, comments)
    if (sentBefore !== null) return sentBefore
    const place = await findPlace(page, writtenOn)
    space.assertFits(comments.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0))
    return database.write(async (tx) => {
      await store.lockCounter(tx, [page.id])
      const sentMeanwhile = await findSent(tx, page, comments)
      if (sentMeanwhile !== null) return sentMeanwhile
      const rows: store.CommentRow[] = []
      for (const comment of comments) rows.push(await write(deps, tx, { page, comment, place }))
      return rows
    })
  }
}

/** The stored comments of a request that is repeated; null if one of them is not stored. */
async function findSent(
  db: Db,
  page: Page,
  comments: readonly NewComment[],
): Promise<store.CommentRow[] | null> {
  const rows: store.CommentRow[] = []
  for (const { author, formerKeys, submissionId } of comments) {
    let row: store.CommentRow | undefined
    for (const key of [author.key, ...formerKeys]) {
      row ??= await store.findSubmission(db, [page.id, key, submissionId])
    }
    if (row === undefined) return null
    rows.push(row)
  }
  return rows
}

async function findParent(tx: Tx, page: Page, comment: NewComment) {
  const { author, parentId: id, parentParam } = comment
  if (id === null) return null
  const parent = await store.find(tx, [page.id, id])
  const isThere = parent?.is_deleted === 0 && (parent.is_hidden === 0 || author.kind === 'owner')
  if (parent === undefined || !isThere) throw commentNotFound(parentParam)
  if (parent.parent_id !== null) throw isReply(parentParam)
  if ((await store.countReplies(tx, [id])) >= MAX_REPLIES) {
    const most = MAX_REPLIES.toLocaleString('en')
    const text = `This comment has ${most} replies, as many as it can hold: start another one.`
    throw refuse.conflict('comments_full', text, { limit: MAX_REPLIES })
  }
  return parent
}

/**
 * Stores a comment, within the bounds of its page and thread.
 *
 * @throws Refusal `comments_full`, `comment_not_found`, `comment_is_reply`
 */
async function write(
  { clock, recordEvent }: PostDeps,
  tx: Tx,
  { page, comment, place }: { page: Page; comment: NewComment; place: Place },
) {
  const { author } = comment
  const nowMs = clock.ms()
  const stamp = await store.reserve(tx, [Math.floor(nowMs * 1000), page.id, MAX_COMMENTS])
  if (stamp === undefined) {
    const most = MAX_COMMENTS.toLocaleString('en')
    const text = `This page has ${most} comments, as many as it can hold: tell its owner.`
    throw refuse.conflict('comments_full', text, { limit: MAX_COMMENTS })
  }
  const parent = await findParent(tx, page, comment)
  const row = rowOf(page, comment, place, { stamp, nowMs })
  await store.insertAll(tx, [row])
  const threadId = parent?.id ?? row.id
  const isOpen = isOpenToAll(page.settings)
  await recordEvent(tx, {
    kind: parent === null ? 'comment' : 'reply',
    pageId: page.id,
    count: 1,
    notifyOwner: page.settings.notify_on_comment && author.kind !== 'owner',
    accountId: page.account_id,
    at: row.created_at,
    objectId: row.id,
    itemId: threadId,
    isOwn: author.kind === 'owner',
    place: placeOf(parent ?? row),
    threadId,
    author,
    linkId: comment.linkId,
    body: isOpen ? row.body : null,
    passage: isOpen ? passageOf(parent ?? row) : null,
  })
  return row
}

function rowOf(
  page: Page,
  { author, submissionId, body, parentId }: NewComment,
  place: Place,
  { stamp, nowMs }: { stamp: store.Stamp; nowMs: number },
): store.CommentRow {
  return {
    id: newId('cmt', nowMs),
    page_id: page.id,
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
    state: 'open',
    addressed_in: null,
    addressed_by_draft: null,
    is_hidden: 0,
    is_deleted: 0,
    created_at: timestampOf(stamp.last_us),
    edited_at: null,
    revision: stamp.revision,
    changed_revision: null,
  }
}
