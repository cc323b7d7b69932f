import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from './index.ts'
import { rawWrite } from './raw.ts'
import { listTables, type Table } from './table-copy.ts'
import type { Tables } from './tables.ts'

/** How many rows one transaction deletes. */
export const ROWS = 500
/** Of tables whose rows may have hundreds of kilobytes. */
const LARGE_ROWS: Record<string, number> = { responses: 20, imported_approval_records: 2 }

/**
 * A function that deletes the rows that meet a condition, in short transactions. Other writes run
 * in between.
 *
 * @param key the columns of its primary key
 * @returns how many
 */
export function deletionOf<Parameters extends readonly unknown[]>(
  table: keyof Tables,
  key: string,
  condition: string,
) {
  const deleteSome = rawWrite<Parameters, object>(`
    DELETE FROM ${table} WHERE (${key}) IN
      (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${ROWS})
    RETURNING 1 AS deleted`)

  return (database: Database, parameters: Parameters): Promise<number> =>
    deleteInPieces(database, ROWS, async (tx) => (await deleteSome(tx, parameters)).length)
}

/** @param deleteSome deletes at most that many rows. @returns how many all were */
export async function deleteInPieces(
  database: Database,
  most: number,
  deleteSome: (tx: Tx) => Promise<number>,
): Promise<number> {
  let count = 0
  for (let deleted = most; deleted === most; count += deleted) {
    deleted = await database.write(deleteSome, 'freeing')
  }
  return count
}

const DEPENDENTS = {
  sqlite: `SELECT s.name FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
    WHERE s.type = 'table' AND f."table" IN ('pages', 'polls') AND f."from" = 'page_id'
    ORDER BY s.name = 'polls'`,
  postgres: `SELECT DISTINCT relname AS name, relname = 'polls' AS is_last
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND confrelid IN ('pages'::regclass, 'polls'::regclass)
    ORDER BY is_last`,
}

async function dependentsOf({ engine, read }: Database): Promise<Table[]> {
  const { rows } = await sql.raw<{ name: string }>(DEPENDENTS[engine]).execute(read)
  const tables = await listTables(read, engine)
  return rows.map((row) => tables.find(({ name }) => name === row.name)!)
}

function rowsAtOnce(table: string): number {
  return LARGE_ROWS[table] ?? ROWS
}

/** Whether some table has more rows of the page than one transaction deletes. */
export async function hasManyRows(database: Database, pageId: string): Promise<boolean> {
  const queries = (await dependentsOf(database)).map(
    ({ name }) => sql`(SELECT 1 FROM ${sql.table(name)} WHERE page_id = ${pageId}
      LIMIT 1 OFFSET ${sql.lit(rowsAtOnce(name))})`,
  )
  const { rows } = await sql<{ is_many: number | null }>`
    SELECT coalesce(${sql.join(queries)}) AS is_many`.execute(database.read)
  return rows[0]!.is_many !== null
}

/**
 * Deletes all rows of a page in short transactions, so that very many rows do not block other
 * writes. Only for pages that are already hidden: it is not atomic.
 */
export async function deleteRowsOfPage(database: Database, pageId: string): Promise<void> {
  for (const table of await dependentsOf(database)) {
    // Deleting a comment deletes all its replies.
    if (table.name === 'comments') {
      await deleteRows(database, table, sql`page_id = ${pageId} AND parent_id > ''`)
    }
    await deleteRows(database, table, sql`page_id = ${pageId}`)
  }
}

async function deleteRows(
  database: Database,
  { name, key }: Table,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const table = sql.table(name)
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const most = rowsAtOnce(name)
  const statement = sql`DELETE FROM ${table} WHERE (${columns}) IN
    (SELECT ${columns} FROM ${table} WHERE ${condition} LIMIT ${sql.lit(most)})`
  await deleteInPieces(database, most, async (tx) => {
    const { numAffectedRows } = await statement.execute(tx)
    return Number(numAffectedRows ?? 0)
  })
}
