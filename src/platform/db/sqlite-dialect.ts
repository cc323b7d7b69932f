import type { Database as Handle, SQLQueryBindings, Statement } from 'bun:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { driverOf } from './driver.ts'
import type { Db } from './index.ts'
import type { Tables } from './tables.ts'

const PREPARED_STATEMENTS = 256

export function kyselyOn(handle: Handle): Db {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driverOn(handle),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  })
}

/** Everything runs at once on the one handle; transactions are the affair of who opened it. */
function driverOn(handle: Handle): Driver {
  const { prepare, finalizeAll } = preparedOn(handle)
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = prepare(sql)
      const values = parameters as SQLQueryBindings[]
      if (statement.columnNames.length > 0) return { rows: statement.all(...values) as R[] }
      const { changes } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of prepare(query.sql).iterate(...(query.parameters as SQLQueryBindings[]))) {
        yield { rows: [row as R] }
      }
    },
  }
  return driverOf(connection, finalizeAll)
}

function preparedOn(handle: Handle) {
  const statements = new Map<string, Statement>()

  function prepare(text: string): Statement {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= PREPARED_STATEMENTS) {
      const [oldest, statement] = statements.entries().next().value!
      statements.delete(oldest)
      statement.finalize()
    }
    const statement = handle.prepare(text)
    statements.set(text, statement)
    return statement
  }
  /** A handle stays open as long as one of its statements does, whatever closes it. */
  function finalizeAll(): void {
    for (const statement of statements.values()) statement.finalize()
    statements.clear()
  }
  return { prepare, finalizeAll }
}
