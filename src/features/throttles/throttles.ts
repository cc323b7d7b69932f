import { refuse } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import * as store from './store.ts'

export interface Limit {
  /** Names the policy in headers and keys. */
  name: string
  count: number
  windowS: number
}

export interface Taken {
  isAllowed: boolean
  /** How many are left in this window. */
  remaining: number
  /** Until the window ends, rounded up. */
  resetS: number
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
  isOn,
}: {
  database: Database
  clock: Clock
  isOn: boolean
}): Throttles {
  const usedUp = new Map<string, number>()

  async function take(limit: Limit, who: string): Promise<Taken> {
    if (!isOn) return { isAllowed: true, remaining: limit.count, resetS: limit.windowS }
    const key = `${limit.name} ${who}`
    const nowMs = Math.floor(clock.ms())
    const knownMs = usedUp.get(key)
    if (knownMs !== undefined && knownMs > nowMs) return refused(knownMs, nowMs)
    const window = { nowMs, endsMs: nowMs + limit.windowS * 1000 }
    const { count, ends_ms: endsMs } = await database.write(
      (tx) => store.take(tx, key, window),
      'relaxed',
    )
    if (count >= limit.count) remember(key, endsMs)
    if (count > limit.count) return refused(endsMs, nowMs)
    return { isAllowed: true, remaining: limit.count - count, resetS: secondsTo(endsMs, nowMs) }
  }

  function remember(key: string, endsMs: number): void {
    usedUp.delete(key)
    if (usedUp.size >= REMEMBERED) usedUp.delete(usedUp.keys().next().value!)
    usedUp.set(key, endsMs)
  }

  return {
    take,
    async assert(limit, who) {
      const { isAllowed, resetS } = await take(limit, who)
      if (!isAllowed) throw rateLimited(resetS)
    },
    sweep: () => database.write((tx) => store.deleteEnded(tx, Math.floor(clock.ms()))),
  }
}

export function rateLimited(retryAfterS: number) {
  return refuse.rateLimited('rate_limited', `Too many requests: wait ${retryAfterS} seconds.`, {
    retry_after_s: retryAfterS,
  })
}

function refused(endsMs: number, nowMs: number): Taken {
  return { isAllowed: false, remaining: 0, resetS: secondsTo(endsMs, nowMs) }
}

function secondsTo(endsMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((endsMs - nowMs) / 1000))
}
