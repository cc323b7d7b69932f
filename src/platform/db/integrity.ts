import { sql } from 'kysely'
import type { Database } from './index.ts'

const MAX_PROBLEMS = 10

/**
 * What the engine itself finds wrong with its files. It reads all of SQLite's; PostgreSQL guards
 * its own by checksums, and keeps no row that refers to nothing.
 */
export async function integrityProblems(database: Database): Promise<string[]> {
  if (database.engine === 'postgres') return []
  const checked = await sql
    .raw<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
    .execute(database.read)
  const problems = checked.rows.map((row) => row.integrity_check)
  const foreign = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(
    database.read,
  )
  const dangling = foreign.rows
    .slice(0, MAX_PROBLEMS)
    .map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`)
  return [...problems.filter((text) => text !== 'ok'), ...dangling]
}
