import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Db } from '../../platform/db/index.ts'
import { rawChange, rawRow, rawWrite } from '../../platform/db/raw.ts'
import { rowBy, rowsInto, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Client } from './rules.ts'

/** Inserts a registration; one that is there already lasts longer. */
export const putClient = rawWrite<
  [id: string, name: string | null, redirectUris: string, expiresAt: Timestamp]
>(`
  INSERT INTO oauth_clients (id, name, redirect_uris, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
    WHERE oauth_clients.expires_at < excluded.expires_at`)

const selectClient = rawRow<
  Pick<Tables['oauth_clients'], 'id' | 'name' | 'redirect_uris'>,
  [id: string, now: Timestamp]
>('SELECT id, name, redirect_uris FROM oauth_clients WHERE id = $1 AND expires_at > $2')

export async function findClient(db: Db, id: string, now: Timestamp): Promise<Client | null> {
  const row = await selectClient(db, [id, now])
  return row === undefined ? null : { ...row, redirect_uris: JSON.parse(row.redirect_uris) }
}

export const updateClient = updateBy('oauth_clients', 'id')

/** Deletes the oldest of the registrations that nobody has allowed, so that as many stay. */
export const deleteUnused = rawWrite<[most: number]>(`
  DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients WHERE used_at IS NULL
    ORDER BY expires_at DESC, id LIMIT 1000 OFFSET $1)`)

export const insertCodes = rowsInto('oauth_codes')

/** Marks a code as used. @returns undefined where it was before, has expired, or is none */
export const useCode = rawRow<Tables['oauth_codes'], [hash: string, now: Timestamp]>(`
  UPDATE oauth_codes SET used_at = $2
  WHERE hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING *`)

export const updateCode = updateBy('oauth_codes', 'hash')
export const findCode = rowBy('oauth_codes', ['hash'])

export const insertTokens = rowsInto('oauth_tokens')

export const findToken = rawRow<Tables['oauth_tokens'], [hash: string, now: Timestamp]>(
  'SELECT * FROM oauth_tokens WHERE hash = $1 AND expires_at > $2',
)

/** Marks a refresh token as used. @returns false where another request was first */
export const useToken = rawChange<[hash: string, now: string, expiresAt: string]>(`
  UPDATE oauth_tokens SET used_at = $2, expires_at = $3
  WHERE hash = $1 AND used_at IS NULL RETURNING hash`)

const expiredOf = (table: 'oauth_tokens' | 'oauth_codes' | 'oauth_clients', key: string) =>
  deletionOf<[time: string]>(table, key, 'expires_at <= $1')

export const deleteTokens = expiredOf('oauth_tokens', 'hash')
export const deleteCodes = expiredOf('oauth_codes', 'hash')
export const deleteClients = expiredOf('oauth_clients', 'id')
