import type { Database as Handle } from 'bun:sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Threads } from '../threads.ts'
import type { Database, Db } from './index.ts'
import { driverOf } from './raw.ts'
import { type ConnectionOptions, kyselyOn, kyselyWith } from './sqlite-dialect.ts'
import type { StatementToRead } from './sqlite-tasks.ts'

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
export function createSnapshots(openReader: () => Handle, options: ConnectionOptions = {}) {
  const idle: Reader[] = []
  const busy = new Set<Reader>()
  const waiting: ((reader: Reader) => void)[] = []

  function openAnother(): Reader {
    const handle = openReader()
    const durable = () => (reader.durable ??= options.durable?.() ?? isDurable)
    const reader: Reader = { handle, db: kyselyOn(handle, { ...options, durable }), durable: null }
    return reader
  }
  async function acquire(): Promise<Reader> {
    if (busy.size >= MAX_CONNECTIONS) return new Promise((resolve) => waiting.push(resolve))
    const reader = idle.pop() ?? openAnother()
    busy.add(reader)
    return reader
  }
  function release(reader: Reader): void {
    // `close` has closed it already.
    if (!busy.has(reader)) return
    if (reader.handle.inTransaction) reader.handle.run('ROLLBACK')
    reader.durable = null
    const next = waiting.shift()
    if (next !== undefined) {
      next(reader)
    } else {
      busy.delete(reader)
      idle.push(reader)
    }
  }

  return {
    async run<T>(read: (db: Db) => Promise<T>): Promise<T> {
      const reader = await acquire()
      try {
        reader.handle.run('BEGIN')
        return await read(reader.db)
      } finally {
        release(reader)
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
export function createLongReads(
  path: string,
  thread: Pick<Threads, 'run'>,
  { times, durable }: ConnectionOptions = {},
): Database['longRead'] {
  const run = (task: string, input: object) =>
    thread.run(task, async () => ({ input, transfer: [] }))

  async function readAll(given: Partial<StatementToRead>): Promise<object[]> {
    const beganMs = performance.now()
    try {
      return (await run('sqliteRead', { path, ...given })) as object[]
    } finally {
      times?.ended(given.statement!, beganMs)
      await durable?.()
    }
  }

  return async (read) => {
    const snapshot = crypto.randomUUID()
    let isFirst = true
    const connection: DatabaseConnection = {
      async executeQuery<R>({
        sql: statement,
        parameters,
      }: CompiledQuery): Promise<QueryResult<R>> {
        const given = { snapshot, isFirst, statement, parameters: [...parameters] as never[] }
        isFirst = false
        return { rows: (await readAll(given)) as R[] }
      },
      streamQuery() {
        throw new Error('A long read has its rows at once')
      },
    }
    try {
      return await read(kyselyWith(() => driverOf(connection)))
    } finally {
      await run('sqliteEnd', { snapshot })
    }
  }
}
