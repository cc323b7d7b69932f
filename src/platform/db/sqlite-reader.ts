import type { Database } from './index.ts'
import type { QueryTimes } from './slow-queries.ts'
import { openConnection } from './sqlite-connection.ts'
import { kyselyOn } from './sqlite-dialect.ts'
import { createSnapshots } from './sqlite-snapshots.ts'

/** Thrown where work has to be done by the process that writes. */
export class NotInWorker extends Error {
  override readonly name = 'NotInWorker'
  constructor() {
    super('Only the main process can do this')
  }
}

/** The database as a worker has it: another process writes, and says what it changed. */
export interface ReadOnlyDatabase extends Database {
  /** Calls the listeners of a channel: the process that writes has announced a change. */
  announce(channel: string, payload: string): void
}

/** Opens a database file that another process of this node writes to. */
export function openSqliteReader(path: string, times?: QueryTimes): ReadOnlyDatabase {
  const open = () => openConnection(path, { readonly: true })
  const reader = open()
  const snapshots = createSnapshots(open, { times })
  const listeners = new Map<string, ((payload: string) => void)[]>()
  return {
    engine: 'sqlite',
    read: kyselyOn(reader, { times }),
    snapshot: snapshots.run,
    longRead: snapshots.run,
    write: () => Promise.reject(new NotInWorker()),
    notify: () => Promise.reject(new NotInWorker()),
    async listen(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    },
    isListening: () => true,
    announce(channel, payload) {
      for (const listener of listeners.get(channel) ?? []) listener(payload)
    },
    async close() {
      await snapshots.close()
      reader.close()
    },
  }
}
