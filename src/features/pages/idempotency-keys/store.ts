import type { Db, Tx } from '../../../platform/db/index.ts'
import { preparedRows } from '../../../platform/db/prepared.ts'
import type { IdempotencyKeysTable } from '../../../platform/db/tables.ts'

export const insertIdempotencyKeys = preparedRows((tx: Tx, rows: readonly IdempotencyKeysTable[]) =>
  tx.insertInto('idempotency_keys').values(rows),
)

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
