import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import type { StoredResponse } from './report/index.ts'
import * as store from './store.ts'

type Chunks = AsyncGenerator<StoredResponse[]>

/** All that match, so many at a time. */
export function oldestFirst(db: Db, filter: store.ResponseFilter, chunkSize: number): Chunks {
  return chunked({ chunkSize }, (after = '', limit) =>
    store.listOldest(db, filter, { after, limit }),
  )
}

/** @param part `count` of them from the place `first` on; all unless given */
export function newestFirst(
  db: Db,
  filter: store.ResponseFilter,
  part: { chunkSize: number; first?: number; count?: number },
): Chunks {
  return chunked(part, (before, limit) =>
    store.listNewest(db, filter, { before, limit, offset: before ? 0 : part.first }),
  )
}

/** Between two chunks everything else has its turn. */
async function* chunked(
  { chunkSize, count = Number.POSITIVE_INFINITY }: { chunkSize: number; count?: number },
  read: (beyond: string | undefined, limit: number) => Promise<StoredResponse[]>,
): Chunks {
  let beyond: string | undefined
  for (let left = count; left > 0; left -= chunkSize) {
    const limit = Math.min(chunkSize, left)
    const chunk = await read(beyond, limit)
    if (chunk.length > 0) yield chunk
    if (chunk.length < limit) return
    beyond = chunk.at(-1)!.created_at
    await setImmediate()
  }
}
