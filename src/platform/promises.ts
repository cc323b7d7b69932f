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

/**
 * The result, or what `late` answers or throws where that takes longer. Who was asked is not told:
 * the work goes on, and its result is dropped.
 */
export function inTime<T, Late>(
  result: Promise<T>,
  ms: number,
  late: () => Late,
): Promise<T | Awaited<Late>> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([result, timeout.then(late)]).finally(() => clearTimeout(timer))
}

/** Whether it succeeds in time. */
export function succeedsInTime(result: Promise<unknown>, ms: number): Promise<boolean> {
  const succeeded = result.then(() => true)
  return inTime(succeeded, ms, () => false).catch(() => false)
}

/**
 * Shares one read among all calls with the same key in one turn of the event loop. The read starts
 * after the last of them, so that each gets what was committed before its call.
 */
export function shareReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>()

  async function readLater(key: string): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve))
    waiting.delete(key)
    return read(key)
  }

  return (key) => {
    const shared = waiting.get(key) ?? readLater(key)
    waiting.set(key, shared)
    return shared
  }
}

/**
 * Loads a part of the program at the first call, since most processes do not need it at their
 * start, or never. After a failure, the next call tries again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((err: unknown) => {
      loading = undefined
      throw err
    })
    return loading
  }
}

/** Longer than the work it hides takes, on a slow disk too. */
const STEP_MS = 60

/**
 * Resolves a fixed time after the call, or a multiple of it, whatever the work was: the response
 * time does not show what the work found. The timer starts before the work.
 */
export async function atFixedTime<T>(work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const timer = Bun.sleep(STEP_MS)
  try {
    return await work()
  } finally {
    await timer
    const lateMs = performance.now() - startMs - STEP_MS
    // A timer is late by a few milliseconds; what is later is the work.
    if (lateMs > STEP_MS / 4) await Bun.sleep(STEP_MS - (lateMs % STEP_MS))
  }
}
