import { LRUCache } from 'lru-cache'

interface Options<T> {
  maxBytes: number
  sizeOf(result: T): number
  /** How many results may be made or wait at once. */
  maxRunning: number
}

/** Caches results that take work. Who asks for one that is being made waits for the same. */
export function createSingleFlight<T extends {}>({ maxBytes, sizeOf, maxRunning }: Options<T>) {
  const cache = new LRUCache<string, T>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const running = new Map<string, Promise<T>>()

  async function run(key: string, make: () => Promise<T>): Promise<T> {
    try {
      const result = await make()
      cache.set(key, result)
      return result
    } finally {
      running.delete(key)
    }
  }

  return {
    /** From memory; undefined where it has to be made. */
    cached: (key: string): T | undefined => cache.get(key),
    /** Null while too many others are made. */
    get(key: string, make: () => Promise<T>): Promise<T> | null {
      const known = cache.get(key) ?? running.get(key)
      if (known !== undefined) return Promise.resolve(known)
      if (running.size >= maxRunning) return null
      const result = run(key, make)
      running.set(key, result)
      return result
    },
  }
}
