import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

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
