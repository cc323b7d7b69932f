import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawCounts, rawList, rawRow, rawWrite } from '../../platform/db/raw.ts'
import {
  countBy,
  existsBy,
  insertOnceInto,
  rowBy,
  rowsInto,
  updateBy,
} from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { CommentQuery } from './contract.ts'

export type CommentRow = Tables['comments']
export type Counter = Omit<Tables['comment_counters'], 'page_id'>
/** The number, time and revision of a new comment. */
export type Stamp = Pick<Counter, 'revision' | 'last_us'>

/** Each reply after its parent. */
export const insertAll = rowsInto('comments')

export const findSubmission = rowBy('comments', ['page_id', 'author_key', 'submission_id'])

export const find = rowBy('comments', ['page_id', 'id'])

/** Comments of any pages. */
export const findAll = rawList<CommentRow>((list) => `SELECT * FROM comments WHERE id IN ${list}`)

export const countReplies = countBy('comments', 'parent_id')

const IS_VISIBLE = 'is_hidden = 0 AND is_deleted = 0'
/** The condition of the index `comments_open`. */
const IS_OPEN_THREAD = "parent_id IS NULL AND state = 'open' AND is_hidden = 0"

/** The number of open threads of each page that are not hidden; pages without any are left out. */
export const countOpenThreads = rawCounts(
  (list) => `SELECT page_id AS key, count(*) AS count FROM comments
    WHERE page_id IN ${list} AND ${IS_OPEN_THREAD} GROUP BY page_id`,
)

/** What a comment takes in an answer beside its text and its anchor, in bytes. */
const COMMENT_BYTES = 400
/** What `anchor_now` takes at most. */
const NOW_BYTES = 900

const BYTES = `${COMMENT_BYTES} + octet_length(body)
  + coalesce(octet_length(anchor) + ${NOW_BYTES}, 0)`

/**
 * The size of each thread with its replies, by the lengths of texts alone. Grouped afterwards:
 * SQLite would copy the texts to sort them. Each of the two has an index: with `OR`, PostgreSQL
 * would read all comments.
 */
export const sizesOf = rawCounts(
  (list) => `WITH named AS (SELECT id FROM comments WHERE id IN ${list}),
    sizes AS MATERIALIZED (
      SELECT id, ${BYTES} AS bytes FROM comments WHERE id IN (SELECT id FROM named) UNION ALL
      SELECT parent_id, ${BYTES} FROM comments WHERE parent_id IN (SELECT id FROM named))
    SELECT id AS key, sum(bytes) AS count FROM sizes GROUP BY id`,
)

export type CommentPatch = Partial<Omit<CommentRow, 'id' | 'page_id' | 'changed_revision'>>

export async function update(tx: Tx, ids: readonly string[], patch: CommentPatch): Promise<void> {
  const { revision } = patch
  const values = revision === undefined ? patch : { ...patch, changed_revision: revision }
  await tx.updateTable('comments').set(values).where('id', 'in', ids).execute()
}

const deleteReplies = raw<{ id: string }>('DELETE FROM comments WHERE parent_id = $1 RETURNING id')
const deleteComment = raw<{ id: string }>('DELETE FROM comments WHERE id = $1 RETURNING id')

/** Deletes a comment with its replies. @returns how many were deleted */
export async function remove(tx: Tx, id: string): Promise<number> {
  // The replies first: SQLite does not count rows that a foreign key deletes.
  const replies = await deleteReplies(tx, [id])
  return replies.length + (await deleteComment(tx, [id])).length
}

/** The comments that a change of the draft will resolve once it is published. */
export const listAddressed = raw<CommentRow>(`
  SELECT * FROM comments WHERE page_id = $1 AND addressed_by_draft IS NOT NULL`)

/** The changes that resolved them are later than version `$2`, which is the draft again. */
export const forgetAddressed = raw(`
  UPDATE comments SET addressed_by_draft = NULL WHERE page_id = $1 AND addressed_by_draft > $2`)

/** The comments that were written after a time, oldest first. */
export const listAfter = raw<CommentRow, [pageId: string, after: string, limit: number]>(`
  SELECT * FROM comments WHERE page_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $3`)

/**
 * All rows of the threads that have a comment which is newer than revision `$2` or was changed
 * later, oldest first. What is older than the newest comment of that revision is new by a change
 * alone, for which there is an index.
 */
export const listChanged = raw<CommentRow>(`
  WITH changed AS (SELECT coalesce(parent_id, id) AS id FROM comments
    WHERE page_id = $1 AND changed_revision > $2
    UNION SELECT coalesce(parent_id, id) FROM comments
    WHERE page_id = $1 AND created_at > coalesce((SELECT created_at FROM comments
      WHERE page_id = $1 AND revision <= $2 ORDER BY created_at DESC LIMIT 1), ''))
  SELECT thread.* FROM comments AS thread JOIN changed ON thread.id = changed.id
  UNION ALL SELECT reply.* FROM comments AS reply JOIN changed ON reply.parent_id = changed.id
  ORDER BY created_at`)

/** The newest threads of a page before a time, `$2`, that viewers see something of. */
export const listVisibleIds = raw<Pick<CommentRow, 'id'>>(`
  SELECT id FROM comments WHERE page_id = $1 AND created_at < $2 AND parent_id IS NULL
    AND ((${IS_VISIBLE}) OR EXISTS (SELECT 1 FROM comments AS reply WHERE
      reply.parent_id = comments.id AND reply.is_hidden = 0 AND reply.is_deleted = 0))
  ORDER BY created_at DESC LIMIT $3`)

/**
 * Comments that their author wrote after a time, in any order. The expression makes both engines
 * use the index of authors, who have few comments, and not that of times.
 */
export const listOwn = raw<Pick<CommentRow, 'id' | 'created_at'>>(`
  SELECT id, created_at FROM comments
  WHERE page_id = $1 AND author_key = $2 AND coalesce(created_at, '') > $3 AND ${IS_VISIBLE}`)

const STATES = {
  all: sql`1 = 1`,
  open: sql`state = 'open' AND is_hidden = 0`,
  resolved: sql`state = 'resolved' AND is_hidden = 0`,
  hidden: sql`(is_hidden = 1 OR EXISTS (SELECT 1 FROM comments AS reply
    WHERE reply.parent_id = comments.id AND reply.is_hidden = 1))`,
}

/** The ids of threads, in ascending or descending order of their first comments. */
export async function listThreadIds(
  db: Db,
  { page_id, state, since, limit, offset, order }: CommentQuery & { page_id: string },
): Promise<string[]> {
  const isNew =
    since === undefined
      ? sql`1 = 1`
      : sql`EXISTS (SELECT 1 FROM comments AS part
          WHERE (part.id = comments.id OR part.parent_id = comments.id)
            AND (part.created_at > ${since} OR part.edited_at > ${since}))`
  const { rows } = await sql<Pick<CommentRow, 'id'>>`SELECT id FROM comments
    WHERE page_id = ${page_id} AND parent_id IS NULL AND ${STATES[state]} AND ${isNew}
    ORDER BY created_at ${order === 'newest' ? sql`DESC` : sql`ASC`}
    LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

export const listReplies = rawList<CommentRow>(
  (list) => `SELECT * FROM comments WHERE parent_id IN ${list} ORDER BY created_at`,
)

export const updateAnchor = updateBy('comments', 'id')

const NO_COMMENTS: Counter = { count: 0, last_us: 0, revision: 0, whole_revision: 0 }

const selectCounter = rowBy('comment_counters', ['page_id'])

export async function findCounter(db: Db, pageId: string): Promise<Counter> {
  return (await selectCounter(db, [pageId])) ?? NO_COMMENTS
}

/**
 * Locks the page's comments until the transaction ends, so that they are stored one by one.
 *
 * @throws a foreign key violation if the page is deleted
 */
export const lockCounter = rawWrite<[pageId: string]>(`
  INSERT INTO comment_counters (page_id, count, last_us, revision, whole_revision)
  VALUES ($1, 0, 0, 0, 0)
  ON CONFLICT (page_id) DO UPDATE SET count = comment_counters.count`)

/**
 * Reserves the place, time and revision of a new comment in one statement.
 *
 * @returns undefined if the page has `maxCount` comments
 */
export const reserve = rawRow<Stamp, [nowUs: number, pageId: string, maxCount: number]>(`
  UPDATE comment_counters SET count = count + 1, revision = revision + 1,
    last_us = CASE WHEN last_us < $1 THEN $1 ELSE last_us + 1 END
  WHERE page_id = $2 AND count < $3 RETURNING revision, last_us`)

const updateRevision = raw<Pick<Counter, 'revision'>>(`
  UPDATE comment_counters SET revision = revision + 1 WHERE page_id = $1 RETURNING revision`)

/** Locks the page's comments until the transaction ends. @returns the revision of the change */
export async function startChange(tx: Tx, pageId: string): Promise<number> {
  return (await updateRevision(tx, [pageId]))[0]?.revision ?? 0
}

/** After `$1` comments of page `$2` were deleted. */
export const giveBack = raw('UPDATE comment_counters SET count = count - $1 WHERE page_id = $2')

/** Threads were deleted: clients with an older revision have to read all of them again. */
export const requireWhole = raw(`
  UPDATE comment_counters SET whole_revision = revision WHERE page_id = $1`)

/** The counter that an imported page starts with. */
export const insertCounters = rowsInto('comment_counters')

export const mute = insertOnceInto('comment_mutes')
export const isMuted = existsBy('comment_mutes', 'page_id', 'recipient')

/** How many comments and replies each confirmed address has on a page. */
export const countByAddress = rawCounts<[pageId: string]>(
  (emails) => `SELECT author_email AS key, count(*) AS count FROM comments
    WHERE page_id = $2 AND author_kind = 'confirmed' AND is_deleted = 0
      AND author_email IN ${emails} GROUP BY author_email`,
)
