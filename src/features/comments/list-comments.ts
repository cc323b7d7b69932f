import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { RefreshAnchorStates } from './anchor-states.ts'
import type { CommentQuery, OwnersComment } from './contract.ts'
import { threadsOf, toOwner } from './rules.ts'
import * as store from './store.ts'

/** The most characters of text in one answer; it has at least one thread. */
export const MAX_CHARS = 4 * 1024 * 1024

export interface CommentList {
  data: OwnersComment[]
  next_offset: number | null
}

export interface ListDeps {
  database: Database
  refreshAnchorStates: RefreshAnchorStates
}

/** Lists threads for the page's owner, including what viewers do not see. */
export function createListComments({ database, refreshAnchorStates }: ListDeps) {
  return async (page: Page, query: CommentQuery): Promise<CommentList> => {
    const { limit, offset } = query
    const rows = await database.snapshot(async (db) => {
      const range = { ...query, limit: limit + 1, page_id: page.id }
      const roots = await store.listThreads(db, range)
      const listed = roots.slice(0, limit).map(({ id }) => id)
      return { roots, replies: await store.listReplies(db, listed) }
    })
    const hasMore = rows.roots.length > limit
    const roots = rows.roots.slice(0, limit)
    await refreshAnchorStates(page, [...roots, ...rows.replies])
    const threads = threadsOf([...roots, ...rows.replies])
    const shown = threads.slice(0, fitting(threads.map(charsOf)))
    const isCut = shown.length < threads.length
    const next = hasMore || isCut ? offset + shown.length : null
    return { data: shown.map(toOwner), next_offset: next }
  }
}

/** How many of the first sizes fit into an answer: at least one. */
export function fitting(sizes: readonly number[]): number {
  let chars = 0
  const over = sizes.findIndex((size, index) => {
    chars += size
    return chars > MAX_CHARS && index > 0
  })
  return over < 0 ? sizes.length : over
}

function charsOf({ root, replies }: ReturnType<typeof threadsOf>[number]): number {
  return [root, ...replies].reduce((sum, { body, anchor }) => {
    return sum + body.length + (anchor?.length ?? 0)
  }, 0)
}
