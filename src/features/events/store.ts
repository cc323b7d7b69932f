import type { Tx } from '../../platform/db/index.ts'
import { raw } from '../../platform/db/raw.ts'
import type { EventCountsTable } from '../../platform/db/tables.ts'

const upsertCount = raw<{ count: number }>(`
  INSERT INTO event_counts (page_id, kind, minute, count) VALUES ($1, $2, $3, $4)
  ON CONFLICT (page_id, kind, minute)
    DO UPDATE SET count = event_counts.count + excluded.count
  RETURNING count`)

/** @returns how many events of this kind the page has had in this minute, these included */
export async function addCount(tx: Tx, row: EventCountsTable): Promise<number> {
  const [total] = await upsertCount(tx, [row.page_id, row.kind, row.minute, row.count])
  return total!.count
}

export async function deleteOutside(
  tx: Tx,
  { first, last }: { first: number; last: number },
): Promise<void> {
  const counts = tx.deleteFrom('event_counts')
  await counts.where((eb) => eb.or([eb('minute', '<', first), eb('minute', '>', last)])).execute()
}
