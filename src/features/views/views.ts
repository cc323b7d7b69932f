import type { Clock } from '../../platform/clock.ts'
import type { Database, Durability, Tx } from '../../platform/db/index.ts'
import type { RecordEvent } from '../events/index.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000

export interface Counter {
  views: number
  max_views: number | null
}

export interface Views {
  /** Creates a new page's counter. It stores the limit too, so that one statement enforces it. */
  createCounter(tx: Tx, pageId: string, maxViews: number | null): Promise<void>
  setLimit(tx: Tx, pageId: string, maxViews: number | null): Promise<void>
  countersOf(pageIds: string[]): Promise<Map<string, Counter>>
  /**
   * Counts one view and resolves once it is committed, together with the others of its batch.
   *
   * @returns false where the limit was reached before: the view must not be served
   */
  count(pageId: string, options: CountOptions): Promise<boolean>
}

export interface CountOptions {
  /** The page has a view limit: the count is on the disk before it resolves. */
  limited: boolean
  /** The owner is mailed about each view: the count records an event, in its own transaction. */
  notify: boolean
}

export interface ViewDeps {
  database: Database
  clock: Clock
  recordEvent: RecordEvent
}

export function createViews({ database, clock, recordEvent }: ViewDeps): Views {
  /** @returns how many views of each page were granted */
  async function countBatch(tx: Tx, batch: PendingView[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const notified = new Set<string>()
    for (const { pageId, notify } of batch) {
      counts.set(pageId, (counts.get(pageId) ?? 0) + 1)
      if (notify) notified.add(pageId)
    }
    const hour = Math.floor(clock.ms() / HOUR_MS)
    // Rows are locked in the same order everywhere: two nodes that count the same pages would
    // otherwise deadlock.
    for (const pageId of [...counts.keys()].sort()) {
      const { granted, views } = await store.addViews(tx, pageId, counts.get(pageId)!)
      if (granted > 0) {
        await store.addToHour(tx, { page_id: pageId, hour, views: granted })
        if (notified.has(pageId)) {
          const details = { count: granted, total: views, notifyOwner: true }
          await recordEvent(tx, { kind: 'view', pageId, ...details })
        }
      }
      counts.set(pageId, granted)
    }
    return counts
  }

  // A view that must be on the disk cannot share a commit that is not synced.
  const countDurably = createBatcher(database, 'full', countBatch)
  const countRelaxed = createBatcher(database, 'relaxed', countBatch)

  return {
    createCounter: store.insertCounter,
    setLimit: store.updateLimit,
    async countersOf(pageIds) {
      const rows = await store.findCounters(database.read, pageIds)
      return new Map(rows.map(({ page_id: pageId, ...counter }) => [pageId, counter]))
    },
    count(pageId, { limited, notify }) {
      const count = limited || notify ? countDurably : countRelaxed
      return count(pageId, notify)
    },
  }
}

interface PendingView {
  pageId: string
  notify: boolean
  resolve(isGranted: boolean): void
  reject(err: unknown): void
}

/** Batches views: those that arrive during a commit share the next one. */
function createBatcher(
  database: Database,
  durability: Durability,
  countBatch: (tx: Tx, batch: PendingView[]) => Promise<Map<string, number>>,
): (pageId: string, notify: boolean) => Promise<boolean> {
  let pending: PendingView[] = []
  let isFlushing = false

  async function flush(): Promise<void> {
    isFlushing = true
    while (pending.length > 0) {
      let batch: PendingView[] = []
      try {
        const granted = await database.write((tx) => {
          // A transaction that is run again counts the same views again, and no others.
          if (batch.length === 0) [batch, pending] = [pending, []]
          return countBatch(tx, batch)
        }, durability)
        resolveBatch(batch, granted)
      } catch (err) {
        if (batch.length === 0) [batch, pending] = [pending, []]
        for (const { reject } of batch) reject(err)
      }
    }
    isFlushing = false
  }

  return (pageId, notify) =>
    new Promise((resolve, reject) => {
      pending.push({ pageId, notify, resolve, reject })
      if (!isFlushing) void flush()
    })
}

/** Grants a page's views in the order in which they arrived. */
function resolveBatch(batch: PendingView[], granted: Map<string, number>): void {
  for (const { pageId, resolve } of batch) {
    const left = granted.get(pageId) ?? 0
    granted.set(pageId, left - 1)
    resolve(left > 0)
  }
}
