import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { PageQuery } from './page-query.ts'
import * as store from './store.ts'

/** An index is read in order up to here, in a time that nobody notices. */
const SHORT_OFFSET = 1000
/** The longest page of a list takes a turn of the event loop, with all that is read about it. */
const LONGEST = 200

/** Finds the pages of a list, without holding up other requests for long. */
export async function findListed(database: Database, query: PageQuery): Promise<Page[]> {
  const { read } = database
  const isLong = goesThroughMany(query) && (await store.hasManyPages(read, query.account_id))
  const ids = isLong
    ? await database.longRead((db) => store.listIds(db, query))
    : await store.listIds(read, query)
  await takeTurn(ids.length / LONGEST)
  return store.findPages(read, ids)
}

/** Whether the query looks at all pages: no index has the order, or what is asked for. */
function goesThroughMany({ account_id: accountId, sort, words, offset, ...rest }: PageQuery) {
  const { access, state, kind, taken_down: isTakenDown } = rest
  const isFiltered = [access, state, kind, isTakenDown].some((filter) => filter !== undefined)
  const isSorted = sort === 'title' || sort === 'views'
  return accountId === null || isFiltered || isSorted || words.length > 0 || offset > SHORT_OFFSET
}
