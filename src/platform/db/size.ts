import { sql } from 'kysely'
import type { Database } from './index.ts'

/** How much the database takes on its disk. */
export async function databaseBytes({ engine, read }: Database): Promise<number> {
  const query =
    engine === 'sqlite'
      ? sql<Size>`SELECT page_count * page_size AS bytes
          FROM pragma_page_count(), pragma_page_size()`
      : sql<Size>`SELECT pg_database_size(current_database()) AS bytes`
  const { rows } = await query.execute(read)
  return Number(rows[0]!.bytes)
}

interface Size {
  bytes: number | string
}
