import type { OpenableBody } from '../../model/download.ts'
import { newBlobKey } from '../../platform/blobs/index.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rowsInBatches } from '../../platform/db/long-write.ts'
import { hashed } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import * as store from './store.ts'

/** Blobs up to this size are stored in their row: one commit writes them, one read serves them. */
export const IN_ROW_BYTES = 64 * 1024
const PIECE_BYTES = 64 * 1024
/** The bytes that one transaction stores ahead. */
const BATCH_BYTES = 512 * 1024
const BATCH_BLOBS = 50

/** What new content may hold in memory while its other files are read. */
const HELD_BYTES = 4 * 1024 * 1024
const HELD_BLOBS = 500

type NewBlobs = Map<string, Uint8Array>

interface StoredBlobsDeps extends Pick<Services, 'database' | 'blobs' | 'clock'> {
  /** New bytes must fit into it. */
  space: ContentSpace
}

/** Bytes by their SHA-256: small ones in their database row, large ones in the blob store. */
export function createStoredBlobs(deps: StoredBlobsDeps) {
  const { database, blobs, clock, space } = deps

  async function body(hash: string): Promise<Uint8Array | OpenableBody> {
    const row = await store.findBlob(database.read, [hash])
    if (row === undefined) throw new Error(`Blob ${hash} is missing`)
    const { data, storage_key, size_bytes: sizeBytes } = row
    if (data !== null) return data
    const blob = { key: storage_key!, hash, sizeBytes }
    return { sizeBytes, open: (range, signal) => blobs.open(blob, range, signal) }
  }

  /** The bytes piece by piece, so that a large blob is not in memory at once. */
  async function* pieces(hash: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const content = await body(hash)
    if (content instanceof Uint8Array) yield content
    else yield* piecesOf(content, hash, signal)
  }

  async function putOne(hash: string, bytes: Uint8Array): Promise<void> {
    const storageKey = newBlobKey()
    const { byteLength: sizeBytes } = bytes
    await blobs.put(storageKey, bytes, () => hash)
    await insertLarge(deps, { hash, sizeBytes, storageKey })
  }

  const isStored = async (hash: string) =>
    (await database.write((tx) => store.touchBlobs(tx, [hash], clock.now()))) > 0

  /**
   * Writes the blobs that are too large for a row before the transaction that refers to them, and
   * removes them from memory while that transaction waits.
   */
  async function putLarge(newBlobs: NewBlobs): Promise<void> {
    for (const [hash, bytes] of newBlobs) {
      if (bytes.byteLength <= IN_ROW_BYTES) continue
      if (!(await isStored(hash))) await putOne(hash, bytes)
      newBlobs.delete(hash)
    }
  }

  function assertFits(newBlobs: NewBlobs): void {
    const bytes = bytesIn(newBlobs)
    if (bytes > 0) space.assertFits(bytes)
  }

  /** Writes all of them before that transaction, in short ones. */
  async function putAll(newBlobs: NewBlobs): Promise<void> {
    assertFits(newBlobs)
    await putLarge(newBlobs)
    for (const batch of batchesOf(newBlobs)) {
      await database.write(async (tx) => {
        const touchedAt = clock.now()
        await store.blobCandidates.mark(tx, [...batch.keys()], touchedAt)
        await putSmall(tx, batch, touchedAt)
      }, 'relaxed')
    }
    newBlobs.clear()
  }

  return {
    assertFits,
    putLarge,
    putAll,
    /** Writes blobs ahead where they are too many for memory, and takes them out of the map. */
    async putAhead(newBlobs: NewBlobs): Promise<void> {
      if (newBlobs.size > HELD_BLOBS || bytesIn(newBlobs) > HELD_BYTES) await putAll(newBlobs)
    },
    /** Writes the other blobs, within the transaction that refers to them. @returns their hashes */
    putSmall,
    /**
     * Writes a stream to the blob store without holding it in memory.
     *
     * @returns also a blob that is declared to be small, for the transaction that refers to it
     */
    async putStream(chunks: AsyncIterable<Uint8Array>, declaredBytes = Number.POSITIVE_INFINITY) {
      const { hashOf, sizeOf, ...content } = hashed(chunks, ({ byteLength }) =>
        space.assertFits(byteLength),
      )
      const newBlobs: NewBlobs = new Map()
      if (declaredBytes <= IN_ROW_BYTES) {
        const bytes = Buffer.concat(await Array.fromAsync(content.chunks))
        newBlobs.set(hashOf(), bytes)
      } else {
        const storageKey = newBlobKey()
        await blobs.put(storageKey, content.chunks, hashOf)
        await insertLarge(deps, { hash: hashOf(), sizeBytes: sizeOf(), storageKey })
      }
      return { hash: hashOf(), sizeBytes: sizeOf(), newBlobs }
    },
    /** For a response: the bytes of a small blob, else one in the blob store to open. */
    body,
    pieces,
    async bytes(hash: string): Promise<Uint8Array> {
      const content = await body(hash)
      if (content instanceof Uint8Array) return content
      return (await content.open({ start: 0, end: content.sizeBytes })).bytes()
    },
  }
}

async function* piecesOf(content: OpenableBody, hash: string, signal?: AbortSignal) {
  const open = () => content.open({ start: 0, end: content.sizeBytes }, signal)
  let blob = await open()
  // Its stream would read ahead some megabytes for each archive that is not read.
  for (let at = 0; at < content.sizeBytes; at += PIECE_BYTES) {
    const end = Math.min(at + PIECE_BYTES, content.sizeBytes)
    const read = () => blob.slice(at, end).bytes()
    // The local copy of an object in a bucket may be gone by now: it is made again.
    const piece = await read().catch(async () => {
      blob = await open()
      return read()
    })
    if (piece.byteLength < end - at) throw new Error(`Blob ${hash} is shorter than it was`)
    yield piece
  }
}

/**
 * Commits the row of a file in the blob store before anything refers to it: the sweeper leaves
 * for an hour what was touched, so the transaction that follows finds the row. That one makes this
 * row durable, too: a crash before it leaves a file without a row, which the sweeper deletes.
 * Deletes the file again where the same bytes are stored already.
 */
async function insertLarge(
  { database, blobs, clock }: StoredBlobsDeps,
  { hash, sizeBytes, storageKey }: { hash: string; sizeBytes: number; storageKey: string },
): Promise<void> {
  const storedKey = await database.write(async (tx) => {
    const touchedAt = clock.now()
    await store.blobCandidates.mark(tx, [hash], touchedAt)
    const row = { hash, size_bytes: sizeBytes, data: null, storage_key: storageKey }
    return (await store.upsertBlobs(tx, [{ ...row, touched_at: touchedAt }]))[0]!.storage_key
  }, 'relaxed')
  if (storedKey !== storageKey) await blobs.delete([storageKey])
}

/** Sorted, so that two transactions that write the same blobs wait for each other in one order. */
async function putSmall(tx: Tx, newBlobs: NewBlobs, touchedAt: string): Promise<Set<string>> {
  const small = [...newBlobs].filter(([, { byteLength }]) => byteLength <= IN_ROW_BYTES)
  const rows = small
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hash, data]) => ({
      hash,
      size_bytes: data.byteLength,
      data,
      storage_key: null,
      touched_at: touchedAt,
    }))
  await store.upsertBlobs(tx, rows)
  return new Set(rows.map(({ hash }) => hash))
}

function bytesIn(newBlobs: NewBlobs): number {
  return newBlobs.values().reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Divides those that are stored in rows, for short transactions. */
function* batchesOf(newBlobs: NewBlobs): Generator<NewBlobs> {
  let batch = new Map<string, Uint8Array>()
  let sizeBytes = 0
  for (const [hash, bytes] of newBlobs) {
    if (bytes.byteLength > IN_ROW_BYTES) continue
    batch.set(hash, bytes)
    sizeBytes += bytes.byteLength
    if (sizeBytes < BATCH_BYTES && batch.size < BATCH_BLOBS) continue
    yield batch
    batch = new Map()
    sizeBytes = 0
  }
  if (batch.size > 0) yield batch
}

const AT_ONCE = 1_000

/** The database columns of a blob. */
export type KnownBlob = Awaited<ReturnType<typeof store.listBlobs>>[number]

/** All blobs by hash. Those with a `storage_key` are in the blob store, the others in their row. */
export function knownBlobs(db: Db): AsyncGenerator<KnownBlob> {
  return rowsInBatches({ by: 'hash', limit: AT_ONCE }, (...range) => store.listBlobs(db, range))
}
