import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { ConfirmationsTable } from '../../platform/db/tables.ts'

export type Row = Selectable<ConfirmationsTable>

export async function insert(tx: Tx, row: Insertable<ConfirmationsTable>): Promise<void> {
  await tx.insertInto('confirmations').values(row).execute()
}

export function findLive(db: Db, token_hash: string, now: string): Promise<Row | undefined> {
  return db
    .selectFrom('confirmations')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** One statement: of two that use a link at once, the second finds nothing to use. */
export function use(tx: Tx, token_hash: string, now: string): Promise<Row | undefined> {
  return tx
    .updateTable('confirmations')
    .set({ used_at: now })
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export interface CodeTry {
  browser_hash: string
  purpose: string
  page_id: string | null
  max_tries: number
  now: string
}

/**
 * Counts a try against the newest of this browser, purpose and page, if it takes any more. An older
 * one never comes alive again, whatever became of the newest.
 */
export function takeTry(tx: Tx, asked: CodeTry): Promise<Row | undefined> {
  const { browser_hash, purpose, page_id, max_tries, now } = asked
  return tx
    .updateTable('confirmations')
    .set({ tries: sql`tries + 1` })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('confirmations')
        .select('id')
        .where('browser_hash', '=', browser_hash)
        .where('purpose', '=', purpose)
        .where('page_id', page_id === null ? 'is' : '=', page_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .where('tries', '<', max_tries)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteExpired(tx: Tx, before: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('confirmations')
    .where('expires_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
