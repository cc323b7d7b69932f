import { Database as Handle } from 'bun:sqlite'
import type { Database } from './index.ts'
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

/**
 * Opens a database file with one connection that writes, one that reads only what is committed, and
 * a pool of them for snapshots.
 *
 * @param path a file; `:memory:` does not work, since each connection would have its own data
 */
export function openSqlite(path: string): Database {
  const writer = open(path, { create: true, readwrite: true })
  // A savepoint's undo journal is as large as its changes: it stays in memory.
  writer.run('PRAGMA temp_store = MEMORY')
  const reader = open(path, { readonly: true })
  const writes = createGroupCommit(writer)
  const snapshots = createSnapshots(() => open(path, { readonly: true }))
  const listeners = new Map<string, ((payload: string) => void)[]>()

  return {
    engine: 'sqlite',
    read: kyselyOn(reader),
    snapshot: snapshots.run,
    write: writes.run,
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
      await writes.settle()
      await snapshots.close()
      reader.close()
      writer.run('PRAGMA wal_checkpoint(TRUNCATE)')
      writer.close()
    },
  }
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
