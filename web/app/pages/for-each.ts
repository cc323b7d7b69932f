import type { QueryClient } from '@tanstack/preact-query'
import { listed } from '../../../src/model/deletion.ts'
import { messageOf } from '../api.ts'
import type { ListedPage } from '../boot.ts'
import { nameOf } from '../page/words.ts'
import { readAgain } from '../queries.ts'
import { showError } from '../ui/toast.tsx'

/** A page with what it is called, for what is said of it. */
export type Named = Pick<ListedPage, 'id' | 'title' | 'slug'>

/** As many requests as a browser sends at once to one server. */
const AT_ONCE = 6

/** Does the same to each item, a few at once. @returns what came of each, in their order */
export async function settleAll<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  const waiting = items.entries()
  const work = async () => {
    for (const [at, item] of waiting) [results[at]] = await Promise.allSettled([act(item)])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/** Does the same to each page. Those that fail are named with the reason. @returns the others */
export async function forEach<P extends Named>(
  client: QueryClient,
  pages: readonly P[],
  act: (page: P) => Promise<unknown>,
): Promise<P[]> {
  const results = await settleAll(pages, act)
  const failures = pages.flatMap((page, at) => {
    const result = results[at]!
    return result.status === 'rejected' ? [{ page, reason: messageOf(result.reason) }] : []
  })
  for (const [reason, of] of Map.groupBy(failures, (failure) => failure.reason)) {
    const names = of.map(({ page }) => `“${nameOf(page)}”`)
    showError(pages.length === 1 ? reason : `Not done for ${listed(names)}: ${reason}`)
  }
  await readAgain(client, [['pages'], ['page'], ['inbox']])
  return pages.filter((_, at) => results[at]?.status === 'fulfilled')
}
