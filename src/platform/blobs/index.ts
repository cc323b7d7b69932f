/**
 * Where content too large for a row lives. Keys are made here-side and never from input; what is
 * put under a key never changes.
 */
export interface Blobs {
  /** Resolves once the bytes are on the disk for good. Nothing is visible before that. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Takes the stream as it comes, never whole in memory; a stream that fails leaves nothing. */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** A handle that reads when it is read; slices of it read only their part. */
  get(key: string): Blob
  /** Size in bytes, or null where there is no such key. */
  sizeOf(key: string): Promise<number | null>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  /** Removes what is left of writes that broke off before this time. @returns how many */
  deleteUnfinished(beforeMs: number): Promise<number>
  /** Every key, with the time it was written in milliseconds since the epoch. */
  list(): AsyncIterable<{ key: string; writtenMs: number }>
}
