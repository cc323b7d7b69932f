import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Tx } from '../../platform/db/index.ts'
import { raw, rawExists, rawRow, rawWrite } from '../../platform/db/raw.ts'
import { deleteBy, rowsInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Session = Tables['sessions']

export const insert = rowsInto('sessions')

export const findUnexpired = rawRow<Session, [tokenHash: string, now: Timestamp]>(
  'SELECT * FROM sessions WHERE token_hash = $1 AND expires_at > $2',
)

export const isActive = rawExists<[id: string, now: string]>(
  'SELECT 1 FROM sessions WHERE id = $1 AND expires_at > $2',
)

/** Updates a session if it is still active: it may have been revoked in the meantime. */
export const updateLastSeen = rawWrite<[id: string, now: Timestamp, expiresAt: Timestamp]>(`
  UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1 AND expires_at > $2`)

type ListedSession = Pick<
  Session,
  'id' | 'user_agent' | 'created_at' | 'last_seen_at' | 'expires_at'
>
export const list = raw<ListedSession, [accountId: string, now: Timestamp]>(`
  SELECT id, user_agent, created_at, last_seen_at, expires_at FROM sessions
  WHERE account_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC`)

export const remove = deleteBy('sessions', 'account_id', 'id')

/** Deletes the session of a token. @returns what it was */
export const take = rawRow<Pick<Session, 'id' | 'account_id'>, [tokenHash: string]>(
  'DELETE FROM sessions WHERE token_hash = $1 RETURNING id, account_id',
)

/** @param exceptId '' for none */
export async function removeAll(tx: Tx, accountId: string, exceptId = ''): Promise<number> {
  return (await removeOthers(tx, [accountId, exceptId])).length
}
const removeOthers = rawWrite<[accountId: string, exceptId: string], object>(
  'DELETE FROM sessions WHERE account_id = $1 AND id <> $2 RETURNING 1 AS removed',
)

export const deleteExpired = deletionOf<[now: string]>('sessions', 'id', 'expires_at <= $1')
