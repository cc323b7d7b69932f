import type { Database as Handle } from 'bun:sqlite'
import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { createFlushTimer } from './flush-timer.ts'
import type { Durability, Tx } from './index.ts'
import type { QueryTimes } from './raw.ts'
import { kyselyOn } from './sqlite-dialect.ts'

interface Write {
  durability: Durability
  /**
   * Runs in a savepoint, unless it is alone in the transaction. It resolves with the function that
   * settles the caller's promise after the commit.
   */
  run(isAlone: boolean): Promise<() => void>
  reject(err: unknown): void
}

interface GroupCommitDeps extends Pick<LogSyncDeps, 'sync' | 'onFailure'> {
  times?: QueryTimes | undefined
}

/**
 * Commits writes in groups. Writes that arrive in one turn of the event loop, or during a commit,
 * share the next transaction. Each runs in a savepoint, so one that fails undoes only its own
 * changes. A commit writes to the log and does not wait for the disk: a sync elsewhere does, which
 * commits share. Meanwhile further transactions run.
 */
export function createGroupCommit(handle: Handle, { times, sync, onFailure }: GroupCommitDeps) {
  const tx = kyselyOn(handle, { times }) as Tx
  const transaction = createTransaction(handle, times)
  const flushTimer = createFlushTimer(async () => syncs.committed())
  const syncs = createLogSyncs({ sync: timedSync, onBegin: flushTimer.cancel, onFailure })
  let queue: Write[] = []
  let isCommitting = false
  let afterCommit: (() => void)[] = []

  /** A slow sync is logged like a slow query. */
  async function timedSync(): Promise<void> {
    const beganMs = performance.now()
    await sync()
    times?.ended('COMMIT: sync of the log', beganMs)
  }

  /**
   * Unless it is relaxed, a write settles once all commits so far are on the disk. That holds where
   * it wrote nothing or failed, too: what it found may have been committed just before.
   */
  async function run<T>(work: (tx: Tx) => Promise<T>, durability: Durability = 'full'): Promise<T> {
    try {
      return await enqueue(work, durability)
    } finally {
      if (durability !== 'relaxed') await syncs.durable()
    }
  }

  function enqueue<T>(work: (tx: Tx) => Promise<T>, durability: Durability): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    async function runWrite(isAlone: boolean) {
      const result = await (isAlone ? work(tx) : transaction.inSavepoint(() => work(tx)))
      return () => resolve(result)
    }
    queue.push({ durability, run: runWrite, reject })
    if (!isCommitting && queue.length === 1) setImmediate(drain)
    return promise
  }

  function drain(): void {
    isCommitting = true
    commitQueue().finally(() => {
      isCommitting = false
      if (queue.length > 0) setImmediate(drain)
    })
  }

  async function commitQueue(): Promise<void> {
    const writes = queue
    queue = []
    afterCommit = []
    const settleAll = await commitTogether(writes, { handle, transaction })
    if (settleAll === null) return
    if (writes.some(({ durability }) => durability !== 'relaxed')) syncs.committed()
    else flushTimer.schedule()
    for (const act of [...afterCommit, ...settleAll]) act()
  }

  return {
    run,
    /** Calls `act` once the current transaction has committed. The disk may not have it yet. */
    afterCommit: (act: () => void) => afterCommit.push(act),
    durable: syncs.durable,
    /** Waits for the writes under way and makes everything durable. */
    settle: () => run(async () => {}),
  }
}

interface Commit {
  handle: Handle
  transaction: Transaction
}

/**
 * Runs writes in one transaction and commits it.
 *
 * @returns the functions that settle their promises, or null after it has rejected all of them
 */
async function commitTogether(writes: Write[], commit: Commit): Promise<(() => void)[] | null> {
  const { handle, transaction } = commit
  try {
    transaction.begin()
    const settleAll = await runAll(writes, handle)
    transaction.commit()
    return settleAll
  } catch (err) {
    rollBack(handle)
    for (const { reject } of writes) reject(err)
    return null
  }
}

/** Where it fails, as on a database that was closed, the error that led to it says more. */
function rollBack(handle: Handle): void {
  try {
    if (handle.inTransaction) handle.run('ROLLBACK')
  } catch {}
}

/** Nothing else runs on this connection meanwhile. */
async function runAll(writes: Write[], handle: Handle): Promise<(() => void)[]> {
  const settleAll: (() => void)[] = []
  for (const write of writes) {
    try {
      settleAll.push(await write.run(writes.length === 1))
    } catch (err) {
      // Rejected after the commit: the row it collided with may be one that this commit writes.
      settleAll.push(() => write.reject(err))
      // Some failures (disk full, I/O) end the whole transaction and undo every write in it.
      if (writes.length === 1 || !handle.inTransaction) throw err
    }
  }
  return settleAll
}

type Transaction = ReturnType<typeof createTransaction>

/** The statements around every transaction, prepared once. */
function createTransaction(handle: Handle, times?: QueryTimes) {
  const begin = handle.prepare('BEGIN IMMEDIATE')
  const commit = handle.prepare('COMMIT')
  const savepoint = handle.prepare('SAVEPOINT work')
  const release = handle.prepare('RELEASE work')

  return {
    begin: () => void begin.run(),
    commit() {
      const beganMs = performance.now()
      commit.run()
      times?.ended('COMMIT', beganMs)
    },
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

/** Why nothing is read or written any more: what was committed last may not be on the disk. */
export class LogNotDurable extends Error {
  override readonly name = 'LogNotDurable'
  constructor(cause: unknown) {
    super('The log of the database could not be made durable', { cause })
  }
}

interface LogSyncDeps {
  /** Resolves when everything that was written to the log before the call is on the disk. */
  sync(): Promise<void>
  /** A sync has begun, which takes along all that was committed before. */
  onBegin(): void
  /** Called once, before the waiting promises are rejected. No sync is tried afterwards. */
  onFailure(err: LogNotDurable): void
}

type Waiting = PromiseWithResolvers<void>

/**
 * Syncs the log after commits, one sync at a time. What is committed during a sync shares the next.
 * After a sync that failed, another could succeed although the kernel has dropped what the first
 * could not write. So the first failure is final.
 */
export function createLogSyncs({ sync, onBegin, onFailure }: LogSyncDeps) {
  let running: Waiting | null = null
  let next: Waiting | null = null
  let failed: Promise<never> | null = null

  async function syncAll(): Promise<void> {
    while (next !== null) {
      running = next
      next = null
      onBegin()
      try {
        await sync()
      } catch (err) {
        return fail(new LogNotDurable(err))
      }
      running.resolve()
    }
    running = null
  }

  function fail(err: LogNotDurable): void {
    failed = Promise.reject(err)
    failed.catch(() => {})
    onFailure(err)
    for (const waiting of [running, next]) waiting?.reject(err)
  }

  return {
    /** A commit was written to the log. It is on the disk when `durable` resolves. */
    committed(): void {
      if (failed !== null || next !== null) return
      next = Promise.withResolvers()
      // Nobody may wait for it.
      next.promise.catch(() => {})
      if (running === null) void syncAll()
    },
    /**
     * Resolves once every commit before the call is on the disk; undefined where all of them are.
     *
     * @throws LogNotDurable, as a rejection, after a sync has failed
     */
    durable: (): Promise<void> | undefined => failed ?? next?.promise ?? running?.promise,
  }
}

const syncData = promisify(fdatasync)

/**
 * Opens the log beside a SQLite database, which others write to, for syncs. Call it while a
 * connection has the database open: until the last one is closed, SQLite keeps the file. Its own
 * descriptor reports every failed write of the file, also one that was already reported to another
 * sync.
 */
export function openLogFile(databasePath: string) {
  const file = openSync(`${databasePath}-wal`, 'r+')
  syncFolderNow(dirname(databasePath))
  return {
    /** Resolves when all that was written to it before is on the disk. A thread waits for that. */
    sync: () => syncData(file),
    close: () => closeSync(file),
  }
}

/** The log may be new: without its entry in the folder, nothing in it would be found again. */
function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
