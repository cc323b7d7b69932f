import type { Insertable } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rawChange } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'

export async function insertOnce(tx: Tx, row: Insertable<Tables['identities']>): Promise<void> {
  const insert = tx.insertInto('identities').values(row)
  await insert.onConflict((conflict) => conflict.doNothing()).execute()
}

export function find(db: Db, { issuer, subject }: { issuer: string; subject: string }) {
  return db
    .selectFrom('identities')
    .select(['id', 'account_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export function list(db: Db, accountId: string) {
  return db
    .selectFrom('identities')
    .select(['id', 'issuer', 'email', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function listIssuers(db: Db, accountIds: string[]) {
  if (accountIds.length === 0) return []
  return db
    .selectFrom('identities')
    .select(['account_id', 'issuer'])
    .where('account_id', 'in', accountIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function recordUse(
  tx: Tx,
  id: string,
  { email, now }: { email: string | null; now: Timestamp },
): Promise<void> {
  await tx
    .updateTable('identities')
    .set({ last_used_at: now, ...(email !== null && { email }) })
    .where('id', '=', id)
    .execute()
}

/** @returns false where the account has none such */
export const remove = rawChange<[accountId: string, id: string]>(
  'DELETE FROM identities WHERE account_id = $1 AND id = $2 RETURNING id',
)

export async function removeAll(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('identities').where('account_id', '=', accountId).execute()
}
