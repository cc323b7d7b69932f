import type { Account } from '../../model/account.ts'
import { searchWordsIn } from '../../model/page/index.ts'
import type { Paging } from '../../model/paging.ts'
import { takeTurn } from '../../platform/promises.ts'
import type { ListInput } from './contract.ts'
import type { PageDeps } from './parts.ts'
import { presentAll } from './present.ts'
import type { PageQuery } from './store.ts'
import * as store from './store.ts'

/** Lists the pages of an account with their states at one point in time. */
export async function listPages(
  deps: PageDeps,
  account: Account,
  { search = '', sort = 'updated', order, ids, ...input }: ListInput & Pick<PageQuery, 'ids'>,
) {
  // Stores waiting views first if the query reads the counters.
  if (sort === 'views' || input.state !== undefined) await deps.views.flush()
  const { pages, next_offset, now } = await findListed(deps, {
    ...{ ...input, ids, account_id: account.id, words: searchWordsIn(search), sort },
    order: order ?? (sort === 'title' ? 'asc' : 'desc'),
  })
  return { pages: await presentAll(deps, pages, now), next_offset }
}

interface AllPagesQuery extends Paging {
  search: string
  taken_down?: boolean | undefined
}

/** Lists the pages of all accounts with their owners, the last written first. */
export async function listAllPages(deps: PageDeps, { search, ...query }: AllPagesQuery) {
  const { pages, next_offset, now } = await findListed(deps, {
    ...{ ...query, account_id: null, words: searchWordsIn(search), sort: 'updated', order: 'desc' },
  })
  const accounts = new Map(pages.map((page) => [page.id, page.account_id]))
  const rows = (await presentAll(deps, pages, now)).map((page) => ({
    account_id: accounts.get(page.id)!,
    page,
  }))
  return { pages: rows, next_offset }
}

/** Up to this offset an index is read in order, which takes a negligible time. */
const SHORT_OFFSET = 10_000
/** The longest page of a list takes one turn of the event loop, with all related reads. */
const LONGEST = 200

/** Finds the pages of lists, without blocking other requests for long. */
async function findListed(
  { database, clock }: PageDeps,
  { limit, ...rest }: Omit<PageQuery, 'now'>,
) {
  const { read, longRead } = database
  const query = { ...rest, limit: limit + 1, now: clock.now() }
  const isShort =
    (hasIndex(query) && query.offset <= SHORT_OFFSET) ||
    !(await store.hasManyPages(read, query.account_id))
  const ids = await (isShort
    ? store.listIds(read, query)
    : longRead((db) => store.listIds(db, query)))
  await takeTurn(ids.length / LONGEST)
  const pages = await store.findPages(read, ids.slice(0, limit))
  return { pages, next_offset: ids.length > limit ? query.offset + limit : null, now: query.now }
}

/** Whether an index has the pages in their order; other queries scan all pages. */
function hasIndex({ account_id, sort, words, ...filters }: PageQuery): boolean {
  const { name, access, state, kind, folder, taken_down, ids } = filters
  const isFiltered = [name, access, state, kind, folder, taken_down, ids ?? undefined].some(
    (filter) => filter !== undefined,
  )
  if (account_id === null || isFiltered || words.length > 0) return false
  return sort === 'updated' || sort === 'created'
}

/** Lists the pages that search engines may list and everybody can open now, newest first. */
export async function listIndexable({ database, clock, views }: PageDeps, limit: number) {
  const pages = await store.listIndexable(database.read, [clock.now(), limit])
  const counters = await views.countersOf(pages.map(({ id }) => id))
  return pages.filter(({ id }) => {
    const counter = counters.get(id)
    return counter !== undefined && counter.views < (counter.max_views ?? Infinity)
  })
}
