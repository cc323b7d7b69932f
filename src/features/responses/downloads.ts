import { refuse } from '../../model/errors.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { withTimeouts } from '../../platform/read-timeouts.ts'

/** Each download keeps a snapshot of the whole database open. */
const MAX_DOWNLOADS = {
  total: { most: 6, refusal: tooManyDownloads },
  perAccount: { most: 4, refusal: tooManyDownloads },
}
const IDLE_TIMEOUT_MS = 60_000
/** Ends a download even if its client reads steadily. */
const TOTAL_TIMEOUT_MS = 15 * 60_000

/** Streams downloads, each from one snapshot of the database, with limits and timeouts. */
export function createDownloads(deps: { database: Database; idleTimeoutMs: number | undefined }) {
  const { database, idleTimeoutMs = IDLE_TIMEOUT_MS } = deps
  const limiter = createLimiter(MAX_DOWNLOADS)

  return {
    /**
     * @param read returns the chunks of the download, which it reads from `db`
     * @throws Refusal `rate_limited` if too many downloads are running
     */
    async start(
      accountId: string,
      read: (db: Db) => Promise<AsyncGenerator<string>>,
    ): Promise<AsyncIterableIterator<string>> {
      const leaveLimiter = limiter.start(accountId)
      const snapshot = await openSnapshot(database).catch((err) => {
        leaveLimiter()
        throw err
      })
      const release = () => {
        leaveLimiter()
        snapshot.close()
      }
      try {
        const chunks = await read(snapshot.db)
        return withTimeouts(chunks, { idleTimeoutMs, totalTimeoutMs: TOTAL_TIMEOUT_MS, release })
      } catch (err) {
        release()
        throw err
      }
    },
  }
}

/** Opens a snapshot that stays open after the call, until `close`. */
async function openSnapshot(database: Database): Promise<{ db: Db; close(): void }> {
  const opened = Promise.withResolvers<Db>()
  const closed = Promise.withResolvers<void>()
  const reading = database.snapshot((db) => {
    opened.resolve(db)
    return closed.promise
  })
  reading.catch(opened.reject)
  return { db: await opened.promise, close: closed.resolve }
}

function tooManyDownloads() {
  return refuse.rateLimited(
    'rate_limited',
    'Other downloads are under way just now: try again in a minute.',
    { retry_after_s: IDLE_TIMEOUT_MS / 1000 },
  )
}
