import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** Why nothing is read or written any more: what was committed last may not be on the disk. */
export class LogNotDurable extends Error {
  override readonly name = 'LogNotDurable'
  constructor(cause: unknown) {
    super('The log of the database could not be made durable', { cause })
  }
}

/** Knows which commits are on the disk, and has the disk asked for the others. */
export interface LogSyncs {
  /** A commit was written to the log. It is on the disk when `durable` resolves. */
  committed(): void
  /**
   * Resolves once every commit before the call is on the disk; undefined where all of them are.
   *
   * @throws LogNotDurable, as a rejection, after a sync has failed
   */
  durable(): Promise<void> | undefined
}

export interface LogSyncDeps {
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
export function createLogSyncs({ sync, onBegin, onFailure }: LogSyncDeps): LogSyncs {
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
    committed() {
      if (failed !== null || next !== null) return
      next = Promise.withResolvers()
      // Nobody may wait for it.
      next.promise.catch(() => {})
      if (running === null) void syncAll()
    },
    durable: () => failed ?? next?.promise ?? running?.promise,
  }
}

const syncData = promisify(fdatasync)

/** The log beside a SQLite database, which others write to. */
export interface LogFile {
  /** Resolves when all that was written to it before is on the disk. A thread waits for that. */
  sync(): Promise<void>
  close(): void
}

/**
 * Opens the log of a database for syncs. Call it while a connection has the database open: until
 * the last one is closed, SQLite keeps the file. Its own descriptor reports every failed write
 * of the file, also one that was already reported to another sync.
 */
export function openLogFile(databasePath: string): LogFile {
  const file = openSync(`${databasePath}-wal`, 'r+')
  syncFolderNow(dirname(databasePath))
  return { sync: () => syncData(file), close: () => closeSync(file) }
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
