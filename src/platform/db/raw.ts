import { CompiledQuery, type DatabaseConnection, type Driver, SqliteAdapter } from 'kysely'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Db, Tx } from './index.ts'

type Parameters = readonly unknown[]

/** Runs a prepared statement on one connection. */
type Run = (...parameters: unknown[]) => object[] | Promise<object[]>

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
 * Parameters are `$1`, `$2`… on both engines. `Row` is the type of the rows that it returns,
 * `P` that of its parameters.
 *
 * @returns a function that runs the statement: a write in a `Tx`, a read on any `Db`
 */
export function raw<Row extends object = never, P extends Parameters = Parameters>(
  statement: string,
) {
  const prepared = new WeakMap<Db, Run>()

  return async (db: Db, parameters: P): Promise<Row[]> => {
    const run = prepared.get(db)
    if (run !== undefined) return run(...parameters) as Row[] | Promise<Row[]>
    if (!isDirect(db)) {
      const query = CompiledQuery.raw(statement, [...parameters]) as CompiledQuery<Row>
      return (await db.executeQuery(query)).rows
    }
    const direct = db[prepareStatement](statement)
    prepared.set(db, direct)
    return direct(...parameters) as Row[] | Promise<Row[]>
  }
}

/** The same for a write. */
export function rawWrite<P extends Parameters, Row extends object = never>(
  statement: string,
): (tx: Tx, parameters: P) => Promise<Row[]> {
  return raw<Row, P>(statement)
}

/** The same for a read of at most one row. */
export function rawRow<Row extends object, P extends Parameters>(statement: string) {
  const run = raw<Row, P>(statement)
  return async (db: Db, parameters: P): Promise<Row | undefined> => (await run(db, parameters))[0]
}

/** The same for a statement that always answers one row, such as sums. */
export function rawOne<Row extends object, P extends Parameters>(statement: string) {
  const run = raw<Row, P>(statement)
  return async (db: Db, parameters: P): Promise<Row> => (await run(db, parameters))[0]!
}

/** The same for a read of one number, its column `count`. */
export function rawCount<P extends Parameters>(statement: string) {
  const run = rawOne<{ count: number }, P>(statement)
  return async (db: Db, parameters: P): Promise<number> => (await run(db, parameters)).count
}

/** The same for what returns one text a row, its column `value`. */
export function rawValues<P extends Parameters>(statement: string) {
  const run = raw<{ value: string }, P>(statement)
  return async (db: Db, parameters: P): Promise<string[]> =>
    (await run(db, parameters)).map(({ value }) => value)
}

/** The same for a read, of whose rows only counts whether there are any. */
export function rawExists<P extends Parameters>(statement: string) {
  const run = raw<object, P>(statement)
  return async (db: Db, parameters: P): Promise<boolean> => (await run(db, parameters)).length > 0
}

/** The same for a write that returns rows. */
export function rawChange<P extends Parameters>(
  statement: string,
): (tx: Tx, parameters: P) => Promise<boolean> {
  return rawExists<P>(statement)
}

function isDirect(db: Db): db is Db & DirectDb {
  return prepareStatement in db
}

/**
 * Prepares a statement about the rows that a list names: `statementOf` gets what stands behind
 * `IN`. The list is one parameter, `$1`, so the statement is compiled once, however long it is.
 */
export function rawList<Row extends object, P extends Parameters = []>(
  statementOf: (list: string) => string,
) {
  const onSqlite = raw<Row>(statementOf('(SELECT value FROM json_each($1))'))
  const onPostgres = raw<Row>(statementOf('(SELECT jsonb_array_elements_text($1::text::jsonb))'))

  return async (db: Db, list: readonly string[], ...others: P): Promise<Row[]> => {
    if (list.length === 0) return []
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
    return (isSqlite ? onSqlite : onPostgres)(db, [JSON.stringify(list), ...others])
  }
}

/** The same for a read of a number for each key of the list. Keys without one are left out. */
export function rawCounts<P extends Parameters = []>(statementOf: (list: string) => string) {
  const run = rawList<{ key: string; count: number }, P>(statementOf)
  return async (db: Db, list: readonly string[], ...others: P): Promise<Map<string, number>> =>
    new Map((await run(db, list, ...others)).map(({ key, count }) => [key, count]))
}

/** A Kysely driver that runs every query so. `Database` begins transactions; nothing streams. */
export function driverOf(
  executeQuery: DatabaseConnection['executeQuery'],
  destroy: () => void = () => {},
): Driver {
  const ready = Promise.resolve()
  const refuseTransaction = () => Promise.reject(new Error('Use database.write'))
  const streamQuery = () => {
    throw new Error('Read the rows at once')
  }
  return {
    init: () => ready,
    acquireConnection: async () => ({ executeQuery, streamQuery }),
    releaseConnection: () => ready,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => destroy(),
  }
}

/** The reports of a database about its queries. */
export interface QueryTimes {
  /** A statement has ended, or failed. @param beganMs by `performance.now()` */
  ended(statement: string, beganMs: number): void
}

interface SlowQueryDeps {
  /** 0: nothing is slow. */
  slowMs: number
  log: Log
  metrics: Metrics
}

const MAX_CHARS = 2000

/**
 * Logs queries that took long, without the values in them. The wait for a connection does not
 * count: it has a metric.
 */
export function createSlowQueries({ slowMs, log, metrics }: SlowQueryDeps): QueryTimes | undefined {
  if (slowMs === 0) return undefined
  let count = 0
  metrics.add(
    'handbill_database_slow_queries_total',
    'Queries that took longer than SLOW_QUERY_MS.',
    () => count,
  )
  return {
    ended(statement, beganMs) {
      const ms = performance.now() - beganMs
      if (ms < slowMs) return
      count += 1
      log.warn('slow query', { ms: Math.round(ms), statement: withoutValues(statement) })
    },
  }
}

/** Values are parameters, which the text does not have; what is quoted in it is no column. */
export function withoutValues(statement: string): string {
  const text = statement.replaceAll(/'(?:[^']|'')*'?/g, "'…'").replaceAll(/\s+/g, ' ')
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}
