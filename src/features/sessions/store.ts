import { rowsInto } from '../../platform/db/chunks.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rawChange, rawExists } from '../../platform/db/raw.ts'

export const insert = rowsInto('sessions')

export function findUnexpired(db: Db, tokenHash: string, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'account_id', 'created_at', 'last_seen_at'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export const isActive = rawExists<[id: string, now: string]>(
  'SELECT 1 FROM sessions WHERE id = $1 AND expires_at > $2',
)

/** Updates a session if it is still active: it may have been revoked in the meantime. */
export async function updateLastSeen(
  tx: Tx,
  id: string,
  times: { now: string; expires_at: string },
) {
  await tx
    .updateTable('sessions')
    .set({ last_seen_at: times.now, expires_at: times.expires_at })
    .where('id', '=', id)
    .where('expires_at', '>', times.now)
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

/** @returns false where the account has none such */
export const remove = rawChange<[accountId: string, id: string]>(
  'DELETE FROM sessions WHERE account_id = $1 AND id = $2 RETURNING id',
)

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

export const deleteExpired = deletionOf<[now: string]>('sessions', 'id', 'expires_at <= $1')
