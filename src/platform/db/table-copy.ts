import { type Expression, sql } from 'kysely'
import type { Database, Db, Tx } from './index.ts'

/** A table of either engine, as its catalog describes it. */
export interface Table {
  name: string
  columns: string[]
  /** The columns of the primary key, in its order. */
  key: string[]
}

/** What a column holds on both engines. Integers are below 2^53. */
export type Value = string | number | null | Uint8Array

interface ColumnRow {
  table_name: string
  column_name: string
  /** From 1; 0 for a column that is not in the key. */
  key_at: number
}

const COLUMNS = {
  sqlite: `
    SELECT m.name AS table_name, c.name AS column_name, c.pk AS key_at
    FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY m.name, c.cid`,
  postgres: `
    SELECT t.relname AS table_name, c.attname AS column_name,
      coalesce(array_position(k.indkey::int2[], c.attnum) + 1, 0) AS key_at
    FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0
      AND NOT c.attisdropped
    LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
    ORDER BY t.relname, c.attnum`,
}

/** The tables that there are, by name. */
export async function listTables(db: Db, engine: Database['engine']): Promise<Table[]> {
  const { rows } = await sql.raw<ColumnRow>(COLUMNS[engine]).execute(db)
  const byName = Map.groupBy(rows, (row) => row.table_name)
  return [...byName].map(([name, columns]) => ({
    name,
    columns: columns.map((column) => column.column_name),
    key: columns
      .filter((column) => column.key_at > 0)
      .sort((a, b) => a.key_at - b.key_at)
      .map((column) => column.column_name),
  }))
}

/** So few that their bytes fit in memory: a row may hold a small file. */
const ROWS_AT_ONCE = 200

/** All rows of a table by its key, a few at a time; each row has its values by column. */
export async function* readRows(db: Db, { name, columns, key }: Table): AsyncGenerator<Value[][]> {
  const order = sql.join(key.map((column) => sql.ref(column)))
  for (let after: Value[] | null = null; ; ) {
    const from: Expression<unknown> =
      after === null ? sql`` : sql`WHERE (${order}) > (${sql.join(after)})`
    const { rows } = await sql<Record<string, Value>>`
      SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(name)}
      ${from} ORDER BY ${order} LIMIT ${sql.lit(ROWS_AT_ONCE)}`.execute(db)
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column]!))
    if (rows.length < ROWS_AT_ONCE) return
    const last = rows.at(-1)!
    after = key.map((column) => last[column]!)
  }
}

const MAX_PARAMETERS = 10_000

/** Writes rows that `readRows` has read, here or on the other engine. */
export async function insertRows(tx: Tx, table: Table, rows: readonly Value[][]): Promise<void> {
  const { name, columns } = table
  const atOnce = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length))
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce).map((row) => sql`(${sql.join(row)})`)
    await sql`INSERT INTO ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      VALUES ${sql.join(some)}`.execute(tx)
  }
}

/** Deletes all rows of all tables. Call it inside `withoutOrder`. */
export async function deleteRows(tx: Tx, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) await sql`DELETE FROM ${sql.table(name)}`.execute(tx)
}

/**
 * Runs `work` with foreign keys checked at its end, so that tables can be filled in any order.
 *
 * @throws the engine's error where a row refers to one that is not there
 */
export async function withoutOrder(
  tx: Tx,
  engine: Database['engine'],
  work: () => Promise<void>,
): Promise<void> {
  if (engine === 'sqlite') {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(tx)
    return work()
  }
  const { rows } = await sql<{ statement: string }>`
    SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    `.execute(tx)
  for (const { statement } of rows) {
    await sql.raw(`${statement} DEFERRABLE INITIALLY DEFERRED`).execute(tx)
  }
  await work()
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
  for (const { statement } of rows) await sql.raw(`${statement} NOT DEFERRABLE`).execute(tx)
}
