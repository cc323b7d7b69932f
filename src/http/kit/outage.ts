import { type Refusal, refuse } from '../../model/errors.ts'
import { BlobsUnavailable } from '../../platform/blobs/index.ts'
import { isDatabaseDown } from '../../platform/db/errors.ts'
import { isStorageFull, storageFull } from '../../platform/storage-full.ts'

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
