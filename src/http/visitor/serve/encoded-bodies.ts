import { LRUCache } from 'lru-cache'
import type { ReleaseFile } from '../../../features/content/index.ts'
import { createTaskQueue } from '../../../platform/task-queue.ts'
import { compress, type Encoding } from '../../kit/encodings.ts'
import type { Bodies, HeadTags } from './bodies.ts'
import { compressAround, type SlottedGzip } from './slotted-gzip.ts'

/** A larger file is sent as it is stored: compressing needs all of it in memory. */
export const MAX_ENCODED_SOURCE_BYTES = 8 * 1024 * 1024
const CACHE_BYTES = 32 * 1024 * 1024
/** The limits of bodies that are compressed at once, and of those that wait. */
const MAX_RUNNING = 2
const MAX_WAITING = 64

/** Marks a body that compression does not make smaller. */
const NOT_SMALLER = new Uint8Array()

/** A body in an encoding: complete, or with a slot for one viewer's text. */
export type EncodedBody = Uint8Array | SlottedGzip

export interface EncodedRequest {
  encoding: Encoding
  bodyKey: string
  file: ReleaseFile
  tags: HeadTags
  /** Where each viewer's text goes, in a body that has such a place. Its encoding is gzip. */
  slot: number | null
}

/**
 * The compressed bytes of bodies. Each body is compressed once, for the first request that accepts
 * the encoding, in a thread of its own. The most recently used are cached by the hash of their
 * content, so a cached body is never out of date.
 */
export function createEncodedBodies(bodies: Bodies) {
  const cache = new LRUCache<string, EncodedBody>({
    maxSize: CACHE_BYTES,
    maxEntrySize: MAX_ENCODED_SOURCE_BYTES,
    // The cache refuses a size of 0.
    sizeCalculation: (body) => Math.max(1, sizeOf(body)),
  })
  const pending = new Map<string, Promise<EncodedBody>>()
  const runInTurn = createTaskQueue(MAX_RUNNING)

  async function encode(request: EncodedRequest): Promise<EncodedBody> {
    const { encoding, bodyKey, file, tags, slot } = request
    const source = await bodies.loadBytes(bodyKey, file, tags)
    const encoded = await (slot === null
      ? compress(source, encoding)
      : compressAround(source, slot))
    return sizeOf(encoded) < source.byteLength ? encoded : NOT_SMALLER
  }

  return {
    /** @returns null for a body that should be sent uncompressed, also while too many wait */
    async load(request: EncodedRequest): Promise<EncodedBody | null> {
      const key = `${request.encoding} ${request.bodyKey}`
      const cached = cache.get(key)
      if (cached !== undefined) return cached === NOT_SMALLER ? null : cached
      let promise = pending.get(key)
      if (promise === undefined) {
        if (pending.size >= MAX_RUNNING + MAX_WAITING) return null
        promise = runInTurn(() => encode(request)).finally(() => pending.delete(key))
        pending.set(key, promise)
      }
      const encoded = await promise
      cache.set(key, encoded)
      return encoded === NOT_SMALLER ? null : encoded
    },
  }
}
export type EncodedBodies = ReturnType<typeof createEncodedBodies>

function sizeOf(body: EncodedBody): number {
  return body instanceof Uint8Array
    ? body.byteLength
    : body.before.bytes.byteLength + body.after.bytes.byteLength
}
