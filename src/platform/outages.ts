import { type Refusal, refuse } from '../model/errors.ts'
import { BlobsUnavailable } from './blobs/index.ts'
import { hasCode, isDatabaseDown } from './db/errors.ts'

/** The last is `disk_full` of PostgreSQL. */
const FULL = /^(?:ENOSPC|EDQUOT|SQLITE_FULL|53100)$/
/** The process has as many files and connections open as it may. */
const TOO_MANY_OPEN = /^(?:EMFILE|ENFILE|SQLITE_CANTOPEN)$/

/** Whether a write failed because the disk of this server or of the database is full. */
export function isStorageFull(err: unknown): boolean {
  return hasCode(err, FULL)
}

/** Space does not come back by itself, so there is no `Retry-After`. */
export function storageFull(): Refusal {
  const message = 'The server has no space left, and nothing was saved. Tell its operator.'
  return refuse.noSpace('storage_full', message)
}

/** Seconds after which clients should try again. */
const RETRY_AFTER_S = 5

/** The refusal for a failed database, blob store or disk. Null for any other error. */
export function outageRefusal(err: unknown): Refusal | null {
  if (isStorageFull(err)) return storageFull()
  if (isDatabaseDown(err)) {
    // A commit during the failure may have succeeded.
    const message = 'The database of this server does not answer. Try again in a few seconds.'
    return refuse.unavailable('database_down', message, { retry_after_s: RETRY_AFTER_S })
  }
  if (err instanceof BlobsUnavailable || hasCode(err, TOO_MANY_OPEN)) {
    const message =
      'The storage for large files of this server does not answer. Try again in a few seconds.'
    return refuse.unavailable('files_down', message, { retry_after_s: RETRY_AFTER_S })
  }
  return null
}
