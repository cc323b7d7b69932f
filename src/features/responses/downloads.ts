import { refuse } from '../../model/errors.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { createSlots } from './slots.ts'
import { withTimeouts } from './timeouts.ts'

/** Each keeps a snapshot of the whole database open while it lasts. */
const AT_ONCE = { inAll: 6, ofOne: 4 }
const IDLE_TIMEOUT_MS = 60_000
/** However steadily it is read. */
const TOTAL_TIMEOUT_MS = 15 * 60_000

/** Downloads, each read from one snapshot for as long as somebody takes its chunks. */
export function createDownloads(deps: { database: Database; idleTimeoutMs: number | undefined }) {
  const { database, idleTimeoutMs = IDLE_TIMEOUT_MS } = deps
  const slots = createSlots(AT_ONCE)

  return {
    /** @throws Refusal `rate_limited` where too many are under way */
    async start(
      accountId: string,
      read: (db: Db) => Promise<AsyncGenerator<string>>,
    ): Promise<AsyncIterableIterator<string>> {
      const releaseSlot = slots.take(accountId)
      if (releaseSlot === null) throw tooManyDownloads()
      const snapshot = await openSnapshot(database).catch((err) => {
        releaseSlot()
        throw err
      })
      const end = () => {
        releaseSlot()
        snapshot.close()
      }
      try {
        const chunks = await read(snapshot.db)
        return withTimeouts(chunks, { idleTimeoutMs, totalTimeoutMs: TOTAL_TIMEOUT_MS, end })
      } catch (err) {
        end()
        throw err
      }
    },
  }
}

/** A snapshot that outlives the call: it stays open until it is closed. */
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
