import { refuse } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import * as store from './store.ts'

export interface Limit {
  /** Names the policy in headers and keys. */
  name: string
  count: number
  window_s: number
}

export interface Taken {
  is_allowed: boolean
  /** How many are left in this window. */
  remaining: number
  /** Until the window ends, rounded up. */
  reset_s: number
}

export interface Throttles {
  /** Counts one try of `who`. Those past the limit are not counted further. */
  take(limit: Limit, who: string): Promise<Taken>
  /** The same, refusing. @throws Refusal `rate_limited` with `retry_after_s` */
  assert(limit: Limit, who: string): Promise<void>
  sweep(): Promise<void>
}

/** Windows known to be used up: an attacker costs no write for each try. */
const REMEMBERED = 10_000

export function createThrottles({
  database,
  clock,
  is_on,
}: {
  database: Database
  clock: Clock
  is_on: boolean
}): Throttles {
  const used_up = new Map<string, number>()

  async function take(limit: Limit, who: string): Promise<Taken> {
    if (!is_on) return { is_allowed: true, remaining: limit.count, reset_s: limit.window_s }
    const key = `${limit.name} ${who}`
    const now_ms = Math.floor(clock.ms())
    const known_ms = used_up.get(key)
    if (known_ms !== undefined && known_ms > now_ms) return refused(known_ms, now_ms)
    const window = { now_ms, ends_ms: now_ms + limit.window_s * 1000 }
    const { count, ends_ms } = await database.write((tx) => store.take(tx, key, window), 'relaxed')
    if (count >= limit.count) remember(key, ends_ms)
    if (count > limit.count) return refused(ends_ms, now_ms)
    return { is_allowed: true, remaining: limit.count - count, reset_s: secondsTo(ends_ms, now_ms) }
  }

  function remember(key: string, ends_ms: number): void {
    used_up.delete(key)
    if (used_up.size >= REMEMBERED) used_up.delete(used_up.keys().next().value!)
    used_up.set(key, ends_ms)
  }

  return {
    take,
    async assert(limit, who) {
      const { is_allowed, reset_s } = await take(limit, who)
      if (!is_allowed) throw rateLimited(reset_s)
    },
    sweep: () => database.write((tx) => store.deleteEnded(tx, Math.floor(clock.ms()))),
  }
}

export function rateLimited(retry_after_s: number) {
  return refuse.rateLimited('rate_limited', `Too many requests: wait ${retry_after_s} seconds.`, {
    retry_after_s,
  })
}

function refused(ends_ms: number, now_ms: number): Taken {
  return { is_allowed: false, remaining: 0, reset_s: secondsTo(ends_ms, now_ms) }
}

function secondsTo(ends_ms: number, now_ms: number): number {
  return Math.max(1, Math.ceil((ends_ms - now_ms) / 1000))
}
