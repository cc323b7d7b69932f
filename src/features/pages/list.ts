import type { Account } from '../../model/account.ts'
import { searchWordsIn } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Views } from '../views/index.ts'
import type { ListInput } from './contract.ts'
import type { FindListed } from './find-listed.ts'
import type { Presenter } from './present.ts'

export interface PageList {
  pages: PageObject[]
  next_offset: number | null
}

export interface ListPagesDeps {
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
    const found = await findListed({
      ...filters,
      account_id: account.id,
      words: searchWordsIn(search),
      sort,
      order: order ?? (sort === 'title' ? 'asc' : 'desc'),
      limit: limit + 1,
      offset,
      now,
    })
    const pages = await presentAll(found.slice(0, limit), now)
    return { pages, next_offset: found.length > limit ? offset + limit : null }
  }
}
