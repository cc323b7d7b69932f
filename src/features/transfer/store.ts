import type { Db } from '../../platform/db/index.ts'

/** Rows that are read at once: one response has up to 256 KiB. */
const BATCH = 50

/** The tables of what visitors gave a page, each with the column that orders its rows. */
export const ROW_TABLES = {
  responses: 'created_at',
  comments: 'created_at',
  polls: 'page_id',
  poll_options: 'option_no',
  votes: 'voter',
  approval_decisions: 'id',
  approval_requests: 'email',
  access_requests: 'id',
  view_hours: 'hour',
} as const
export type RowTable = keyof typeof ROW_TABLES

/** Reads all rows of a page in one table, as they are, a batch at a time. */
export async function* readRows(
  db: Db,
  table: RowTable,
  pageId: string,
): AsyncGenerator<Record<string, unknown>> {
  // The columns differ; the names of both of these are the same in each table of the list.
  const [name, order] = [table as 'responses', ROW_TABLES[table] as 'created_at']
  for (let last: string | undefined; ; ) {
    let query = db.selectFrom(name).selectAll().where('page_id', '=', pageId)
    if (last !== undefined) query = query.where(order, '>', last)
    const rows = await query.orderBy(order).limit(BATCH).execute()
    yield* rows as unknown as Record<string, unknown>[]
    if (rows.length < BATCH) return
    last = rows.at(-1)![order]
  }
}
