import type { Db, Tx } from '../../../platform/db/index.ts'
import type { IdempotencyKeysTable } from '../../../platform/db/tables.ts'

export async function insertIdempotencyKey(tx: Tx, row: IdempotencyKeysTable): Promise<void> {
  await tx.insertInto('idempotency_keys').values(row).execute()
}

export function findIdempotencyKey(db: Db, accountId: string, key: string) {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer_sealed', 'created_at'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function deleteIdempotencyKeysOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('account_id', '=', accountId).execute()
}

export async function deleteIdempotencyKeys(tx: Tx, before: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
