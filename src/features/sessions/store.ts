import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { SessionsTable } from '../../platform/db/tables.ts'

export async function insert(tx: Tx, row: Insertable<SessionsTable>): Promise<void> {
  await tx.insertInto('sessions').values(row).execute()
}

export function findUnexpired(db: Db, tokenHash: string, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'account_id', 'created_at', 'last_seen_at'])
    .where('token_hash', '=', tokenHash)
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

/** Updates a session if it is still active: it may have been revoked in the meantime. */
export async function updateLastSeen(
  tx: Tx,
  id: string,
  seen: { now: string; expires_at: string },
) {
  await tx
    .updateTable('sessions')
    .set({ last_seen_at: seen.now, expires_at: seen.expires_at })
    .where('id', '=', id)
    .where('expires_at', '>', seen.now)
    .execute()
}

export function list(db: Db, accountId: string, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function remove(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes the session of a token. @returns what it was */
export function take(tx: Tx, tokenHash: string) {
  return tx
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(['id', 'account_id'])
    .executeTakeFirst()
}

export async function removeAll(tx: Tx, accountId: string, exceptId?: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .$if(exceptId !== undefined, (query) => query.where('id', '!=', exceptId!))
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
