import type { Metrics } from '../../metrics.ts'
import { BlobsUnavailable } from '../index.ts'

const ATTEMPTS = 3
/** After a request that failed for good, the others fail at once for this long. */
const QUIET_MS = 1000

/**
 * A circuit breaker for the object store. While the store does not answer, one request at a time
 * tries it once, and all others fail at once, so that a hanging store does not block every request.
 *
 * @param quietMs for tests
 */
export function createAvailability(quietMs = QUIET_MS) {
  let failedAt: number | null = null
  let isTrying = false

  function assert(): void {
    if (failedAt === null) return
    if (isTrying || performance.now() - failedAt < quietMs) {
      throw new BlobsUnavailable('The object store did not answer a moment ago')
    }
  }

  return {
    /** @throws BlobsUnavailable where `begin` would; begins nothing */
    assert,
    /** @returns how often the request may be tried. @throws BlobsUnavailable */
    begin() {
      assert()
      if (failedAt === null) return ATTEMPTS
      isTrying = true
      return 1
    },
    /** It answered, whatever the answer was. @returns whether it did not before */
    succeeded() {
      const hadFailed = failedAt !== null
      failedAt = null
      isTrying = false
      return hadFailed
    },
    /** All attempts failed. @returns whether it had answered before */
    failed() {
      const isNew = failedAt === null
      failedAt = performance.now()
      isTrying = false
      return isNew
    },
  }
}

export type AttemptResult = 'ok' | 'retried' | 'failed'

/** Counts requests to the object store by how they ended: `retried` ones are tried again. */
export function countAttempts(metrics?: Metrics) {
  const counts: Record<AttemptResult, number> = { ok: 0, retried: 0, failed: 0 }
  metrics?.add({
    name: 'handbill_s3_requests_total',
    type: 'counter',
    help: 'Requests to the object store, by how they ended. A retried one is followed by another.',
    read: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  })
  return {
    ended(result: AttemptResult): void {
      counts[result] += 1
    },
  }
}

/** Aborts a request where nothing moves for too long, or where all of it takes too long. */
export function createStallWatch(stallMs: number, wholeMs: number) {
  const aborting = new AbortController()
  const abort = () => aborting.abort(new Error('The object store is too slow'))
  const whole = setTimeout(abort, wholeMs)
  let stall = setTimeout(abort, stallMs)
  let hasEnded = false
  return {
    signal: aborting.signal,
    abort,
    /** Some bytes were sent, or arrived. */
    moved() {
      if (hasEnded) return
      clearTimeout(stall)
      stall = setTimeout(abort, stallMs)
    },
    end() {
      hasEnded = true
      clearTimeout(whole)
      clearTimeout(stall)
    },
  }
}
export type StallWatch = ReturnType<typeof createStallWatch>
