import { sql } from 'kysely'
import { inChunks } from '../../platform/db/chunks.ts'
import type { CommentsTable } from '../../platform/db/conversation-tables.ts'
import { inboxRows } from '../../platform/db/inbox-rows.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawList } from '../../platform/db/raw.ts'
import type { CommentQuery } from './contract.ts'

export * from './counters/store.ts'

export type CommentRow = CommentsTable

const insertComment = raw<Pick<CommentRow, 'id'>>(`
  INSERT INTO comments (id, page_id, parent_id, author_kind, author_key, author_email, name,
    submission_id, body, path, version_no, file_hash, anchor, anchor_state, anchor_places,
    anchor_manifest_id, state, addressed_in, addressed_by_draft, is_hidden, is_deleted, created_at,
    edited_at, revision, account_id, last_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    'open', NULL, NULL, 0, 0, $17, NULL, $18, $19, $20)
  ON CONFLICT (page_id, author_key, submission_id) DO NOTHING RETURNING id`)

export type NewComment = Omit<
  CommentRow,
  | 'state'
  | 'addressed_in'
  | 'addressed_by_draft'
  | 'is_hidden'
  | 'is_deleted'
  | 'edited_at'
  | 'changed_revision'
>

/** Stores the comments of an imported page, each reply after its parent. */
export async function insertAll(tx: Tx, rows: readonly CommentRow[]): Promise<void> {
  const insertInto = tx.insertInto('comments')
  for (const chunk of inChunks(rows, 50)) await insertInto.values([...chunk]).execute()
}

/** @returns false if the author sent it before */
export async function insert(tx: Tx, row: NewComment): Promise<boolean> {
  const author = [row.author_kind, row.author_key, row.author_email, row.name, row.submission_id]
  const place = [row.body, row.path, row.version_no, row.file_hash]
  const anchor = [row.anchor, row.anchor_state, row.anchor_places, row.anchor_manifest_id]
  const identity = [row.id, row.page_id, row.parent_id]
  const stamps = [row.created_at, row.revision, row.account_id, row.last_at]
  const inserted = await insertComment(tx, [...identity, ...author, ...place, ...anchor, ...stamps])
  return inserted.length > 0
}

const selectSubmission = raw<CommentRow>(`
  SELECT * FROM comments WHERE page_id = $1 AND author_key = $2 AND submission_id = $3`)

export async function findSubmission(
  db: Db,
  sent: Pick<CommentRow, 'page_id' | 'author_key' | 'submission_id'>,
): Promise<CommentRow | undefined> {
  return (await selectSubmission(db, [sent.page_id, sent.author_key, sent.submission_id]))[0]
}

const selectComment = raw<CommentRow>('SELECT * FROM comments WHERE page_id = $1 AND id = $2')

export async function find(db: Db, pageId: string, id: string): Promise<CommentRow | undefined> {
  return (await selectComment(db, [pageId, id]))[0]
}

export function findAll(db: Db, pageId: string, ids: readonly string[]): Promise<CommentRow[]> {
  const all = db.selectFrom('comments').selectAll().where('page_id', '=', pageId)
  return all.where('id', 'in', ids).execute()
}

const countRepliesTo = raw<{ count: number }>(
  'SELECT count(*) AS count FROM comments WHERE parent_id = $1',
)

export async function countReplies(db: Db, parentId: string): Promise<number> {
  return Number((await countRepliesTo(db, [parentId]))[0]!.count)
}

const countVisibleOf = raw<{ count: number }>(`
  SELECT count(*) AS count FROM comments
  WHERE page_id = $1 AND is_hidden = 0 AND is_deleted = 0`)

export async function countVisible(db: Db, pageId: string): Promise<number> {
  return Number((await countVisibleOf(db, [pageId]))[0]!.count)
}

/** The number of open threads of each page that are not hidden; pages without any are left out. */
export async function countOpenThreads(
  db: Db,
  pageIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await countOpenOf(db, pageIds)
  return new Map(rows.map(({ page_id, count }) => [page_id, Number(count)]))
}

/** The condition of the index `comments_open`. */
const IS_OPEN_THREAD = "parent_id IS NULL AND state = 'open' AND is_hidden = 0"

const countOpenOf = rawList<{ page_id: string; count: number }>(
  (list) => `SELECT page_id, count(*) AS count FROM comments
    WHERE page_id IN ${list} AND ${IS_OPEN_THREAD} GROUP BY page_id`,
)

/** The open threads of an account. */
export const openThreads = inboxRows({
  table: 'comments',
  at: 'last_at',
  isListed: IS_OPEN_THREAD,
})

const LAST_AT = `coalesce((SELECT max(reply.created_at) FROM comments AS reply
  WHERE reply.parent_id = comments.id), created_at)`
const updateLastAt = raw(`UPDATE comments SET last_at = ${LAST_AT} WHERE id = $1`)

/** Updates the time of a thread after a reply was added or deleted. */
export async function refreshLastAt(tx: Tx, threadId: string): Promise<void> {
  await updateLastAt(tx, [threadId])
}

/** What a comment takes in an answer beside its text and its anchor, in bytes. */
const COMMENT_BYTES = 400

/** The size of each thread with its replies. It does not read texts, but their lengths alone. */
export async function sizesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  // Grouped afterwards: SQLite would copy the texts to sort them.
  const { rows } = await sql<{ id: string; bytes: number }>`
    WITH sizes AS MATERIALIZED (SELECT coalesce(parent_id, id) AS id, octet_length(body)
        + coalesce(octet_length(anchor), 0) + ${sql.lit(COMMENT_BYTES)} AS bytes FROM comments
      WHERE id IN (${sql.join(ids)}) OR parent_id IN (${sql.join(ids)}))
    SELECT id, sum(bytes) AS bytes FROM sizes GROUP BY id`.execute(db)
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
}

export function findThreads(db: Db, ids: readonly string[]): Promise<CommentRow[]> {
  return db.selectFrom('comments').selectAll().where('id', 'in', ids).execute()
}

export type CommentPatch = Partial<Omit<CommentRow, 'id' | 'page_id' | 'changed_revision'>>

export async function update(tx: Tx, ids: readonly string[], patch: CommentPatch): Promise<void> {
  const { revision } = patch
  const values = revision === undefined ? patch : { ...patch, changed_revision: revision }
  await tx.updateTable('comments').set(values).where('id', 'in', ids).execute()
}

/** Deletes a comment with its replies. @returns how many were deleted */
export async function remove(tx: Tx, id: string): Promise<number> {
  // The replies first: SQLite does not count rows that a foreign key deletes.
  const replies = await tx.deleteFrom('comments').where('parent_id', '=', id).executeTakeFirst()
  const own = await tx.deleteFrom('comments').where('id', '=', id).executeTakeFirst()
  return Number(replies.numDeletedRows + own.numDeletedRows)
}

/** The comments that a change of the draft will resolve once it is published. */
export function listAddressed(db: Db, pageId: string): Promise<CommentRow[]> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('addressed_by_draft', 'is not', null)
    .execute()
}

/** The changes that resolved them are later than this version, which is the draft again. */
export async function forgetAddressed(tx: Tx, pageId: string, versionNo: number): Promise<void> {
  await tx
    .updateTable('comments')
    .set({ addressed_by_draft: null })
    .where('page_id', '=', pageId)
    .where('addressed_by_draft', '>', versionNo)
    .execute()
}

const selectAfter = raw<CommentRow>(`
  SELECT * FROM comments WHERE page_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $3`)

/** The comments that were written after a time, oldest first. */
export function listAfter(
  db: Db,
  pageId: string,
  { after, limit }: { after: string; limit: number },
): Promise<CommentRow[]> {
  return selectAfter(db, [pageId, after, limit])
}

/** All rows of the threads that have a new or changed comment, oldest first. */
const selectChanged = raw<CommentRow>(`
  WITH changed AS (SELECT coalesce(parent_id, id) AS id FROM comments
    WHERE page_id = $1 AND changed_revision > $2
    UNION SELECT coalesce(parent_id, id) FROM comments WHERE page_id = $1 AND created_at > $3)
  SELECT thread.* FROM comments AS thread JOIN changed ON thread.id = changed.id
  UNION ALL SELECT reply.* FROM comments AS reply JOIN changed ON reply.parent_id = changed.id
  ORDER BY created_at`)

/** @param since the newest time and revision that are known already */
export function listChanged(
  db: Db,
  pageId: string,
  since: { revision: number; createdAt: string },
): Promise<CommentRow[]> {
  return selectChanged(db, [pageId, since.revision, since.createdAt])
}

/**
 * Comments that their author wrote after a time, in any order. The expression makes both engines
 * use the index of authors, who have few comments, and not that of times.
 */
const selectOwn = raw<Pick<CommentRow, 'id' | 'created_at'>>(`
  SELECT id, created_at FROM comments
  WHERE page_id = $1 AND author_key = $2 AND coalesce(created_at, '') > $3
    AND is_hidden = 0 AND is_deleted = 0`)

export function listOwn(db: Db, author: { pageId: string; key: string; after: string }) {
  return selectOwn(db, [author.pageId, author.key, author.after])
}

interface ThreadRange extends CommentQuery {
  page_id: string
}

/** The ids of threads, in ascending or descending order of their first comments. */
export async function listThreadIds(db: Db, range: ThreadRange): Promise<string[]> {
  const { page_id, state, since, limit, offset } = range
  const direction = range.order === 'newest' ? 'desc' : 'asc'
  let query = db
    .selectFrom('comments as thread')
    .select('thread.id')
    .where('thread.page_id', '=', page_id)
    .where('thread.parent_id', 'is', null)
  if (state === 'open' || state === 'resolved') {
    query = query.where('thread.state', '=', state).where('thread.is_hidden', '=', 0)
  }
  if (state === 'hidden') {
    query = query.where((eb) =>
      eb.or([
        eb('thread.is_hidden', '=', 1),
        eb.exists(
          eb
            .selectFrom('comments as reply')
            .select('reply.id')
            .whereRef('reply.parent_id', '=', 'thread.id')
            .where('reply.is_hidden', '=', 1),
        ),
      ]),
    )
  }
  if (since !== undefined) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('comments as part')
          .select('part.id')
          .where((part) =>
            part.or([
              part('part.id', '=', part.ref('thread.id')),
              part('part.parent_id', '=', part.ref('thread.id')),
            ]),
          )
          .where((part) =>
            part.or([part('part.created_at', '>', since), part('part.edited_at', '>', since)]),
          ),
      ),
    )
  }
  query = query.orderBy('thread.created_at', direction).limit(limit).offset(offset)
  return (await query.execute()).map(({ id }) => id)
}

export function listReplies(db: Db, parentIds: readonly string[]): Promise<CommentRow[]> {
  if (parentIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('comments')
    .selectAll()
    .where('parent_id', 'in', parentIds)
    .orderBy('created_at')
    .execute()
}

const updateAnchor = raw(`
  UPDATE comments SET anchor_state = $1, anchor_places = $2, anchor_manifest_id = $3
  WHERE id = $4`)

export async function setAnchorState(
  tx: Tx,
  row: Pick<CommentRow, 'id' | 'anchor_state' | 'anchor_places' | 'anchor_manifest_id'>,
): Promise<void> {
  const { anchor_state: state, anchor_places, anchor_manifest_id } = row
  await updateAnchor(tx, [state, anchor_places, anchor_manifest_id, row.id])
}

export async function mute(tx: Tx, pageId: string, recipient: string): Promise<void> {
  const row = { page_id: pageId, recipient }
  await tx
    .insertInto('comment_mutes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isMuted(db: Db, pageId: string, recipient: string): Promise<boolean> {
  const row = await db
    .selectFrom('comment_mutes')
    .select('page_id')
    .where('page_id', '=', pageId)
    .where('recipient', '=', recipient)
    .executeTakeFirst()
  return row !== undefined
}
