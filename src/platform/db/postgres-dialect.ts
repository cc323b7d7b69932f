import type { SQL } from 'bun'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { driverOf } from './driver.ts'
import type { Db } from './index.ts'
import type { Tables } from './tables.ts'

/** Runs a query of this text. */
export type Around = <T>(statement: string, query: () => Promise<T>) => Promise<T>

/**
 * @param client gives a pool, or the connection that a transaction has reserved
 * @param around is called with each query, to measure it
 */
export function kyselyOn(client: () => SQL, around: Around): Db {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driverOn(client, around),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })
}

function driverOn(client: () => SQL, around: Around): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const result = await around(sql, () => client().unsafe<Row[]>(sql, parameters as unknown[]))
      const rows = plainRows(result, result.columns ?? []) as R[]
      return { rows, numAffectedRows: BigInt(result.affectedRows) }
    },
    /** Reads everything first, since Bun has no cursors. */
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      const { rows } = await connection.executeQuery<R>(query)
      for (const row of rows) yield { rows: [row] }
    },
  }
  return driverOf(connection)
}

type Row = Record<string, unknown>

/** OIDs of types. count() is an `int8`, and sum() of an `int8` is a `numeric`. */
const INT8 = 20
const NUMERIC = 1700
const BYTEA = 17

/** Converts values to those that SQLite gives: numbers to `number`, bytes to `Uint8Array`. */
function plainRows(rows: Row[], columns: SQL.ResultColumn[]): Row[] {
  for (const { name, type } of columns) {
    if (type === INT8 || type === NUMERIC) {
      for (const row of rows) if (row[name] !== null) row[name] = Number(row[name])
    } else if (type === BYTEA) {
      for (const row of rows) if (row[name] !== null) row[name] = bytesOf(row[name] as Uint8Array)
    }
  }
  return rows
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
