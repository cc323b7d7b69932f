import type { Insertable } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rawChange } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** @returns false where a passkey with this credential is there already */
export async function insertOnce(tx: Tx, row: Insertable<Tables['passkeys']>): Promise<boolean> {
  const insert = tx.insertInto('passkeys').values(row)
  const inserted = await insert
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export function findByCredential(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

export function list(db: Db, accountId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'name', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Records a sign-in. A counter that does not grow is of a copy of the passkey; those that are kept
 * in several devices always count 0.
 *
 * @returns false where the passkey was removed, or used by another request at the same time
 */
export async function recordUse(
  tx: Tx,
  id: string,
  { counter, now }: { counter: number; now: Timestamp },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export function rename(
  tx: Tx,
  { accountId, id, name }: Record<'accountId' | 'id' | 'name', string>,
) {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()
}

/** @returns false where the account has none such */
export const remove = rawChange<[accountId: string, id: string]>(
  'DELETE FROM passkeys WHERE account_id = $1 AND id = $2 RETURNING id',
)

export async function removeAll(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('account_id', '=', accountId).execute()
}
