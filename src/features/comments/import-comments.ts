import { z } from 'zod'
import { ANCHOR_STATES, anchorInput } from '../../model/anchor.ts'
import { type Batches, bit, hash, id, name, natural, positive, time } from '../../model/archive.ts'
import { AUTHOR_KINDS } from '../../model/comment.ts'
import { MAX_BODY, MAX_COMMENTS, MAX_PATH, MAX_REPLIES } from '../../model/comment-limits.ts'
import type { Page } from '../../model/page/index.ts'
import { plainTextOf } from '../../model/plain-text.ts'
import { email } from '../../model/text.ts'
import { microsecondsOf } from '../../model/times.ts'
import type { Db } from '../../platform/db/index.ts'
import {
  badRows,
  type LastStep,
  rowsInBatches,
  type WriteStep,
} from '../../platform/db/long-write.ts'
import { newId } from '../../platform/ids.ts'
import { sequence } from '../events/index.ts'
import { OWNER_KEY, placeOf } from './rules.ts'
import * as store from './store.ts'

const BATCH = 200

const range = z.object({ start: natural, end: natural })
const around = z.string().max(400)

/** A comment in the form in which another server exported it. */
export const commentRow = z
  .object({
    id,
    parent_id: id.nullable(),
    author_kind: z.enum(AUTHOR_KINDS),
    author_key: z.string().min(1).max(200),
    author_email: email.nullable(),
    name,
    body: z.union([z.literal(''), plainTextOf(MAX_BODY)]),
    path: z.string().max(MAX_PATH),
    version_no: positive,
    file_hash: hash,
    anchor: anchorInput.nullable(),
    anchor_state: z.enum(ANCHOR_STATES).nullable(),
    anchor_places: z.object({
      written: range.extend({ prefix: around.optional(), suffix: around.optional() }).nullable(),
      last: z
        .object({
          ...range.shape,
          hash,
          prefix: around,
          suffix: around,
          is_between: z.boolean().optional(),
        })
        .nullable(),
    }),
    state: z.enum(['open', 'resolved']),
    addressed_in: positive.nullable(),
    addressed_by_draft: positive.nullable(),
    is_hidden: bit,
    is_deleted: bit,
    created_at: time,
    edited_at: time.nullable(),
  })
  .refine((row) => (row.anchor === null) === (row.anchor_state === null))
  .refine((row) => (row.body === '') === (row.is_deleted === 1))
  .refine((row) => row.is_deleted === 0 || (row.parent_id === null && row.author_email === null))
type ImportedComment = z.output<typeof commentRow>

export async function* commentsOf(db: Db, pageId: string): AsyncGenerator<object> {
  const rows = rowsInBatches({ by: 'created_at', limit: BATCH }, (...range) =>
    store.listAfter(db, [pageId, ...range]),
  )
  for await (const row of rows) {
    const { page_id, submission_id, revision: _, changed_revision, ...members } = row
    yield {
      ...members,
      anchor: row.anchor === null ? null : JSON.parse(row.anchor),
      anchor_places: JSON.parse(row.anchor_places),
    }
  }
}

/**
 * Stores the comments of an imported page. Nobody is mailed.
 * Their authors cannot change them here, since only the other server knows who they are.
 *
 * @param comments oldest first
 * @throws Refusal `invalid_parameter` if they are not valid threads of a page
 */
export async function importComments(
  step: WriteStep,
  page: Pick<Page, 'id' | 'account_id'>,
  comments: Batches<ImportedComment>,
): Promise<LastStep> {
  if (comments.count === 0) return async () => {}
  if (comments.count > MAX_COMMENTS) throw badRows('It has more comments than a page can hold.')
  const newIdOf = createThreads()
  const authorKeys = new Map<string, string>()
  const { id: pageId } = page
  let newest = ''
  for await (const batch of comments) {
    const rows = batch.map((comment) => {
      if (comment.created_at <= newest) {
        throw badRows('Its comments are not in the order of their times.')
      }
      newest = comment.created_at
      const { id, parentId } = newIdOf(comment)
      return {
        ...comment,
        ...authorOf(comment, authorKeys),
        id,
        page_id: pageId,
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
    await step((tx) => sequence.addImported(tx, page, rows.flatMap(threadOf)))
  }
  const counter = { count: comments.count, last_us: microsecondsOf(newest) }
  const row = { page_id: pageId, ...counter, revision: 1, whole_revision: 0 }
  return (tx) => store.insertCounters(tx, [row])
}

function threadOf(
  row: Pick<store.CommentRow, 'id' | 'parent_id' | 'created_at' | 'state' | 'is_hidden'>,
): sequence.ImportedItem[] {
  if (row.parent_id !== null) return []
  return [{ type: 'comment', at: row.created_at, id: row.id, place: placeOf(row) }]
}

/** Makes a new id for each id of the archive, and checks that they are threads. */
function createThreads() {
  const ids = new Map<string, string>()
  const replies = new Map<string, number>()
  return ({ id, parent_id, is_deleted }: ImportedComment) => {
    if (ids.has(id)) throw badRows('Two of its comments have the same id.')
    const newOne = newId('cmt')
    ids.set(id, newOne)
    if (parent_id === null) {
      replies.set(id, 0)
      return { id: newOne, parentId: null }
    }
    const earlier = replies.get(parent_id)
    if (earlier === undefined || is_deleted === 1) {
      throw badRows('One of its replies is to no comment that begins a thread before it.')
    }
    if (earlier >= MAX_REPLIES) throw badRows('One of its comments has more replies than it can.')
    replies.set(parent_id, earlier + 1)
    return { id: newOne, parentId: ids.get(parent_id)! }
  }
}

/** The new keys are valid on this page alone. Except for the owner's, no viewer here has one. */
function authorOf(comment: ImportedComment, keys: Map<string, string>) {
  const { author_kind: kind, author_key: key } = comment
  if (kind === 'owner') return { author_kind: kind, author_key: OWNER_KEY }
  const newKey = keys.getOrInsert(key, `imported ${keys.size + 1}`)
  return { author_kind: kind === 'confirmed' ? 'imported' : kind, author_key: newKey }
}
