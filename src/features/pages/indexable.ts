import { millisecondsOf } from '../../model/timestamp.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Views } from '../views/index.ts'
import * as store from './store.ts'

/** How many counters one statement reads: databases limit the parameters of a statement. */
const BATCH = 1000

export interface IndexablePage {
  slug: string
  published_at: string | null
}

export interface ListIndexableDeps {
  database: Database
  clock: Clock
  views: Pick<Views, 'countersOf'>
}

/** Lists the pages that search engines may list and that are open to visitors. */
export function createListIndexable({ database, clock, views }: ListIndexableDeps) {
  return async (limit: number): Promise<IndexablePage[]> => {
    const nowMs = clock.ms()
    const listed = await store.listIndexable(database.read, limit)
    const current = listed.filter(
      ({ expires_at: expiresAt }) => expiresAt === null || millisecondsOf(expiresAt) > nowMs,
    )
    const open: IndexablePage[] = []
    for (let start = 0; start < current.length; start += BATCH) {
      const batch = current.slice(start, start + BATCH)
      const counters = await views.countersOf(batch.map(({ id }) => id))
      const isOpen = ({ id }: { id: string }) => {
        const counter = counters.get(id)
        return counter !== undefined && counter.views < (counter.max_views ?? Infinity)
      }
      open.push(...batch.filter(isOpen))
    }
    return open
  }
}
