import { CompiledQuery } from 'kysely'
import type { Tx } from '../../platform/db/index.ts'

const ADD = `
  INSERT INTO view_notices (page_id, minute, views) VALUES ($1, $2, $3)
  ON CONFLICT (page_id, minute) DO UPDATE SET views = view_notices.views + excluded.views
  RETURNING views`

/** @returns how many views the page has had in this minute, these included */
export async function addViews(tx: Tx, page_id: string, minute: number, views: number) {
  const query = CompiledQuery.raw(ADD, [page_id, minute, views])
  const { rows } = await tx.executeQuery<{ views: number }>(query as CompiledQuery<never>)
  return rows[0]!.views
}

export async function deleteBefore(tx: Tx, minute: number): Promise<void> {
  await tx.deleteFrom('view_notices').where('minute', '<', minute).execute()
}
