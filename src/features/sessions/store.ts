import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { SessionsTable } from '../../platform/db/tables.ts'

export async function insert(tx: Tx, row: Insertable<SessionsTable>): Promise<void> {
  await tx.insertInto('sessions').values(row).execute()
}

export function findLive(db: Db, token_hash: string, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'account_id', 'last_seen_at'])
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export function findById(db: Db, id: string, now: string) {
  return db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Only one that still lives: what was revoked meanwhile stays gone. */
export async function touch(tx: Tx, id: string, seen: { now: string; expires_at: string }) {
  await tx
    .updateTable('sessions')
    .set({ last_seen_at: seen.now, expires_at: seen.expires_at })
    .where('id', '=', id)
    .where('expires_at', '>', seen.now)
    .execute()
}

export function list(db: Db, account_id: string, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('account_id', '=', account_id)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function remove(tx: Tx, account_id: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function removeAll(tx: Tx, account_id: string, but: string | null): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', account_id)
    .$if(but !== null, (query) => query.where('id', '!=', but))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function deleteExpired(tx: Tx, now: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
