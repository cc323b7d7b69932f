import { sql } from 'kysely'
import type { Database } from './index.ts'

/**
 * Writes a copy of a SQLite database to a new file: one consistent state, also of one that others
 * write to meanwhile. It holds up this process until it is done.
 */
export async function copySqlite(database: Database, path: string): Promise<void> {
  await sql`VACUUM INTO ${path}`.execute(database.read)
}
