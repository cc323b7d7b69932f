import { Refusal, refuse } from '../../model/errors.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import { createPublicResolve, type Resolve, resolveLocal } from './dns.ts'
import { createDeadline, type Fetched, type FollowDeps, follow, type Timeouts } from './follow.ts'
import { createHttpsTransport, type Transport } from './transport.ts'
import { createUrlPolicy, parseTarget } from './url.ts'

export type { Fetched }

export interface GuardedFetch {
  /**
   * Fetches a public https URL. The caller closes the result: few are open at a time.
   *
   * @throws Refusal `invalid_url` for what is no https URL, `content_too_large` past `maxBytes`,
   *   `server_busy` where all places stay taken, `fetch_failed` in every other case
   */
  get(url: string, options: { maxBytes: number }): Promise<Fetched>
}

export interface GuardedFetchOptions {
  temporaryFiles: TemporaryFiles
  /** `host:port`, exempt from the rules on names, ports and addresses, but from no other rule. */
  allowedHosts: readonly string[]
  /** This server's host names; `*.example.net` for all under it. Refused unless allowed. */
  ownHosts: readonly string[]
  resolve?: Resolve
  timeouts?: Partial<Timeouts>
  /** A certificate authority in PEM, trusted instead of the usual ones; for tests. */
  ca?: string
  /** Connects to the checked addresses; for tests. */
  transport?: Transport
}

const TIMEOUTS: Timeouts = { dnsMs: 5_000, headersMs: 10_000, totalMs: 30_000 }
/** How many fetches have a file that arrives, or that nobody has used yet. */
const MAX_CONCURRENT = 16
const RETRY_AFTER_S = 10

/** Fetches URLs that strangers choose, from public https servers only. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const deps: FollowDeps = {
    policy: createUrlPolicy(options.allowedHosts, options.ownHosts),
    resolvePublic: options.resolve ?? createPublicResolve(),
    resolveLocal: options.resolve ?? resolveLocal,
    transport: options.transport ?? createHttpsTransport(options.ca),
    timeouts: { ...TIMEOUTS, ...options.timeouts },
  }
  const { temporaryFiles } = options
  const semaphore = createSemaphore(MAX_CONCURRENT)

  async function get(text: string, { maxBytes }: { maxBytes: number }): Promise<Fetched> {
    const target = parseTarget(text)
    if (target === null) throw invalidUrl()
    const deadline = createDeadline(deps.timeouts.totalMs)
    const release = await semaphore.acquire(deadline.signal).catch(() => {
      deadline.end()
      throw busy()
    })
    try {
      const fetched = await follow(target, deps, { deadline, maxBytes, temporaryFiles })
      const close = () => fetched.close().finally(release)
      return { ...fetched, close }
    } catch (cause) {
      release()
      throw cause instanceof Refusal ? cause : failed(cause)
    } finally {
      deadline.end()
    }
  }

  return { get }
}

function invalidUrl(): Refusal {
  return refuse.invalid(
    'invalid_url',
    'The address must be a complete https URL without a user name or password in it.',
  )
}

function busy(): Refusal {
  return refuse.unavailable(
    'server_busy',
    'The server fetches other addresses. Wait a few seconds, then send it again.',
    { retry_after_s: RETRY_AFTER_S },
  )
}

/**
 * The refusal is the same for a blocked address, an unknown name, a closed port, a bad certificate,
 * a slow server and a bad status: a difference would let the caller map our network. The
 * cause is only logged.
 */
function failed(cause: unknown): Refusal {
  const refusal = refuse.invalid(
    'fetch_failed',
    'The address could not be fetched. Give a public https URL that answers within 30 seconds.',
  )
  refusal.cause = cause
  return refusal
}

/** Limits how many tasks run at once. The others wait, first come, first served. */
export interface Semaphore {
  /**
   * Resolves with the function that releases the place; call it once. Rejects with the reason of
   * `signal` when that aborts first.
   */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit
  const waiting = new Set<() => void>()

  function release(): void {
    const [next] = waiting
    if (next === undefined) free += 1
    else next()
  }

  function acquire(signal: AbortSignal): Promise<() => void> {
    if (free > 0) {
      free -= 1
      return Promise.resolve(release)
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      const enter = () => {
        waiting.delete(enter)
        signal.removeEventListener('abort', leave)
        resolve(release)
      }
      waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return { acquire }
}
