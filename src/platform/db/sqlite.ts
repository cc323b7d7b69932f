import { Database as Handle } from 'bun:sqlite'
import type { Database, Db, Durability, Tx } from './index.ts'
import { kyselyOn } from './sqlite-dialect.ts'

/** A relaxed commit reaches the disk with the next full one, and after this long at the latest. */
const RELAXED_MS = 100

/** Read at once; others wait. A connection that was opened stays open for the next. */
const SNAPSHOTS = 16

/** Connections ask for these, and `openSqlite` refuses to start when the file answers otherwise. */
const SETTINGS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
} as const

/**
 * One file, one writing connection, one reading connection that sees only what is committed.
 *
 * Writes that meet in one turn of the event loop share one commit and one fsync: each runs in a
 * savepoint of its own, so one that fails takes nothing with it, and none is answered before the
 * shared commit is on the disk.
 *
 * @param path a file, or ':memory:' is refused: the reader could not see the writer's data
 */
export function openSqlite(path: string): Database {
  const writer = open(path, { create: true, readwrite: true })
  // What a savepoint would take back is as large as what it changed: no file on the disk for it.
  writer.run('PRAGMA temp_store = MEMORY')
  const reader = open(path, { readonly: true })
  const write = groupCommits(writer)
  const snapshots = createSnapshots(() => open(path, { readonly: true }))
  const listeners = new Map<string, ((payload: string) => void)[]>()
  const read = kyselyOn(reader)

  return {
    engine: 'sqlite',
    read,
    snapshot: snapshots.run,
    write: write.run,
    async notify(_tx, channel, payload) {
      write.afterCommit(() => {
        for (const heard of listeners.get(channel) ?? []) heard(payload)
      })
    },
    async listen(channel, heard) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), heard])
    },
    async close() {
      await write.settle()
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
    const answer = Object.values(handle.query(`PRAGMA ${name}`).get() as object)[0]
    if (answer !== value) throw new Error(`SQLite: ${name} is ${answer}, not ${value} (${path})`)
  }
  // A checkpoint syncs twice: rare enough not to be felt, small enough for a quick start.
  handle.run('PRAGMA wal_autocheckpoint = 4000')
  handle.run('PRAGMA journal_size_limit = 67108864')
  return handle
}

interface Waiting {
  durability: Durability
  /**
   * Runs in a savepoint of its own, unless it has the transaction to itself. What it returns is
   * called once the commit is done.
   */
  run(isAlone: boolean): Promise<() => void>
  fail(err: unknown): void
}

function groupCommits(handle: Handle) {
  const tx = kyselyOn(handle) as Tx
  const control = controlOf(handle)
  let queue: Waiting[] = []
  let running: Promise<void> | undefined
  let afterCommit: (() => void)[] = []
  let pulse: Timer | undefined

  function run<T>(work: (tx: Tx) => Promise<T>, durability: Durability = 'full'): Promise<T> {
    return new Promise((resolve, reject) => {
      queue.push({
        durability,
        fail: reject,
        async run(isAlone) {
          const result = await (isAlone ? work(tx) : control.inSavepoint(() => work(tx)))
          return () => resolve(result)
        },
      })
      if (running === undefined && queue.length === 1) setImmediate(drain)
    })
  }

  function drain(): void {
    running = commitTurn().finally(() => {
      running = undefined
      if (queue.length > 0) setImmediate(drain)
    })
  }

  /** Everything that waits, in one transaction: nothing else runs on this connection meanwhile. */
  async function commitTurn(): Promise<void> {
    const turn = queue
    queue = []
    afterCommit = []
    const isFull = turn.some(({ durability }) => durability === 'full')
    const done: (() => void)[] = []
    try {
      control.begin(isFull)
      for (const waiting of turn) {
        try {
          done.push(await waiting.run(turn.length === 1))
        } catch (err) {
          // Told with the others: what was in its way may be a write of this very turn.
          done.push(() => waiting.fail(err))
          // Some failures (disk full, I/O) end the whole transaction, and so all that is in it.
          if (turn.length === 1 || !handle.inTransaction) throw err
        }
      }
      control.commit()
    } catch (err) {
      if (handle.inTransaction) handle.run('ROLLBACK')
      for (const { fail } of turn) fail(err)
      return
    }
    noteSync(isFull)
    for (const act of afterCommit) act()
    for (const settle of done) settle()
  }

  function noteSync(isFull: boolean): void {
    if (isFull) {
      clearTimeout(pulse)
      pulse = undefined
    } else {
      pulse ??= setTimeout(beat, RELAXED_MS)
    }
  }

  /** A disk that fails here fails the next write as well, and that one has somebody to tell. */
  function beat(): void {
    pulse = undefined
    run(async () => touch(handle)).catch(() => noteSync(false))
  }

  return {
    run,
    afterCommit: (act: () => void) => afterCommit.push(act),
    async settle() {
      await run(async () => touch(handle))
      clearTimeout(pulse)
    },
  }
}

/** The statements around every transaction, prepared once. */
function controlOf(handle: Handle) {
  const begin = handle.prepare('BEGIN IMMEDIATE')
  const commit = handle.prepare('COMMIT')
  const savepoint = handle.prepare('SAVEPOINT work')
  const release = handle.prepare('RELEASE work')
  let syncs: boolean | undefined

  return {
    begin(isFull: boolean) {
      if (syncs !== isFull) handle.run(`PRAGMA synchronous = ${isFull ? 'FULL' : 'NORMAL'}`)
      syncs = isFull
      begin.run()
    },
    commit: () => commit.run(),
    async inSavepoint<T>(work: () => Promise<T>): Promise<T> {
      savepoint.run()
      try {
        const result = await work()
        release.run()
        return result
      } catch (err) {
        if (handle.inTransaction) {
          handle.run('ROLLBACK TO work')
          release.run()
        }
        throw err
      }
    },
  }
}

interface Reader {
  handle: Handle
  db: Db
}

/** Readers that each see what was committed when they began, whatever is written meanwhile. */
function createSnapshots(openReader: () => Handle) {
  const idle: Reader[] = []
  const busy = new Set<Reader>()
  const waiting: ((reader: Reader) => void)[] = []

  function openAnother(): Reader {
    const handle = openReader()
    return { handle, db: kyselyOn(handle) }
  }
  async function take(): Promise<Reader> {
    if (busy.size >= SNAPSHOTS) return new Promise((resolve) => waiting.push(resolve))
    const reader = idle.pop() ?? openAnother()
    busy.add(reader)
    return reader
  }
  function giveBack(reader: Reader): void {
    // Closed with the database.
    if (!busy.has(reader)) return
    if (reader.handle.inTransaction) reader.handle.run('ROLLBACK')
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
      const reader = await take()
      try {
        reader.handle.run('BEGIN')
        return await read(reader.db)
      } finally {
        giveBack(reader)
      }
    },
    /** A state that is still looked at would keep the log from being folded into the file. */
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

/** A write too small to matter whose full commit carries the relaxed ones before it to the disk. */
function touch(handle: Handle): void {
  const { user_version: userVersion } = handle.query('PRAGMA user_version').get() as {
    user_version: number
  }
  handle.run(`PRAGMA user_version = ${(userVersion + 1) % 2}`)
}
