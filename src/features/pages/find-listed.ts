import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { PageQuery } from './page-query.ts'
import * as store from './store.ts'

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
function hasIndex({ account_id: accountId, sort, words, ...filters }: PageQuery): boolean {
  const { access, state, kind, taken_down: isTakenDown } = filters
  const isFiltered = [access, state, kind, isTakenDown].some((filter) => filter !== undefined)
  if (accountId === null || isFiltered || words.length > 0) return false
  return sort === 'updated' || sort === 'created'
}
