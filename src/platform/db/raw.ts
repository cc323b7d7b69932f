import { CompiledQuery, SqliteAdapter } from 'kysely'
import type { Db } from './index.ts'

/** Runs a prepared statement on one connection. */
export type Run = (...parameters: unknown[]) => object[] | Promise<object[]>

/**
 * On a `Db` of SQLite: prepares a statement that runs without Kysely, in half the time (13 instead
 * of 26 µs for the statement that counts a view).
 */
export const prepareStatement = Symbol('prepareStatement')

export interface DirectDb {
  [prepareStatement](statement: string): Run
}

/**
 * Prepares a statement written as SQL, for hot paths and for what the query builder cannot express.
 * Parameters are `$1`, `$2`… on both engines. `Row` is the type of the rows that it returns.
 *
 * @returns a function that runs the statement: a write in a `Tx`, a read on any `Db`
 */
export function raw<Row extends object = never>(statement: string) {
  const prepared = new WeakMap<Db, Run>()

  return async (db: Db, parameters: readonly unknown[]): Promise<Row[]> => {
    const run = prepared.get(db)
    if (run !== undefined) return run(...parameters) as Row[] | Promise<Row[]>
    if (!isDirect(db)) {
      const query = CompiledQuery.raw(statement, [...parameters]) as CompiledQuery<Row>
      return (await db.executeQuery(query)).rows
    }
    const made = db[prepareStatement](statement)
    prepared.set(db, made)
    return made(...parameters) as Row[] | Promise<Row[]>
  }
}

function isDirect(db: Db): db is Db & DirectDb {
  return prepareStatement in db
}

/**
 * Prepares a statement about the rows that a list names: `statementOf` gets what stands behind
 * `IN`. The list is one parameter, so the statement is compiled once, however long the list is.
 */
export function rawList<Row extends object>(statementOf: (list: string) => string) {
  const onSqlite = raw<Row>(statementOf('(SELECT value FROM json_each($1))'))
  const onPostgres = raw<Row>(statementOf('(SELECT jsonb_array_elements_text($1::text::jsonb))'))

  return async (db: Db, list: readonly string[]): Promise<Row[]> => {
    if (list.length === 0) return []
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
    return (isSqlite ? onSqlite : onPostgres)(db, [JSON.stringify(list)])
  }
}
