import type { Anchor, AnchorState } from '../../model/anchor.ts'
import type { Batches } from '../../model/batches.ts'
import { type AuthorKind, MAX_COMMENTS, MAX_REPLIES } from '../../model/comment.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { createSlices } from '../../model/time-slices.ts'
import { microsecondsOf } from '../../model/timestamp.ts'
import type { Db } from '../../platform/db/index.ts'
import type { LastStep, WriteStep } from '../../platform/db/long-write.ts'
import { newId } from '../../platform/ids.ts'
import type { AnchorPlaces } from './anchors/index.ts'
import { OWNER_KEY } from './rules.ts'
import * as store from './store.ts'

const BATCH = 200

/** A comment in the form in which another server exported it. */
export interface GivenComment
  extends Omit<
    store.CommentRow,
    | 'page_id'
    | 'account_id'
    | 'last_at'
    | 'submission_id'
    | 'author_kind'
    | 'anchor'
    | 'anchor_state'
    | 'anchor_places'
    | 'anchor_manifest_id'
    | 'state'
    | 'revision'
    | 'changed_revision'
  > {
  author_kind: AuthorKind
  anchor: Anchor | null
  anchor_state: AnchorState | null
  anchor_places: AnchorPlaces
  state: 'open' | 'resolved'
}

/** All comments of a page for an export, oldest first. */
export async function* commentsOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const rows = await store.listAfter(db, pageId, { after, limit: BATCH })
    for (const row of rows) {
      const { page_id, account_id, submission_id, ...more } = row
      const { revision: _revision, changed_revision, last_at, ...kept } = more
      yield {
        ...kept,
        anchor: row.anchor === null ? null : JSON.parse(row.anchor),
        anchor_places: JSON.parse(row.anchor_places),
      }
    }
    if (rows.length < BATCH) return
    after = rows.at(-1)!.created_at
  }
}

/**
 * Stores the comments of an imported page. Nobody is mailed.
 * Their authors cannot change them here, since only the other server knows who they are.
 *
 * @param given oldest first
 * @throws Refusal `invalid_parameter` if they are not valid threads of a page
 */
export async function importComments(
  step: WriteStep,
  { id: pageId, account_id }: Pick<Page, 'id' | 'account_id'>,
  given: Batches<GivenComment>,
): Promise<LastStep> {
  if (given.count === 0) return async () => {}
  if (given.count > MAX_COMMENTS) throw refused('It has more comments than a page can hold.')
  const newIdOf = createThreads()
  const authorKeys = new Map<string, string>()
  const lastAt = await lastReplies(given)
  let newest = ''
  for (const batch of given) {
    const rows = batch.map((comment) => {
      if (comment.created_at <= newest) {
        throw refused('Its comments are not in the order of their times.')
      }
      newest = comment.created_at
      const { id, parentId } = newIdOf(comment)
      return {
        ...comment,
        ...authorOf(comment, authorKeys),
        id,
        page_id: pageId,
        account_id,
        last_at: comment.parent_id === null ? (lastAt.get(comment.id) ?? newest) : null,
        parent_id: parentId,
        submission_id: id,
        anchor: comment.anchor && JSON.stringify(comment.anchor),
        anchor_places: JSON.stringify(comment.anchor_places),
        // Stored without content, so that the first read locates it: the archive is not trusted.
        anchor_manifest_id: '',
        revision: 1,
        changed_revision: null,
      }
    })
    await step((tx) => store.insertAll(tx, rows))
  }
  const counter = { count: given.count, last_us: microsecondsOf(newest) }
  return (tx) => store.insertImported(tx, pageId, counter)
}

/** The time of the last reply to each comment that has one. */
async function lastReplies(given: Batches<GivenComment>): Promise<Map<string, string>> {
  const lastAt = new Map<string, string>()
  const pause = createSlices()
  for (const batch of given) {
    for (const { parent_id: id, created_at: at } of batch) if (id !== null) lastAt.set(id, at)
    await pause()
  }
  return lastAt
}

/** Makes a new id for each id of the archive, and checks that they are threads. */
function createThreads() {
  const ids = new Map<string, string>()
  const replies = new Map<string, number>()
  return ({ id, parent_id, is_deleted }: GivenComment) => {
    if (ids.has(id)) throw refused('Two of its comments have the same id.')
    const newOne = newId('cmt')
    ids.set(id, newOne)
    if (parent_id === null) {
      replies.set(id, 0)
      return { id: newOne, parentId: null }
    }
    const earlier = replies.get(parent_id)
    if (earlier === undefined || is_deleted === 1) {
      throw refused('One of its replies is to no comment that begins a thread before it.')
    }
    if (earlier >= MAX_REPLIES) throw refused('One of its comments has more replies than it can.')
    replies.set(parent_id, earlier + 1)
    return { id: newOne, parentId: ids.get(parent_id)! }
  }
}

/** The new keys are valid on this page alone. Except for the owner's, no viewer here has one. */
function authorOf(comment: GivenComment, keys: Map<string, string>) {
  const { author_kind: kind, author_key: key } = comment
  if (kind === 'owner') return { author_kind: kind, author_key: OWNER_KEY }
  const known = keys.get(key) ?? `imported ${keys.size + 1}`
  keys.set(key, known)
  return { author_kind: kind === 'confirmed' ? 'imported' : kind, author_key: known }
}

function refused(message: string) {
  return refuse.invalid('invalid_parameter', message)
}
