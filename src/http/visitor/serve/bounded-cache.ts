export interface Bounds {
  /** What is larger is not kept. */
  item_bytes: number
  all_bytes: number
}

/** Keeps values in memory, by their size; the oldest make place for the newest. */
export function createBoundedCache<K, V>({ item_bytes, all_bytes }: Bounds) {
  const kept = new Map<K, { value: V; size_bytes: number }>()
  let kept_bytes = 0

  return {
    get: (key: K): V | undefined => kept.get(key)?.value,
    put(key: K, value: V, size_bytes: number): void {
      if (size_bytes > item_bytes || kept.has(key)) return
      kept.set(key, { value, size_bytes })
      kept_bytes += size_bytes
      for (const [oldest, { size_bytes }] of kept) {
        if (kept_bytes <= all_bytes) return
        kept.delete(oldest)
        kept_bytes -= size_bytes
      }
    },
  }
}
