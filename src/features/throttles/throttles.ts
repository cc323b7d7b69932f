import { LRUCache } from 'lru-cache'
import { refuse } from '../../model/errors.ts'
import type { RateLimit } from '../../model/operation.ts'
import type { Tx } from '../../platform/db/index.ts'
import { atMost } from '../../platform/lru.ts'
import type { Services } from '../../platform/services.ts'
import { isStorageFull } from '../../platform/storage-full.ts'
import * as store from './store.ts'

export interface Allowance {
  isAllowed: boolean
  /** How many tries are left in this window. */
  remaining: number
  /** Seconds until the window ends, rounded up. */
  resetS: number
}

interface ThrottleDeps extends Pick<Services, 'database' | 'clock'> {
  /** False: every try is allowed, and none is counted. */
  isOn: boolean
  /** How many exhausted windows to remember; 10,000 unless given. */
  maxExhausted?: number
}

/** As a row has it. */
interface Window {
  count: number
  ends_ms: number
}

/**
 * Windows end by the time of day, which other nodes and the next process share. Where that is set
 * back, a window that has begun lasts one window more at most. Where it is set forward, the next
 * window begins, as it would have by itself.
 */
export function createThrottles(deps: ThrottleDeps) {
  const { database, clock, isOn, maxExhausted = 10_000 } = deps
  /**
   * When exhausted windows end, in milliseconds since the epoch: an attacker who goes on trying
   * causes no write.
   */
  const exhausted = new LRUCache<string, number>(atMost(maxExhausted))
  /** Windows that could not be stored: the disk is full. */
  const unstored = new LRUCache<string, Window>(atMost(maxExhausted))

  /** On a full disk nobody could sign in if tries could not be counted. */
  async function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await database.write(work, 'relaxed')
    } catch (err) {
      if (!isStorageFull(err)) throw err
      return database.write(work, 'freeing')
    }
  }

  async function count(limit: RateLimit, key: string, nowMs: number): Promise<Window> {
    const endsMs = nowMs + limit.windowS * 1000
    const add = (tx: Tx) => store.addTry(tx, key, { nowMs, endsMs })
    if (limit.countsWithoutSpace !== true) return write(add)
    try {
      return await database.write(add, 'relaxed')
    } catch (err) {
      if (!isStorageFull(err)) throw err
      const entry = unstored.get(key)
      const window =
        entry !== undefined && entry.ends_ms > nowMs
          ? { count: entry.count + 1, ends_ms: Math.min(entry.ends_ms, endsMs) }
          : { count: 1, ends_ms: endsMs }
      unstored.set(key, window)
      return window
    }
  }

  /**
   * Counts one try against a limit. Tries beyond the limit are not counted.
   *
   * @param who the caller: an account's id, a visitor's address, an email address, …
   */
  async function consume(limit: RateLimit, who: string): Promise<Allowance> {
    if (!isOn) return { isAllowed: true, remaining: limit.count, resetS: limit.windowS }
    const key = keyOf(limit, who)
    const nowMs = Math.floor(clock.ms())
    const exhaustedUntilMs = exhausted.get(key) ?? 0
    // A rest longer than a window means that the clock was set back, so the row is read again.
    const leftMs = exhaustedUntilMs - nowMs
    if (leftMs > 0 && leftMs <= limit.windowS * 1000) return denied(exhaustedUntilMs, nowMs)
    const { count: tries, ends_ms } = await count(limit, key, nowMs)
    if (tries >= limit.count) exhausted.set(key, ends_ms)
    if (tries > limit.count) return denied(ends_ms, nowMs)
    return { isAllowed: true, remaining: limit.count - tries, resetS: secondsTo(ends_ms, nowMs) }
  }

  return {
    consume,
    /** Counts one try. @throws Refusal `rate_limited` with `retry_after_s` if it is not allowed */
    async assert(limit: RateLimit, who: string): Promise<void> {
      const { isAllowed, resetS } = await consume(limit, who)
      if (!isAllowed) throw rateLimited(resetS)
    },
    /** Takes back a try that `consume` allowed. */
    async refund(limit: RateLimit, who: string): Promise<void> {
      if (!isOn) return
      const key = keyOf(limit, who)
      await write((tx) => store.removeTry(tx, key))
      exhausted.delete(key)
    },
    /** Deletes windows that have ended. */
    sweep: () => database.write((tx) => store.deleteEnded(tx, Math.floor(clock.ms())), 'freeing'),
  }
}

export type Throttles = ReturnType<typeof createThrottles>

function keyOf(limit: RateLimit, who: string): string {
  return `${limit.name} ${who}`
}

export function rateLimited(retryAfterS: number) {
  return refuse.rateLimited('rate_limited', `Too many requests: wait ${retryAfterS} seconds.`, {
    retry_after_s: retryAfterS,
  })
}

function denied(endsMs: number, nowMs: number): Allowance {
  return { isAllowed: false, remaining: 0, resetS: secondsTo(endsMs, nowMs) }
}

function secondsTo(endsMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((endsMs - nowMs) / 1000))
}
