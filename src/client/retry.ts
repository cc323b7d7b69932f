import type { Binding } from './bindings.ts'

const MAX_TRIES = 4
/** Where the server asks for a longer wait the call fails instead, and its caller decides. */
const MAX_WAIT_MS = 60_000

/**
 * Writes that may be sent again when nobody knows whether the first one arrived. Not here, and so
 * not repeated: edits, whose second run finds nothing or finds too much, and decisions.
 */
const REPEATABLE: Record<string, true> = {
  /** Carries an Idempotency-Key. */
  createPage: true,
  /** Stored by its hash; an id that nobody uses is forgotten within a day. */
  createUpload: true,
  updatePage: true,
  nameVersion: true,
  /** The same draft goes live. */
  publishPage: true,
  /** The same content stands in the draft; at worst the list of versions says so twice. */
  restoreVersion: true,
}

export function isRepeatable(name: string, { method }: Binding): boolean {
  return method === 'GET' || method === 'DELETE' || REPEATABLE[name] === true
}

/** What came of a try: an answer's status, or null where none came. */
export interface Outcome {
  status: number | null
  retryAfter: string | null
}

/**
 * How long to wait before the next try, or null where there is none. A 429 was turned away before
 * anything was done, so it may be repeated whatever it asks.
 */
export function decideWait(
  outcome: Outcome,
  tried: { tries: number; isRepeatable: boolean; backoffMs: number; random: number },
): number | null {
  const { status, retryAfter } = outcome
  if (tried.tries >= MAX_TRIES) return null
  const isPassing = status === null || [500, 502, 503, 504].includes(status)
  if (status !== 429 && !(isPassing && tried.isRepeatable)) return null
  const backoffMs = tried.backoffMs * 2 ** (tried.tries - 1) * (0.5 + tried.random / 2)
  const askedS = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0
  if (askedS * 1000 > MAX_WAIT_MS) return null
  return Math.max(askedS * 1000, backoffMs)
}

/** @throws the signal's reason, once it is aborted */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
