import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import type { StoredResponse } from './report/index.ts'
import * as store from './store.ts'

type Chunks = AsyncGenerator<StoredResponse[]>

/** Reads all matching responses, `chunkSize` at a time. */
export function oldestFirst(db: Db, filter: store.ResponseFilter, chunkSize: number): Chunks {
  return readChunks({ chunkSize }, (after = '', limit) =>
    store.listOldest(db, filter, { after, limit }),
  )
}

/** @param range `count` responses from index `first` on; all if not given */
export function newestFirst(
  db: Db,
  filter: store.ResponseFilter,
  range: { chunkSize: number; first?: number; count?: number },
): Chunks {
  return readChunks(range, (before, limit) =>
    store.listNewest(db, filter, { before, limit, offset: before ? 0 : range.first }),
  )
}

/** Yields to the event loop between two chunks, so that other requests are not held up. */
async function* readChunks(
  { chunkSize, count = Number.POSITIVE_INFINITY }: { chunkSize: number; count?: number },
  read: (cursor: string | undefined, limit: number) => Promise<StoredResponse[]>,
): Chunks {
  let cursor: string | undefined
  for (let left = count; left > 0; left -= chunkSize) {
    const limit = Math.min(chunkSize, left)
    const chunk = await read(cursor, limit)
    if (chunk.length > 0) yield chunk
    if (chunk.length < limit) return
    cursor = chunk.at(-1)!.created_at
    await setImmediate()
  }
}
