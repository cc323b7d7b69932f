import type { CommentCountersTable } from '../../../platform/db/conversation-tables.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { raw } from '../../../platform/db/raw.ts'

export type Counter = Omit<CommentCountersTable, 'page_id'>

const NO_COMMENTS: Counter = { count: 0, last_us: 0, revision: 0, whole_revision: 0 }

const selectCounter = raw<Counter>(`
  SELECT count, last_us, revision, whole_revision FROM comment_counters WHERE page_id = $1`)

export async function findCounter(db: Db, pageId: string): Promise<Counter> {
  return (await selectCounter(db, [pageId]))[0] ?? NO_COMMENTS
}

/** The number, time and revision of a new comment. */
export type Stamp = Pick<Counter, 'revision' | 'last_us'>

const reservePlace = raw<Stamp>(`
  UPDATE comment_counters SET count = count + 1, revision = revision + 1,
    last_us = CASE WHEN last_us < $1 THEN $1 ELSE last_us + 1 END
  WHERE page_id = $2 AND count < $3 RETURNING revision, last_us`)

const insertCounter = raw(`
  INSERT INTO comment_counters (page_id, count, last_us, revision, whole_revision)
  VALUES ($1, 0, 0, 0, 0) ON CONFLICT (page_id) DO NOTHING`)

/**
 * Reserves the place, time and revision of a new comment in one statement, so that all are exact
 * with any number of nodes. It locks the page's comments until the transaction ends.
 *
 * @returns undefined if the page has `maxCount` comments
 * @throws a foreign key violation if the page is deleted
 */
export async function reserve(
  tx: Tx,
  pageId: string,
  { nowUs, maxCount }: { nowUs: number; maxCount: number },
): Promise<Stamp | undefined> {
  const parameters = [nowUs, pageId, maxCount]
  const [reserved] = await reservePlace(tx, parameters)
  if (reserved !== undefined) return reserved
  await insertCounter(tx, [pageId])
  return (await reservePlace(tx, parameters))[0]
}

const updateRevision = raw<Pick<Counter, 'revision'>>(`
  UPDATE comment_counters SET revision = revision + 1 WHERE page_id = $1 RETURNING revision`)

/** Locks the page's comments until the transaction ends. @returns the revision of the change */
export async function startChange(tx: Tx, pageId: string): Promise<number> {
  return (await updateRevision(tx, [pageId]))[0]?.revision ?? 0
}

const updateCount = raw('UPDATE comment_counters SET count = count - $1 WHERE page_id = $2')

export async function giveBack(tx: Tx, pageId: string, count: number): Promise<void> {
  await updateCount(tx, [count, pageId])
}

/**
 * Records that threads were deleted: clients with an older revision have to read all of them again.
 */
export async function requireWhole(tx: Tx, pageId: string): Promise<void> {
  await tx
    .updateTable('comment_counters')
    .set((eb) => ({ whole_revision: eb.ref('revision') }))
    .where('page_id', '=', pageId)
    .execute()
}

/** The counter that an imported page starts with. */
export async function insertImported(
  tx: Tx,
  pageId: string,
  { count, last_us }: Pick<Counter, 'count' | 'last_us'>,
): Promise<void> {
  await tx
    .insertInto('comment_counters')
    .values({ page_id: pageId, count, last_us, revision: 1, whole_revision: 0 })
    .execute()
}
