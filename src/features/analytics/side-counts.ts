import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Facet, FacetCount, Views } from '../views/index.ts'

const DAY_MS = 24 * 3_600_000
/** How long a count waits for others at most. */
const FLUSH_AFTER_MS = 1000
/** How many different counts wait at most. Those beyond are dropped until the next flush. */
const MAX_WAITING = 20_000
/** How many pages are written at once. */
const AT_ONCE = 20

export interface SideCountDeps {
  database: Database
  clock: Clock
  views: Pick<Views, 'addFacets'>
  log: Log
}

/**
 * Counts what is known of visits: facts of views that the counter has granted, further files of a
 * deck, refusals. Counts wait in memory and are written together within a second, so that no
 * visitor waits for them. A process that is killed loses that second, of these counts alone.
 */
export function createSideCounts({ database, clock, views, log }: SideCountDeps) {
  /** By page, by facet and value. */
  let waiting = new Map<string, Map<string, FacetCount>>()
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  async function writePage(pageId: string, day: number, counts: FacetCount[]): Promise<void> {
    try {
      await database.write((tx) => views.addFacets(tx, { pageId, day }, counts), 'relaxed')
    } catch (err) {
      // The page may have been deleted meanwhile.
      log.warn('counts of a page were not written', { page_id: pageId, err })
    }
  }

  async function write(): Promise<void> {
    const day = Math.floor(clock.ms() / DAY_MS)
    const pages = [...waiting]
    waiting = new Map()
    size = 0
    for (let at = 0; at < pages.length; at += AT_ONCE) {
      const some = pages.slice(at, at + AT_ONCE)
      await Promise.all(
        some.map(([pageId, counts]) => writePage(pageId, day, [...counts.values()])),
      )
    }
  }

  /** Resolves once all that was counted before is committed. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    count(pageId: string, facts: readonly (readonly [facet: Facet, value: string])[]): void {
      if (facts.length === 0) return
      let counts = waiting.get(pageId)
      if (counts === undefined) {
        counts = new Map()
        waiting.set(pageId, counts)
      }
      for (const [facet, value] of facts) {
        const key = `${facet} ${value}`
        const known = counts.get(key)
        if (known !== undefined) known.count += 1
        else if (size < MAX_WAITING) {
          counts.set(key, { facet, value, count: 1, seconds: 0 })
          size += 1
        }
      }
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref()
    },
    flush,
  }
}
