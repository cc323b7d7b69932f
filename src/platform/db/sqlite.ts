import { Database as Handle } from 'bun:sqlite'
import { statSync } from 'node:fs'
import type { Metrics } from '../metrics.ts'
import type { SpaceReserve } from '../space-reserve.ts'
import { isStorageFull } from '../storage-full.ts'
import type { Database, Tx } from './index.ts'
import type { QueryTimes } from './slow-queries.ts'
import { kyselyOn } from './sqlite-dialect.ts'
import { createSnapshots } from './sqlite-snapshots.ts'
import { createGroupCommit } from './sqlite-writes.ts'

/** Set on every connection. `openSqlite` throws when SQLite does not accept one of them. */
const SETTINGS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
} as const

export interface SqliteOptions {
  /** Space on the same disk for writes that delete. */
  reserve?: SpaceReserve
  times?: QueryTimes | undefined
  metrics?: Metrics
}

/**
 * Opens a database file with one connection that writes, one that reads only what is committed, and
 * a pool of them for snapshots.
 *
 * @param path a file; `:memory:` does not work, since each connection would have its own data
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Database {
  const { reserve, times, metrics } = options
  const writer = open(path, { create: true, readwrite: true })
  // A savepoint's undo journal is as large as its changes: it stays in memory.
  writer.run('PRAGMA temp_store = MEMORY')
  const reader = open(path, { readonly: true })
  const writes = createGroupCommit(writer, times)
  const snapshots = createSnapshots(() => open(path, { readonly: true }), times)
  const listeners = new Map<string, ((payload: string) => void)[]>()
  reserve?.fill()
  if (metrics !== undefined) addWalSize(metrics, path)

  async function free<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    reserve?.fill()
    try {
      return await writes.run(work)
    } catch (err) {
      if (!isStorageFull(err) || !reserve?.giveUp()) throw err
      return await writes.run(work).finally(reserve.fill)
    }
  }

  return {
    engine: 'sqlite',
    read: kyselyOn(reader, times),
    snapshot: snapshots.run,
    write: (work, durability) =>
      durability === 'freeing' ? free(work) : writes.run(work, durability),
    async notify(_tx, channel, payload) {
      writes.afterCommit(() => {
        for (const listener of listeners.get(channel) ?? []) listener(payload)
      })
    },
    async listen(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    },
    isListening: () => true,
    async close() {
      await writes.settle().catch(assertFull)
      await snapshots.close()
      reader.close()
      try {
        writer.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (err) {
        assertFull(err)
      }
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

function open(path: string, mode: ConstructorParameters<typeof Handle>[1]): Handle {
  const handle = new Handle(path, mode)
  handle.run('PRAGMA busy_timeout = 5000')
  for (const [name, value] of Object.entries(SETTINGS)) {
    handle.run(`PRAGMA ${name} = ${value}`)
    const actual = Object.values(handle.query(`PRAGMA ${name}`).get() as object)[0]
    if (actual !== value) throw new Error(`SQLite: ${name} is ${actual}, not ${value} (${path})`)
  }
  // A checkpoint costs two fsyncs. At this size they are rare, and the log still opens quickly.
  handle.run('PRAGMA wal_autocheckpoint = 4000')
  handle.run('PRAGMA journal_size_limit = 67108864')
  return handle
}
