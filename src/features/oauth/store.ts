import type { Insertable } from 'kysely'
import { rowsInto } from '../../platform/db/chunks.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rawChange } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Client } from './rules.ts'

/** Inserts a registration; one that is there already lasts longer. */
export async function putClient(tx: Tx, row: Insertable<Tables['oauth_clients']>): Promise<void> {
  await tx
    .insertInto('oauth_clients')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ expires_at: row.expires_at })
        .where('oauth_clients.expires_at', '<', row.expires_at),
    )
    .execute()
}

export async function findClient(db: Db, id: string, now: string): Promise<Client | null> {
  const row = await db
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirect_uris'])
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, redirect_uris: JSON.parse(row.redirect_uris) }
}

/** That somebody has allowed an app, or that it still uses that. */
export async function markUsed(
  tx: Tx,
  id: string,
  { now, expires_at }: { now: string; expires_at: string },
): Promise<void> {
  const values = { used_at: now, expires_at }
  await tx.updateTable('oauth_clients').set(values).where('id', '=', id).execute()
}

/** Deletes the oldest of the registrations that nobody has allowed, so that as many stay. */
export async function deleteUnused(tx: Tx, most: number): Promise<void> {
  const unused = tx.selectFrom('oauth_clients').select('id').where('used_at', 'is', null)
  const rest = unused.orderBy('expires_at', 'desc').orderBy('id').limit(1000).offset(most)
  await tx.deleteFrom('oauth_clients').where('id', 'in', rest).execute()
}

export const insertCodes = rowsInto('oauth_codes')

/** Marks a code as used. @returns undefined where it was before, has expired, or is none */
export function useCode(tx: Tx, hash: string, now: string) {
  const update = tx.updateTable('oauth_codes').set({ used_at: now }).where('hash', '=', hash)
  const unused = update.where('used_at', 'is', null).where('expires_at', '>', now)
  return unused.returningAll().executeTakeFirst()
}

export async function setCodeKey(tx: Tx, hash: string, keyId: string): Promise<void> {
  await tx.updateTable('oauth_codes').set({ key_id: keyId }).where('hash', '=', hash).execute()
}

/** The connection that a code was used for. */
export async function keyOfCode(db: Db, hash: string): Promise<string | null> {
  const code = db.selectFrom('oauth_codes').select('key_id').where('hash', '=', hash)
  return (await code.executeTakeFirst())?.key_id ?? null
}

export const insertTokens = rowsInto('oauth_tokens')

export function findToken(db: Db, hash: string, now: string) {
  return db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Marks a refresh token as used. @returns false where another request was first */
export const useToken = rawChange<[hash: string, now: string, expiresAt: string]>(`
  UPDATE oauth_tokens SET used_at = $2, expires_at = $3
  WHERE hash = $1 AND used_at IS NULL RETURNING hash`)

const expiredOf = (table: 'oauth_tokens' | 'oauth_codes' | 'oauth_clients', key: string) =>
  deletionOf<[time: string]>(table, key, 'expires_at <= $1')

export const deleteTokens = expiredOf('oauth_tokens', 'hash')
export const deleteCodes = expiredOf('oauth_codes', 'hash')
export const deleteClients = expiredOf('oauth_clients', 'id')
