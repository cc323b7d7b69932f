import type { LogNotDurable } from '../platform/db/log-syncs.ts'
import type { Log } from '../platform/log.ts'

/**
 * Ends the process where the disk did not store what was committed: nobody gets an answer any more
 * that might not be true. The next start keeps what the log has by then (`sqlite-rewrite.ts`).
 */
export function endOnDiskFailure(log: Log): (err: LogNotDurable) => never {
  return (err) => {
    log.error('the disk failed to store the log of the database, so the server ends: look at it', {
      err,
    })
    process.exit(1)
  }
}
