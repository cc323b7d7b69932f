/**
 * The options of an `LRUCache` of at most so many entries. With lru-cache's own `max` it allocates
 * memory for all of them at once: for 50,000 that is 3 MB and 2.5 ms of each start.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}

/**
 * What an entry takes besides its bytes: its key, its array and its place in the cache. Without it,
 * a cache of small files would hold hundreds of thousands of them.
 */
export const ENTRY_BYTES = 1024

/** The options of an `LRUCache` of arrays that take at most so many bytes, and each so many. */
export function atMostBytes(bytes: number, ofOne: number) {
  return {
    maxSize: bytes,
    maxEntrySize: ofOne + ENTRY_BYTES,
    sizeCalculation: ({ byteLength }: Uint8Array) => byteLength + ENTRY_BYTES,
  }
}
