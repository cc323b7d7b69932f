import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { PageQuery } from './page-query.ts'
import { createListPositions } from './positions/list-positions.ts'
import * as store from './store.ts'

/** Up to this offset an index is read in order, which takes a negligible time. */
const SHORT_OFFSET = 500
/** The longest page of a list takes one turn of the event loop, with all related reads. */
const LONGEST = 200

/** Finds the pages of lists, without blocking other requests for long. */
export function createFindListed(database: Database) {
  const { read } = database
  const idsAt = createListPositions(database, store.inOrder)

  async function idsOf(query: PageQuery): Promise<string[]> {
    const indexed = indexedIn(query)
    if (indexed !== null) {
      if (query.offset > SHORT_OFFSET) return idsAt(indexed)
      const everything = { from: '', before: null }
      return store.inOrder[indexed.sort].ids(read, indexed.account_id, {
        ...indexed,
        ...everything,
      })
    }
    const isLong = await store.hasManyPages(read, query.account_id)
    return isLong ? database.longRead((db) => store.listIds(db, query)) : store.listIds(read, query)
  }

  return async (query: PageQuery): Promise<Page[]> => {
    const ids = await idsOf(query)
    await takeTurn(ids.length / LONGEST)
    return store.findPages(read, ids)
  }
}

export type FindListed = ReturnType<typeof createFindListed>

/** The query if an index can answer it; null for queries that scan all pages. */
function indexedIn({ account_id: accountId, sort, words, ...rest }: PageQuery) {
  const { access, state, kind, taken_down: isTakenDown, order, limit, offset } = rest
  const isFiltered = [access, state, kind, isTakenDown].some((filter) => filter !== undefined)
  if (accountId === null || isFiltered || words.length > 0) return null
  if (sort !== 'updated' && sort !== 'created') return null
  return { account_id: accountId, sort, order, limit, offset }
}
