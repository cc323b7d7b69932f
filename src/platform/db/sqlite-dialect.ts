import { Database as Handle, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import {
  type CompiledQuery,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from './index.ts'
import { type DirectDb, driverOf, prepareStatement, type QueryTimes } from './raw.ts'
import type { Tables } from './tables.ts'

const MAX_STATEMENTS = 256

export interface ConnectionOptions {
  /** Of each query, where they are wanted. */
  times?: QueryTimes | undefined
  /** What a query returns is held back until this resolves. Asked after each query. */
  durable?: (() => Promise<void> | undefined) | undefined
}

export function kyselyOn(handle: Handle, options: ConnectionOptions = {}): Db {
  const statements = createStatements(handle)
  const kysely = kyselyWith(() => driverOn(statements, options))
  const { times, durable } = options
  const direct: DirectDb = {
    [prepareStatement](text) {
      const statement = statements.pin(text)
      const all = statement.all.bind(statement) as (...parameters: unknown[]) => object[]
      const run = (...parameters: unknown[]) => timed(times, text, () => all(...parameters))
      if (durable !== undefined) return (...parameters) => heldBack(run(...parameters), durable())
      return times === undefined ? all : run
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
function driverOn({ prepare, finalizeAll }: Statements, options: ConnectionOptions): Driver {
  const { times, durable } = options

  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = prepare(sql)
    const values = parameters as SQLQueryBindings[]
    if (statement.columnNames.length > 0) return { rows: statement.all(...values) as R[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }
  async function executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = timed(times, query.sql, () => execute<R>(query))
    return heldBack(result, durable?.())
  }
  return driverOf(executeQuery, finalizeAll)
}

function heldBack<T>(result: T, until: Promise<void> | undefined): T | Promise<T> {
  return until === undefined ? result : until.then(() => result)
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
    memoMethod: (text) => handle.prepare(numbered(text)),
  })
  const pinned: Statement[] = []

  return {
    prepare: (text: string): Statement => statements.memo(text),
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

/** Set on every connection. */
const SETTINGS = {
  journal_mode: 'wal',
  // sqlite-writes.ts makes the log of commits durable. Checkpoints sync, and new logs their header.
  synchronous: 1,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
} as const

const BUSY_MS = 5000

/** @throws when SQLite does not accept a setting */
export function openConnection(
  path: string,
  mode: ConstructorParameters<typeof Handle>[1],
): Handle {
  const handle = new Handle(path, mode)
  handle.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
  for (const [name, value] of Object.entries(SETTINGS)) {
    runWhenFree(handle, `PRAGMA ${name} = ${value}`)
    const actual = Object.values(handle.query(`PRAGMA ${name}`).get() as object)[0]
    if (actual !== value) throw new Error(`SQLite: ${name} is ${actual}, not ${value} (${path})`)
  }
  // A checkpoint costs two fsyncs. At this size they are rare, and the log still opens quickly.
  handle.run('PRAGMA wal_autocheckpoint = 4000')
  handle.run('PRAGMA journal_size_limit = 67108864')
  return handle
}

/** A new database is switched to WAL by one process. Others do not wait for it by busy_timeout. */
function runWhenFree(handle: Handle, statement: string): void {
  for (const beganMs = performance.now(); ; Bun.sleepSync(5)) {
    try {
      handle.run(statement)
      return
    } catch (err) {
      const isBusy = (err as { code?: unknown }).code === 'SQLITE_BUSY'
      if (!isBusy || performance.now() - beganMs > BUSY_MS) throw err
    }
  }
}
