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
import { LRUCache } from 'lru-cache'
import { driverOf } from './driver.ts'
import type { Db } from './index.ts'
import type { Tables } from './tables.ts'

const MAX_STATEMENTS = 256

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

/** Queries run synchronously on the one handle, whose owner begins and ends transactions. */
function driverOn(handle: Handle): Driver {
  const { prepare, finalizeAll } = createStatements(handle)
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

function createStatements(handle: Handle) {
  const statements = new LRUCache<string, Statement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => statement.finalize(),
  })

  function prepare(text: string): Statement {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = handle.prepare(text)
    statements.set(text, statement)
    return statement
  }
  /** SQLite keeps a closed handle open until every statement of it is finalized. */
  return { prepare, finalizeAll: () => statements.clear() }
}
