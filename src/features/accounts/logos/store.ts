import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Tables } from '../../../platform/db/tables.ts'

export async function putLogo(tx: Tx, row: Tables['logos']): Promise<void> {
  const { account_id: _, ...changes } = row
  const insert = tx.insertInto('logos').values(row)
  await insert
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(changes))
    .execute()
}

export async function deleteLogo(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('logos').where('account_id', '=', accountId).execute()
}

export function findLogo(db: Db, id: string) {
  return db
    .selectFrom('logos')
    .select(['account_id', 'mime', 'data'])
    .where('id', '=', id)
    .limit(1)
    .executeTakeFirst()
}
