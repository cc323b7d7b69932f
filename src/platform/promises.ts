import { LRUCache } from 'lru-cache'
import { createTaskQueue } from './task-queue.ts'

interface Options<T> {
  maxBytes: number
  sizeOf(result: T): number
  /** How many results are made at once. */
  atOnce: number
  /** How many may be made or wait for that. */
  most: number
  /** How long a call waits at most. */
  maxWaitMs?: number
}

/** Caches results that take work. Who asks for one that is being made waits for the same. */
export function createSingleFlight<T extends {}>(options: Options<T>) {
  const { maxBytes, sizeOf, atOnce, most, maxWaitMs } = options
  const cache = new LRUCache<string, T>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const running = new Map<string, Promise<T>>()
  const inTurn = createTaskQueue(atOnce)

  async function run(key: string, make: () => Promise<T>): Promise<T> {
    try {
      const result = await inTurn(make)
      cache.set(key, result)
      return result
    } finally {
      running.delete(key)
    }
  }

  return {
    /** From memory; undefined where it has to be made. */
    cached: (key: string): T | undefined => cache.get(key),
    /** Null while too many others are made, or where it takes too long. */
    async get(key: string, make: () => Promise<T>): Promise<T | null> {
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      if (!running.has(key) && running.size >= most) return null
      const result = running.getOrInsertComputed(key, () => run(key, make))
      return maxWaitMs === undefined ? result : inTime(result, maxWaitMs, () => null)
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

/** Rejects with the reason of the signal as soon as that aborts, even if the work never settles. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', abort))
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

  return (key) => waiting.getOrInsertComputed(key, readLater)
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

const SLICE_BYTES = 2 * 1024 * 1024

/**
 * Yields to the event loop until a turn of it has time for more work. Called before each piece of
 * long work, so that many pieces, of one request or of many, do not block other requests together.
 *
 * @param share the part of a turn that the piece takes: 1, if not given, is some milliseconds
 */
type TakeTurn = (share?: number) => Promise<void>

/** All work shares one scheduler, since there is one event loop. */
export const takeTurn: TakeTurn = createTurns()

/** For tests. */
export function createTurns(): TakeTurn {
  /** The calls that wait for a later turn, in their order. */
  const waiting: { share: number; resume(): void }[] = []
  /** The part of this turn that is used. */
  let usedShare = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(beginTurn)
  }

  function beginTurn(): void {
    isScheduled = false
    usedShare = 0
    while (waiting.length > 0 && usedShare + waiting[0]!.share <= 1) {
      const { share, resume } = waiting.shift()!
      usedShare += share
      resume()
    }
    if (usedShare > 0) schedule()
  }

  return (share = 1) => {
    const ownShare = Math.min(share, 1)
    schedule()
    if (waiting.length === 0 && usedShare + ownShare <= 1) {
      usedShare += ownShare
      return Promise.resolve()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ share: ownShare, resume: resolve })
    return promise
  }
}

/**
 * Slices of the bytes, each small enough for one turn of the event loop, and in a turn of its own.
 */
export async function* slicesInTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    const slice = bytes.subarray(at, at + SLICE_BYTES)
    await takeTurn(slice.byteLength / SLICE_BYTES)
    yield slice
  }
}

/**
 * The bytes in a buffer of their own, which can be transferred to a thread. Copies only if needed.
 */
export async function movable(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) {
    return new Uint8Array(buffer)
  }
  // Copying 50 MB at once would block other requests.
  const copy = new Uint8Array(bytes.byteLength)
  let at = 0
  for await (const slice of slicesInTurns(bytes)) {
    copy.set(slice, at)
    at += slice.byteLength
  }
  return copy
}
