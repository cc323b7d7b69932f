import type { Account } from '../../model/account.ts'
import { type Page, searchWordsIn } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import { millisecondsOf } from '../../model/timestamp.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { Views } from '../views/index.ts'
import type { ListInput } from './contract.ts'
import type { Presenter } from './present.ts'
import type { PageQuery } from './store.ts'
import * as store from './store.ts'

export interface PageList {
  pages: PageObject[]
  next_offset: number | null
}

interface ListPagesDeps {
  findListed: FindListed
  clock: Clock
  views: Pick<Views, 'flush'>
  presentAll: Presenter['presentAll']
}

/** Lists the pages of an account with their states at one point in time. */
export function createListPages({ findListed, clock, views, presentAll }: ListPagesDeps) {
  return async (account: Account, input: ListInput): Promise<PageList> => {
    const { search = '', sort = 'updated', order, limit, offset, ...filters } = input
    const now = clock.now()
    // Stores waiting views first if the query reads the counters.
    if (sort === 'views' || filters.state !== undefined) await views.flush()
    const rows = await findListed({
      ...filters,
      account_id: account.id,
      words: searchWordsIn(search),
      sort,
      order: order ?? (sort === 'title' ? 'asc' : 'desc'),
      limit: limit + 1,
      offset,
      now,
    })
    const pages = await presentAll(rows.slice(0, limit), now)
    return { pages, next_offset: rows.length > limit ? offset + limit : null }
  }
}

/** Up to this offset an index is read in order, which takes a negligible time. */
const SHORT_OFFSET = 10_000
/** The longest page of a list takes one turn of the event loop, with all related reads. */
const LONGEST = 200

/** Finds the pages of lists, without blocking other requests for long. */
export function createFindListed({ read, longRead }: Pick<Database, 'read' | 'longRead'>) {
  async function isShort(query: PageQuery): Promise<boolean> {
    if (hasIndex(query) && query.offset <= SHORT_OFFSET) return true
    return !(await store.hasManyPages(read, query.account_id))
  }

  return async (query: PageQuery): Promise<Page[]> => {
    const ids = (await isShort(query))
      ? await store.listIds(read, query)
      : await longRead((db) => store.listIds(db, query))
    await takeTurn(ids.length / LONGEST)
    return store.findPages(read, ids)
  }
}

export type FindListed = ReturnType<typeof createFindListed>

/** Whether an index has the pages in their order; other queries scan all pages. */
function hasIndex({ account_id, sort, words, ...filters }: PageQuery): boolean {
  const { access, state, kind, taken_down } = filters
  const isFiltered = [access, state, kind, taken_down].some((filter) => filter !== undefined)
  if (account_id === null || isFiltered || words.length > 0) return false
  return sort === 'updated' || sort === 'created'
}

/** How many counters one statement reads: databases limit the parameters of a statement. */
const BATCH = 1000

export interface IndexablePage {
  slug: string
  published_at: string | null
}

interface ListIndexableDeps {
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
      ({ expires_at }) => expires_at === null || millisecondsOf(expires_at) > nowMs,
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
