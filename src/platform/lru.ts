/**
 * The options of an `LRUCache` of at most so many entries. With lru-cache's own `max` it allocates
 * memory for all of them at once: for 50,000 that is 3 MB and 2.5 ms of each start.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
