import type { Binding } from './bindings.ts'

const MAX_ATTEMPTS = 4
/** If the server asks for a longer pause, the call fails at once. */
const MAX_WAIT_MS = 60_000

/**
 * Writes that are safe to repeat if the outcome of the first attempt is unknown. Edits are not: a
 * second run might find no match, or another one. Nor are decisions.
 */
const REPEATABLE: Record<string, true> = {
  /** Both carry an Idempotency-Key. */
  createPage: true,
  createComment: true,
  /** Stored by its hash; an unused upload is deleted within a day. */
  createUpload: true,
  /** Stores nothing. */
  createUploadLink: true,
  updatePage: true,
  nameVersion: true,
  /** Publishes the same draft. */
  publishPage: true,
  /** Sets the draft to the same content; at worst the list of versions has it twice. */
  restoreVersion: true,
}

export function isRepeatable(name: string, { method }: Binding): boolean {
  return method === 'GET' || method === 'DELETE' || REPEATABLE[name] === true
}

export interface Outcome {
  status: number | null
  retryAfter: string | null
}

/**
 * How long to wait before the next attempt; null for no further attempt. A request that was
 * answered with 429 had no effect, so it can always be repeated.
 */
export function decideWait(
  outcome: Outcome,
  made: { attempts: number; isRepeatable: boolean; backoffMs: number; random: number },
): number | null {
  const { status, retryAfter } = outcome
  if (made.attempts >= MAX_ATTEMPTS) return null
  const isTemporary = status === null || [500, 502, 503, 504].includes(status)
  if (status !== 429 && !(isTemporary && made.isRepeatable)) return null
  const backoffMs = made.backoffMs * 2 ** (made.attempts - 1) * (0.5 + made.random / 2)
  const askedS = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0
  if (askedS * 1000 > MAX_WAIT_MS) return null
  return Math.max(askedS * 1000, backoffMs)
}

/** @throws the signal's reason when it is aborted */
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
