import type { Timestamp } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { FreedSlugsTable } from '../../../platform/db/tables.ts'

/** It may have been freed before, by this account or, long ago, by another. */
export async function putFreed(tx: Tx, row: FreedSlugsTable): Promise<void> {
  const { account_id: accountId, freed_at: freedAt } = row
  await tx
    .insertInto('freed_slugs')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet({ account_id: accountId, freed_at: freedAt }),
    )
    .execute()
}

export async function deleteFreed(tx: Tx, before: Timestamp): Promise<void> {
  await tx.deleteFrom('freed_slugs').where('freed_at', '<', before).execute()
}

/** @returns the row of an account that freed the slug since then; undefined where there is none */
export function findFreed(db: Db, slug: string, since: Timestamp) {
  return db
    .selectFrom('freed_slugs')
    .select('account_id')
    .where('slug', '=', slug)
    .where('freed_at', '>=', since)
    .executeTakeFirst()
}

/** Nobody may take them any more. */
export async function disownFreed(tx: Tx, accountId: string): Promise<void> {
  const freed = tx.updateTable('freed_slugs').where('account_id', '=', accountId)
  await freed.set({ account_id: null }).execute()
}
