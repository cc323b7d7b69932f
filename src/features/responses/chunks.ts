import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import type { PickResponse, StoredResponse } from './report/index.ts'
import * as store from './store.ts'

type Chunks = AsyncGenerator<StoredResponse[]>

/** Responses of a page that a query selects, and the part of them to read. */
export interface Selection extends store.ResponseFilter {
  /** Undefined: all. */
  pick?: PickResponse | undefined
}

/** Of the responses that are selected: `count` from index `first` on; all if not given. */
interface Range {
  chunkSize: number
  first?: number
  count?: number
}

/** Reads all selected responses, `chunkSize` at a time. */
export function oldestFirst(db: Db, { pick, ...filter }: Selection, chunkSize: number): Chunks {
  const chunks = readChunks({ chunkSize }, (after = '', limit) =>
    store.listOldest(db, filter, { after, limit }),
  )
  return pick === undefined ? chunks : pickFrom(chunks, pick, {})
}

export function newestFirst(db: Db, { pick, ...filter }: Selection, range: Range): Chunks {
  const { chunkSize, first = 0, count } = range
  const offset = pick === undefined ? first : 0
  const chunks = readChunks(pick === undefined ? { chunkSize, count } : { chunkSize }, read)
  return pick === undefined ? chunks : pickFrom(chunks, pick, { first, count })

  function read(before: string | undefined, limit: number): Promise<StoredResponse[]> {
    return store.listNewest(db, filter, { before, limit, offset: before ? 0 : offset })
  }
}

/** Yields to the event loop between two chunks, so that other requests are not blocked. */
async function* readChunks(
  {
    chunkSize,
    count = Number.POSITIVE_INFINITY,
  }: { chunkSize: number; count?: number | undefined },
  read: (cursor: string | undefined, limit: number) => Promise<StoredResponse[]>,
): Chunks {
  let cursor: string | undefined
  for (let remaining = count; remaining > 0; remaining -= chunkSize) {
    const limit = Math.min(chunkSize, remaining)
    const chunk = await read(cursor, limit)
    if (chunk.length > 0) yield chunk
    if (chunk.length < limit) return
    cursor = chunk.at(-1)!.created_at
    await setImmediate()
  }
}

async function* pickFrom(
  chunks: Chunks,
  pick: PickResponse,
  { first = 0, count = Number.POSITIVE_INFINITY }: { first?: number; count?: number | undefined },
): Chunks {
  let [skip, remaining] = [first, count]
  if (remaining <= 0) return
  for await (const chunk of chunks) {
    const picked = chunk.flatMap((response) => pick(response) ?? [])
    const part = picked.slice(skip, skip + remaining)
    skip = Math.max(0, skip - picked.length)
    remaining -= part.length
    if (part.length > 0) yield part
    if (remaining <= 0) return
  }
}
