import type { Database as Handle, SQLQueryBindings, Statement } from 'bun:sqlite'
import { statSync } from 'node:fs'
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
import { type CommandWrites, watchCommands } from '../mapped-files.ts'
import type { Metrics } from '../metrics.ts'
import type { SpaceReserve } from '../space-reserve.ts'
import { isStorageFull } from '../storage-full.ts'
import type { Threads } from '../threads.ts'
import type { Database, Db, Tx } from './index.ts'
import { type DirectDb, driverOf, prepareStatement, type QueryTimes } from './raw.ts'
import { openConnection } from './sqlite-connection.ts'
import { createLongReads, createSnapshots } from './sqlite-reads.ts'
import { createGroupCommit, type LogNotDurable, openLogFile } from './sqlite-writes.ts'
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
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = timed(times, query.sql, () => execute<R>(query))
      return heldBack(result, durable?.())
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of prepare(query.sql).iterate(...(query.parameters as SQLQueryBindings[]))) {
        await durable?.()
        yield { rows: [row as R] }
      }
    },
  }
  return driverOf(connection, finalizeAll)
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

interface SqliteOptions {
  /** Space on the same disk for `freeing` writes. */
  reserve?: SpaceReserve
  times?: QueryTimes | undefined
  metrics?: Metrics
  /** What commands write beside this process. */
  commandWrites?: CommandWrites | undefined
  /** One thread, for long reads. Without it they are snapshots like others. */
  readThread?: Pick<Threads, 'run'> | undefined
  /**
   * The disk failed to store what was committed. Nothing is read or written any more: the process
   * should end at once, and the next start finds out what the disk has.
   */
  onDiskFailure?: ((err: LogNotDurable) => void) | undefined
  /** Makes the log durable. For tests: by default its file is synced. */
  sync?: (() => Promise<void>) | undefined
}

/**
 * Opens a database file with one connection that writes, one that reads only what is committed, and
 * a pool of them for snapshots.
 *
 * @param path a file; `:memory:` does not work, since each connection would have its own data
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Database {
  const { reserve, times, metrics, readThread, onDiskFailure = () => {} } = options
  const writer = openConnection(path, { create: true, readwrite: true })
  // A savepoint's undo journal is as large as its changes: it stays in memory.
  writer.run('PRAGMA temp_store = MEMORY')
  const reader = openConnection(path, { readonly: true })
  const logFile = openLogFile(path)
  const sync = options.sync ?? logFile.sync
  const writes = createGroupCommit(writer, { times, sync, onFailure: onDiskFailure })
  // Reads wait as well: what is answered because of them must not be lost, either.
  const reading = { times, durable: writes.durable }
  const snapshots = createSnapshots(() => openConnection(path, { readonly: true }), reading)
  const listeners = new Map<string, ((payload: string) => void)[]>()
  const commands = watchCommands(options.commandWrites)
  reserve?.fill()
  if (metrics !== undefined) addWalSize(metrics, path)

  /** How many writes use the space of the reserve now: it is filled again after the last. */
  let usingReserve = 0

  async function free<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (usingReserve === 0) reserve?.fill()
    try {
      return await writes.run(work)
    } catch (err) {
      if (!isStorageFull(err) || reserve === undefined) throw err
      if (!reserve.giveUp() && usingReserve === 0) throw err
      usingReserve += 1
      return await writes.run(work).finally(() => {
        usingReserve -= 1
        if (usingReserve === 0) reserve.fill()
      })
    }
  }

  return {
    engine: 'sqlite',
    read: kyselyOn(reader, reading),
    snapshot: snapshots.run,
    longRead: readThread === undefined ? snapshots.run : createLongReads(path, readThread, reading),
    write: (work, durability) =>
      durability === 'freeing' ? free(work) : writes.run(work, durability),
    async notify(_tx, channel, payload) {
      writes.afterCommit(() => {
        for (const listener of listeners.get(channel) ?? []) listener(payload)
      })
    },
    async listen(channel, listener, onLost) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      commands.add(onLost)
    },
    isListening: commands.isCurrent,
    listenAgain() {},
    async close() {
      await writes.settle().catch(assertFull)
      await snapshots.close()
      reader.close()
      try {
        writer.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (err) {
        assertFull(err)
      }
      logFile.close()
      writer.close()
    },
  }
}

function addWalSize(metrics: Metrics, path: string): void {
  metrics.add({
    name: 'handbill_database_wal_bytes',
    type: 'gauge',
    help: 'The size of the write-ahead log of SQLite.',
    read: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  })
}

/** On a full disk the log keeps what was committed, and the next start reads it. */
function assertFull(err: unknown): void {
  if (!isStorageFull(err)) throw err
}
