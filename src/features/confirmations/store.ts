import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { ConfirmationsTable } from '../../platform/db/tables.ts'

export type Row = Selectable<ConfirmationsTable>

export async function insert(tx: Tx, row: Insertable<ConfirmationsTable>): Promise<void> {
  await tx.insertInto('confirmations').values(row).execute()
}

export function findUnexpired(db: Db, tokenHash: string, now: string): Promise<Row | undefined> {
  return db
    .selectFrom('confirmations')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export function findUsedSince(db: Db, tokenHash: string, since: string): Promise<Row | undefined> {
  return db
    .selectFrom('confirmations')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', '>=', since)
    .executeTakeFirst()
}

/** One statement, so that of two requests with one link at once only the first gets the row. */
export function markUsed(tx: Tx, tokenHash: string, now: string): Promise<Row | undefined> {
  return tx
    .updateTable('confirmations')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

interface OpenCode {
  browser_hash: string
  purpose: string
  page_id: string | null
  maxTries: number
  now: string
  /** What was created later is by a clock that was set back since, and older than all else. */
  latest: string
}

export interface CodeTry extends OpenCode {
  id: string
}

/**
 * The newest confirmation of this browser, purpose and page, if it allows another try. An older one
 * is never tried, whatever happened to the newest.
 */
export function findForCode(
  db: Db,
  { browser_hash, purpose, page_id, maxTries, now, latest }: OpenCode,
): Promise<Pick<Row, 'id' | 'email'> | undefined> {
  return db
    .selectFrom('confirmations')
    .select(['id', 'email'])
    .where('id', '=', (eb) =>
      eb
        .selectFrom('confirmations')
        .select('id')
        .where('browser_hash', '=', browser_hash)
        .where('purpose', '=', purpose)
        .where('page_id', page_id === null ? 'is' : '=', page_id)
        .orderBy(sql`created_at > ${latest}`)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .where('tries', '<', maxTries)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Counts a try and returns the row, unless the limit is reached, also by concurrent tries. */
export function countTry(tx: Tx, { id, maxTries, now }: CodeTry): Promise<Row | undefined> {
  return tx
    .updateTable('confirmations')
    .set({ tries: sql`tries + 1` })
    .where('id', '=', id)
    .where('tries', '<', maxTries)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Marks the unused confirmations of a page with these details as used. */
export async function closeAll(
  tx: Tx,
  { pageId, details, now }: { pageId: string; details: string; now: string },
): Promise<void> {
  await tx
    .updateTable('confirmations')
    .set({ used_at: now })
    .where('page_id', '=', pageId)
    .where('details', '=', details)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteExpired(tx: Tx, before: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('confirmations')
    .where('expires_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
