import { type Refusal, refuse } from '../model/errors.ts'
import { BlobsUnavailable } from './blobs/index.ts'
import { isDatabaseDown } from './db/errors.ts'

const CODES = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']
/** `disk_full` of PostgreSQL. */
const DISK_FULL = '53100'

/** Whether a write failed because the disk of this server or of the database is full. */
export function isStorageFull(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  return CODES.includes(String(code)) || errno === DISK_FULL
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
  if (err instanceof BlobsUnavailable) {
    const message =
      'The storage for large files of this server does not answer. Try again in a few seconds.'
    return refuse.unavailable('files_down', message, { retry_after_s: RETRY_AFTER_S })
  }
  return null
}
