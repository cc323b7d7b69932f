import type { Timestamp } from '../../platform/clock.ts'
import { rawChange, rawRow } from '../../platform/db/raw.ts'
import { deleteBy, insertOnceInto, rowBy, rowsBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** @returns false where a passkey with this credential is there already */
export const insertOnce = insertOnceInto('passkeys')
export const findByCredential = rowBy('passkeys', ['credential_id'])
export const list = rowsBy('passkeys', ['account_id'], {
  columns: ['id', 'credential_id', 'name', 'created_at', 'last_used_at'],
  order: 'created_at, id',
})

/**
 * Records a sign-in. A counter that does not grow is of a copy of the passkey; those that are kept
 * in several devices always count 0.
 *
 * @returns false where the passkey was removed, or used by another request at the same time
 */
export const recordUse = rawChange<[id: string, counter: number, now: Timestamp]>(`
  UPDATE passkeys SET counter = $2, last_used_at = $3
  WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`)

export const rename = rawRow<
  Pick<Tables['passkeys'], 'id' | 'name' | 'created_at' | 'last_used_at'>,
  [accountId: string, id: string, name: string]
>(`
  UPDATE passkeys SET name = $3 WHERE account_id = $1 AND id = $2
  RETURNING id, name, created_at, last_used_at`)

export const remove = deleteBy('passkeys', 'account_id', 'id')
export const removeAll = deleteBy('passkeys', 'account_id')
