import type { Db, Tx } from '../../platform/db/index.ts'

export function readAll(db: Db) {
  return db.selectFrom('settings').select(['name', 'value']).execute()
}

export async function upsert(
  tx: Tx,
  row: { name: string; value: string; updated_at: string },
): Promise<void> {
  const { name: _, ...changes } = row
  const insert = tx.insertInto('settings').values(row)
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet(changes)).execute()
}

export async function remove(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', name).execute()
}
