import type { Page } from '../../model/page/index.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { RefreshAnchorStates } from './anchor-states.ts'
import type { CommentQuery, OwnersComment } from './contract.ts'
import { type Thread, threadsOf, toOwner } from './rules.ts'
import * as store from './store.ts'

/**
 * The size of the threads in one answer, which has at least one: reading and writing so much holds
 * up other requests for some milliseconds.
 */
const MAX_BYTES = 512 * 1024

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
    const { found, threads } = await database.snapshot(async (db) => {
      const range = { ...query, limit: limit + 1, page_id: page.id }
      const ids = await store.listThreadIds(db, range)
      await takeTurn()
      return { found: ids, threads: await readThreads(db, ids.slice(0, limit)) }
    })
    await refreshAnchorStates(
      page,
      threads.flatMap(({ root, replies }) => [root, ...replies]),
    )
    await takeTurn()
    const next = threads.length < found.length ? offset + threads.length : null
    return { data: threads.map(toOwner), next_offset: next }
  }
}

/** Reads threads with their replies, in the order of the ids: as many as one answer holds. */
export async function readThreads(db: Db, ids: readonly string[]): Promise<Thread[]> {
  if (ids.length === 0) return []
  // Sizes are read before any text: a thread can have a thousand long replies.
  const sizes = await store.sizesOf(db, ids)
  await takeTurn()
  const read = ids.slice(0, fitting(ids.map((id) => sizes.get(id) ?? 0)))
  const roots = new Map((await store.findThreads(db, read)).map((row) => [row.id, row]))
  const inOrder = read.flatMap((id) => roots.get(id) ?? [])
  return threadsOf([...inOrder, ...(await store.listReplies(db, read))])
}

/** How many of the first sizes fit into an answer: at least one. */
function fitting(sizes: readonly number[]): number {
  let bytes = 0
  const over = sizes.findIndex((size, index) => {
    bytes += size
    return bytes > MAX_BYTES && index > 0
  })
  return over < 0 ? sizes.length : over
}
