import { LRUCache } from 'lru-cache'
import type { Database, Db } from '../../../platform/db/index.ts'
import { keyOf, type OrderedRows } from '../../../platform/db/ordered-rows.ts'
import { createTaskQueue } from '../../../platform/task-queue.ts'
import { type Blocks, createBlocks } from './blocks.ts'
import { type Move, readMoves, readSeen, type Seen } from './store.ts'

/** The rows of a new block. A query skips at most twice as many. */
const STEP = 256
/** A block of so many steps is divided when it is read; a far larger one is read in a thread. */
const LARGE = 2
const TOO_LARGE = 8
/** Reading more moves would delay other requests. */
const MANY_MOVES = 2000
/** The limit of orders in memory. That of a million pages takes half a megabyte. */
const MAX_ORDERS = 32

/** The orders that have an index. */
export type OrderName = 'updated' | 'created'

export interface PositionQuery {
  account_id: string
  sort: OrderName
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** The known positions in one order of an account's pages. */
interface KnownOrder {
  /** One read at a time: each brings it up to date. */
  inTurn: ReturnType<typeof createTaskQueue>
  state: { blocks: Blocks; seen: Seen } | null
}

/**
 * Finds pages of a list by offset without reading all earlier ones. It keeps in memory how many
 * pages are between certain keys of an order. With each list it reads, in the same database
 * snapshot, which pages were added and removed since, on any node: so the offsets are exact for
 * that snapshot. Missing counts are read in a thread.
 *
 * @param step for tests, like `manyMoves`
 */
export function createListPositions(
  { engine, snapshot, longRead }: Pick<Database, 'engine' | 'snapshot' | 'longRead'>,
  orders: Record<OrderName, OrderedRows>,
  { step = STEP, manyMoves = MANY_MOVES }: { step?: number; manyMoves?: number } = {},
) {
  const known = new LRUCache<string, KnownOrder>({ max: MAX_ORDERS })

  function orderOf({ account_id: accountId, sort }: PositionQuery): KnownOrder {
    const key = `${sort} ${accountId}`
    const found = known.get(key) ?? { inTurn: createTaskQueue(1), state: null }
    known.set(key, found)
    return found
  }

  async function readOrder({ account_id: accountId, sort }: PositionQuery, db: Db) {
    const rows = orders[sort]
    const seen = await readSeen(db, engine)
    const keys = await rows.keys(db, accountId, { from: '', before: null }, step)
    const rest = { from: keys.at(-1) ?? '', before: null }
    const last = await rows.count(db, accountId, rest)
    const lastKey = await rows.last(db, accountId)
    return { blocks: createBlocks(keys, { step, last, lastKey }), seen }
  }

  /** @returns null if the order has to be read again, but never right after that */
  async function idsBy(
    state: NonNullable<KnownOrder['state']>,
    query: PositionQuery,
    db: Db,
  ): Promise<string[] | null> {
    const { account_id: accountId, sort, order, offset, limit } = query
    const now = await readSeen(db, engine)
    const since = { engine, accountId, since: state.seen, now, limit: manyMoves }
    const moves = await readMoves(db, since)
    if (moves === null) return null
    const { blocks } = state
    for (const move of moves) blocks.add(keyIn(sort, move), move.added === 1 ? 1 : -1)
    state.seen = now
    const place = blocks.find(offset, order)
    if (place === null) return []
    const size = blocks.countOf(place.block)
    if (size > TOO_LARGE * step || blocks.areSparse()) return null
    const { block, skip, ...range } = place
    const open = order === 'asc' ? { ...range, before: null } : { ...range, from: '' }
    const ids = await orders[sort].ids(db, accountId, { ...open, order, limit, offset: skip })
    if (size > LARGE * step) {
      blocks.split(block, await orders[sort].keys(db, accountId, range, step), step)
    }
    return ids
  }

  return (query: PositionQuery): Promise<string[]> => {
    const order = orderOf(query)
    return order.inTurn(async () => {
      const { state } = order
      const ids = state === null ? null : await snapshot((db) => idsBy(state, query, db))
      if (ids !== null) return ids
      return longRead(async (db) => {
        order.state = await readOrder(query, db)
        return (await idsBy(order.state, query, db))!
      })
    })
  }
}

function keyIn(sort: OrderName, { page_id: id, created_at: created, updated_at: updated }: Move) {
  return keyOf(sort === 'created' ? created : updated, id)
}
