import type { Database as Handle } from 'bun:sqlite'
import { statSync } from 'node:fs'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { SpaceReserve } from '../content-space.ts'
import { type CommandWrites, watchCommands } from '../mapped-files.ts'
import type { Metrics } from '../metrics.ts'
import { isStorageFull } from '../outages.ts'
import { createPlaces } from '../task-queue.ts'
import type { Threads } from '../threads.ts'
import type { Database, Db, Tx } from './index.ts'
import { driverOf, type QueryTimes } from './raw.ts'
import { type ConnectionOptions, kyselyOn, kyselyWith, openConnection } from './sqlite-dialect.ts'
import type { StatementToRead } from './sqlite-tasks.ts'
import { createGroupCommit, type LogNotDurable, openLogFile } from './sqlite-writes.ts'

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
  metrics.add(
    'handbill_database_wal_bytes',
    'The size of the write-ahead log of SQLite.',
    () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  )
}

/** On a full disk the log keeps what was committed, and the next start reads it. */
function assertFull(err: unknown): void {
  if (!isStorageFull(err)) throw err
}

/** How many snapshots are read at once; more wait. Opened connections stay open for reuse. */
const MAX_CONNECTIONS = 16

interface Reader {
  handle: Handle
  db: Db
  /** Resolves when the state that the snapshot sees is on the disk. Set by its first query. */
  durable: Promise<void> | null
}

const isDurable = Promise.resolve()

/** A pool of connections for reads that all see the state of the database at the first read. */
function createSnapshots(openReader: () => Handle, options: ConnectionOptions = {}) {
  const places = createPlaces(MAX_CONNECTIONS)
  const idle: Reader[] = []
  const busy = new Set<Reader>()

  function openAnother(): Reader {
    const handle = openReader()
    const durable = () => (reader.durable ??= options.durable?.() ?? isDurable)
    const reader: Reader = { handle, db: kyselyOn(handle, { ...options, durable }), durable: null }
    return reader
  }

  return {
    async run<T>(read: (db: Db) => Promise<T>): Promise<T> {
      const free = await places.take()
      let reader: Reader
      try {
        reader = idle.pop() ?? openAnother()
      } catch (err) {
        free()
        throw err
      }
      busy.add(reader)
      try {
        reader.handle.run('BEGIN')
        return await read(reader.db)
      } finally {
        // Else `close` has closed it already.
        if (busy.delete(reader)) {
          if (reader.handle.inTransaction) reader.handle.run('ROLLBACK')
          reader.durable = null
          idle.push(reader)
          free()
        }
      }
    },
    /** Ends open snapshots too: a checkpoint cannot complete while one of them is read. */
    async close() {
      const readers = [...idle, ...busy]
      busy.clear()
      for (const { handle, db } of readers) {
        if (handle.inTransaction) handle.run('ROLLBACK')
        await db.destroy()
        handle.close()
      }
    },
  }
}

/**
 * Reads in a thread, which has a connection of its own for each snapshot.
 *
 * @param thread one thread: it has the snapshots
 */
function createLongReads(
  path: string,
  thread: Pick<Threads, 'run'>,
  { times, durable }: ConnectionOptions = {},
): Database['longRead'] {
  const run = (task: string, input: object) =>
    thread.run(task, async () => ({ input, transfer: [] }))

  async function readAll(input: Partial<StatementToRead>): Promise<object[]> {
    const beganMs = performance.now()
    try {
      return (await run('sqliteRead', { path, ...input })) as object[]
    } finally {
      times?.ended(input.statement!, beganMs)
      await durable?.()
    }
  }

  return async (read) => {
    const snapshot = crypto.randomUUID()
    let isFirst = true
    async function executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { sql: statement, parameters } = query
      const input = { snapshot, isFirst, statement, parameters: [...parameters] as never[] }
      isFirst = false
      return { rows: (await readAll(input)) as R[] }
    }
    try {
      return await read(kyselyWith(() => driverOf(executeQuery)))
    } finally {
      await run('sqliteEnd', { snapshot })
    }
  }
}
