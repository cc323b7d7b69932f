import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database, Db } from './index.ts'
import { listTables, type Table } from './table-copy.ts'

const MAX_PROBLEMS = 10
/** Up to here all of it is looked at, which takes a fifth of a second. */
const QUICK_BYTES = 64 * 1024 * 1024

/**
 * The same in little time, however large the database is: all of a small one; of a large one
 * whether its file is cut off, and the first and the last row of each table.
 *
 * @param path of a SQLite database
 * @returns what is wrong; null where nothing was found
 */
export async function quickProblem(database: Database, path: string): Promise<string | null> {
  try {
    if (await isCutOff(database.read, path)) return 'its file is cut off'
    if (statSync(path).size <= QUICK_BYTES) {
      const check = await sql<{ quick_check: string }>`PRAGMA quick_check(1)`.execute(database.read)
      const [{ quick_check: verdict } = { quick_check: 'ok' }] = check.rows
      return verdict === 'ok' ? null : verdict
    }
    for (const table of await listTables(database.read, database.engine)) {
      await readEnds(database.read, table)
    }
    return null
  } catch (err) {
    if (isDamage(err)) return (err as Error).message
    throw err
  }
}

/** Whether SQLite says that a file is damaged, or none of its own. */
export function isDamage(err: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String((err as { code?: unknown } | null)?.code))
}

async function readEnds(db: Db, { name, columns, key }: Table): Promise<void> {
  const all = sql.join(columns.map((column) => sql.ref(column)))
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`)
    await sql`SELECT ${all} FROM ${sql.table(name)} ORDER BY ${sql.join(order)} LIMIT 1`.execute(db)
  }
}

/**
 * Whether the file is shorter than its header says. The log may still hold what it lacks. SQLite is
 * asked: to open and close the file here would take away the locks that this process has on it.
 */
async function isCutOff(read: Db, path: string): Promise<boolean> {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false
  const [pages] = (await sql<{ page_count: number }>`PRAGMA page_count`.execute(read)).rows
  const [size] = (await sql<{ page_size: number }>`PRAGMA page_size`.execute(read)).rows
  return statSync(path).size < pages!.page_count * size!.page_size
}

/**
 * What the engine itself finds wrong with its files. It reads all of SQLite's; PostgreSQL guards
 * its own by checksums, and keeps no row that refers to nothing.
 */
export async function integrityProblems(database: Database): Promise<string[]> {
  if (database.engine === 'postgres') return []
  const check = await sql
    .raw<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
    .execute(database.read)
  const problems = check.rows.map((row) => row.integrity_check)
  const foreign = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(
    database.read,
  )
  const dangling = foreign.rows
    .slice(0, MAX_PROBLEMS)
    .map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`)
  return [...problems.filter((text) => text !== 'ok'), ...dangling]
}

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
