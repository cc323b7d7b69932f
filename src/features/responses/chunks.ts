import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import type { PickResponse, StoredResponse } from './report/index.ts'
import * as store from './store.ts'

/** Responses of a page that a query selects, and the part of them to read. */
export interface Selection extends store.ResponseFilter {
  /** Undefined: all. */
  pick?: PickResponse | undefined
}

/** Of the responses that are selected: `count` from index `first` on; all if not given. */
interface Range {
  chunkSize: number
  /** Newest first by default. */
  order?: store.Order
  first?: number
  count?: number
}

/**
 * Reads selected responses, `chunkSize` at a time. Yields to the event loop between two chunks, so
 * that other requests are not blocked.
 */
export async function* readChunks(
  db: Db,
  { pick, ...filter }: Selection,
  { order = 'desc', chunkSize, first = 0, count = Infinity }: Range,
): AsyncGenerator<StoredResponse[]> {
  // Which of them a filter picks is only known once they are read.
  let [offset, skip] = pick === undefined ? [first, 0] : [0, first]
  let after: string | undefined
  for (let remaining = count; remaining > 0; ) {
    const limit = pick === undefined ? Math.min(chunkSize, remaining) : chunkSize
    const chunk = await store.listChunk(db, filter, { order, after, offset, limit })
    const picked = pick === undefined ? chunk : chunk.flatMap((response) => pick(response) ?? [])
    const part = picked.slice(skip, skip + remaining)
    skip = Math.max(0, skip - picked.length)
    remaining -= part.length
    if (part.length > 0) yield part
    if (chunk.length < limit || remaining <= 0) return
    after = chunk.at(-1)!.created_at
    offset = 0
    await setImmediate()
  }
}
