import { randomBytes } from 'node:crypto'
import type { ByteRange } from '../../model/download.ts'

/**
 * Stores content that is too large for a database row. A key is made by `newBlobKey` and the bytes
 * under it never change. The database row of a blob has its size and hash; a backend is not asked
 * for them, but may check what it reads by them.
 *
 * Every backend passes `blobs.suite.ts`.
 */
export interface Blobs {
  /**
   * Opens part of a blob as a body for a response. Rejects before anything is read when the blob is
   * missing or ends before `range.end`, so that a lost file is never sent as an empty one. An empty
   * range reads nothing and makes the same check.
   *
   * @param signal rejects with its reason when aborted before the body is there
   * @throws BlobDamaged, BlobsUnavailable
   */
  open(blob: StoredBlob, range: ByteRange, signal?: AbortSignal): Promise<Blob>
  /**
   * Writes a blob and resolves once it is durable. Nothing is visible under the key before that. A
   * stream is written as it arrives. If it fails, `put` rejects with its error and leaves nothing.
   *
   * @param hash answers the SHA-256 of the content; asked once all of it was read
   * @throws BlobsUnavailable
   */
  put(key: string, content: BlobContent, hash: () => string): Promise<void>
  has(key: string): Promise<boolean>
  /** Deleting a key that is not there is no error. */
  delete(keys: readonly string[]): Promise<void>
  /** Every complete blob, with the time it was written in milliseconds since the epoch. */
  list(): AsyncIterable<{ key: string; writtenMs: number }>
  /**
   * Deletes the files of interrupted writes that began before this time.
   *
   * @returns how many it deleted
   */
  deleteUnfinished(beforeMs: number): Promise<number>
  /** Whether the storage answers. Readiness asks it often, so it may be seconds old. */
  isAvailable(): Promise<boolean>
}

/** The database columns of a blob that reads need. */
export interface StoredBlob {
  key: string
  /** SHA-256, hex. */
  hash: string
  sizeBytes: number
}

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

/** A blob is missing, or shorter than its row says. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged'
}

/** The storage does not answer, or sends other bytes than were stored. Later it may again. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'
}

/** The storage was known to be down, which the log says once. */
export class BlobsDown extends BlobsUnavailable {}

/** It sent other bytes at each attempt: the blob may be damaged where it is stored. */
export class WrongBytes extends BlobsUnavailable {}

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
