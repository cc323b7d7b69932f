import { randomBytes } from 'node:crypto'

/**
 * Stores content that is too large for a database row. A key is made by `newBlobKey` and the bytes
 * under it never change. The database row of a blob has its size; a backend is not asked for it.
 *
 * Every backend passes `blobs.suite.ts`.
 */
export interface Blobs {
  /**
   * Opens part of a blob as a body for a response. Rejects before anything is read when the blob is
   * missing or ends before `range.end`, so that a lost file is never sent as an empty one. An empty
   * range reads nothing and makes the same check.
   *
   * @param signal rejects with its reason when aborted before the body is there; aborted later, the
   *   body either fails or is complete, and is never cut short without an error
   */
  open(key: string, range: ByteRange, signal?: AbortSignal): Promise<BlobBody>
  /**
   * Writes a blob and resolves once it is durable. Nothing is visible under the key before that. A
   * stream is written as it arrives. If it fails, `put` rejects with its error and leaves nothing.
   */
  put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
  has(key: string): Promise<boolean>
  /** Deleting a key that is not there is no error. */
  delete(key: string): Promise<void>
  /** Every complete blob, with the time it was written in milliseconds since the epoch. */
  list(): AsyncIterable<{ key: string; writtenMs: number }>
  /**
   * Deletes what interrupted writes left behind, if they began before this time.
   *
   * @returns how many it deleted
   */
  deleteUnfinished(beforeMs: number): Promise<number>
}

/** Bytes from `start` up to, and without, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * What a `Response` can send. A backend never returns an object of its own kind that a `Response`
 * treats differently: Bun turns an S3 file into a redirect to a presigned URL, past the gate.
 */
export type BlobBody = Blob | ReadableStream<Uint8Array>

/** A blob is not there, or is shorter than its row says. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged'
}

const KEY = /^[0-9a-f]{32}$/

/** Random, never derived from content: a key that the sweeper deletes is never written again. */
export function newBlobKey(): string {
  return randomBytes(16).toString('hex')
}

export function isBlobKey(text: string): boolean {
  return KEY.test(text)
}

/** Backends call this before they build a path or an object name. */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError('Not a blob key')
}

export function assertByteRange({ start, end }: ByteRange): void {
  const areWhole = Number.isSafeInteger(start) && Number.isSafeInteger(end)
  if (!areWhole || start < 0 || end < start) throw new RangeError(`Not a range: ${start} to ${end}`)
}

export async function readBlobBody(body: BlobBody): Promise<Uint8Array> {
  return body instanceof Blob ? body.bytes() : new Response(body).bytes()
}
