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
import { type DirectDb, prepareStatement, type Run } from './raw.ts'
import type { QueryTimes } from './slow-queries.ts'
import type { Tables } from './tables.ts'

const MAX_STATEMENTS = 256

/** @param times of each query, where they are wanted */
export function kyselyOn(handle: Handle, times?: QueryTimes): Db {
  const statements = createStatements(handle)
  const kysely = kyselyWith(() => driverOn(statements, times))
  const direct: DirectDb = {
    [prepareStatement](text) {
      const statement = statements.pin(text)
      const run = statement.all.bind(statement) as Run
      if (times === undefined) return run
      return (...parameters) => timed(times, text, () => run(...parameters))
    },
  }
  return Object.assign(kysely, direct)
}

/** Compiles queries for SQLite. */
export function kyselyWith(createDriver: () => Driver): Db {
  return new Kysely<Tables>({
    dialect: {
      createDriver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  })
}

/** Queries run synchronously on the one handle, whose owner begins and ends transactions. */
function driverOn({ prepare, finalizeAll }: Statements, times?: QueryTimes): Driver {
  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = prepare(sql)
    const values = parameters as SQLQueryBindings[]
    if (statement.columnNames.length > 0) return { rows: statement.all(...values) as R[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      return timed(times, query.sql, () => execute<R>(query))
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of prepare(query.sql).iterate(...(query.parameters as SQLQueryBindings[]))) {
        yield { rows: [row as R] }
      }
    },
  }
  return driverOf(connection, finalizeAll)
}

function timed<T>(times: QueryTimes | undefined, text: string, run: () => T): T {
  if (times === undefined) return run()
  const beganMs = performance.now()
  try {
    return run()
  } finally {
    times.ended(text, beganMs)
  }
}

function createStatements(handle: Handle) {
  const statements = new LRUCache<string, Statement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => statement.finalize(),
  })
  const pinned: Statement[] = []

  function prepare(text: string): Statement {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = handle.prepare(numbered(text))
    statements.set(text, statement)
    return statement
  }
  return {
    prepare,
    /** Prepares a statement that stays: for the few that the code itself contains. */
    pin(text: string): Statement {
      const statement = handle.prepare(numbered(text))
      pinned.push(statement)
      return statement
    },
    /** SQLite keeps a closed handle open until every statement of it is finalized. */
    finalizeAll(): void {
      statements.clear()
      for (const statement of pinned.splice(0)) statement.finalize()
    },
  }
}

/** SQLite takes `$2` for a name, and numbers names as they first appear; `?2` is the second. */
export function numbered(text: string): string {
  return text.replaceAll(/\$(\d+)/g, '?$1')
}
type Statements = ReturnType<typeof createStatements>
