import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import type { FacetCount, Fact, Views } from '../views/index.ts'

const DAY_MS = 24 * 3_600_000
/** How long a count waits for others at most. */
const FLUSH_AFTER_MS = 1000
/** How many different counts wait at most. Those beyond are dropped until the next flush. */
const MAX_WAITING = 20_000
/** How many pages are written at once. */
const AT_ONCE = 20

const NO_FACTS: readonly Fact[] = []

/** What waits of one page. */
interface Waiting {
  /** How often each shared list was counted. */
  lists: Map<readonly Fact[], { count: number }>
  /** By facet and value. */
  facts: Map<string, FacetCount>
}

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
  let waiting = new Map<string, Waiting>()
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  function countList(lists: Waiting['lists'], list: readonly Fact[]): void {
    const known = lists.get(list)
    if (known !== undefined) known.count += 1
    else if (size < MAX_WAITING) {
      lists.set(list, { count: 1 })
      size += list.length
    }
  }

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
      await Promise.all(some.map(([pageId, counts]) => writePage(pageId, day, totalsOf(counts))))
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
    /** @param shared a list that many visits share, which is counted as one */
    count(pageId: string, facts: readonly Fact[], shared: readonly Fact[] = NO_FACTS): void {
      if (facts.length === 0 && shared.length === 0) return
      let counts = waiting.get(pageId)
      if (counts === undefined) {
        counts = { lists: new Map(), facts: new Map() }
        waiting.set(pageId, counts)
      }
      if (shared.length > 0) countList(counts.lists, shared)
      for (const fact of facts) {
        if (add(counts.facts, fact, { count: 1, isFull: size >= MAX_WAITING })) size += 1
      }
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref()
    },
    flush,
  }
}

function totalsOf({ lists, facts }: Waiting): FacetCount[] {
  for (const [list, { count }] of lists) {
    for (const fact of list) add(facts, fact, { count, isFull: false })
  }
  return [...facts.values()]
}

/** @returns whether the fact is new among them */
function add(
  facts: Waiting['facts'],
  [facet, value]: Fact,
  { count, isFull }: { count: number; isFull: boolean },
): boolean {
  const key = `${facet} ${value}`
  const known = facts.get(key)
  if (known !== undefined) known.count += count
  const isNew = known === undefined && !isFull
  if (isNew) facts.set(key, { facet, value, count, seconds: 0 })
  return isNew
}
