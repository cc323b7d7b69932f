export interface Bounds {
  /** What is larger is not kept. */
  itemBytes: number
  allBytes: number
}

/** Keeps values in memory, by their size; the oldest make place for the newest. */
export function createBoundedCache<K, V>({ itemBytes, allBytes }: Bounds) {
  const kept = new Map<K, { value: V; size_bytes: number }>()
  let keptBytes = 0

  return {
    get: (key: K): V | undefined => kept.get(key)?.value,
    put(key: K, value: V, sizeBytes: number): void {
      if (sizeBytes > itemBytes || kept.has(key)) return
      kept.set(key, { value, size_bytes: sizeBytes })
      keptBytes += sizeBytes
      for (const [oldest, { size_bytes: sizeBytes }] of kept) {
        if (keptBytes <= allBytes) return
        kept.delete(oldest)
        keptBytes -= sizeBytes
      }
    },
  }
}
