import { Refusal, refuse } from '../../model/errors.ts'
import { createDeadline } from './deadline.ts'
import { type Fetched, follow, type Timeouts, type Way } from './follow.ts'
import { createPublicResolve, type Resolve, resolveLocal } from './names.ts'
import { createHttpsTransport, type Transport } from './transport.ts'
import { createTurns } from './turns.ts'
import { createUrlPolicy, parseTarget } from './url.ts'

export type { Fetched }

export interface GuardedFetch {
  /**
   * Refuses with `invalid_url` what the text itself shows to be wrong, with `content_too_large`
   * past `max_bytes`, and with `fetch_failed` in every other case.
   */
  get(url: string, options: { max_bytes: number }): Promise<Fetched>
}

export interface GuardedFetchOptions {
  /** `host:port`, exempt from the rules on names, ports and addresses, and from no other. */
  allowedHosts: readonly string[]
  /** Our own hostnames; `*.example.net` for every page's own. Refused unless allowed. */
  ownHosts: readonly string[]
  resolve?: Resolve
  timeouts?: Partial<Timeouts>
  /** PEM, trusted instead of the usual roots; for tests. */
  ca?: string
  /** What dials the judged addresses; for tests. */
  transport?: Transport
}

const TIMEOUTS: Timeouts = { dnsMs: 5_000, headersMs: 10_000, totalMs: 30_000 }
const MAX_AT_ONCE = 16

/** Fetches what strangers name, from public https servers and from nowhere else. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const way: Way = {
    policy: createUrlPolicy(options.allowedHosts, options.ownHosts),
    resolvePublic: options.resolve ?? createPublicResolve(),
    resolveLocal: options.resolve ?? resolveLocal,
    transport: options.transport ?? createHttpsTransport(options.ca),
    timeouts: { ...TIMEOUTS, ...options.timeouts },
  }
  const turns = createTurns(MAX_AT_ONCE)

  async function get(
    text: string,
    { max_bytes: maxBytes }: { max_bytes: number },
  ): Promise<Fetched> {
    const target = parseTarget(text)
    if (target === null) throw invalidUrl()
    const deadline = createDeadline(way.timeouts.totalMs)
    let release: (() => void) | undefined
    try {
      release = await turns.take(deadline.signal)
      return await follow(target, way, { deadline, max_bytes: maxBytes })
    } catch (cause) {
      throw cause instanceof Refusal ? cause : failed(cause)
    } finally {
      deadline.end()
      release?.()
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

/**
 * One code and one sentence for a blocked address, a dead name, a closed port, a bad certificate, a
 * slow server and a bad status: which of them it was would map our network for whoever asks. The
 * cause is for the log.
 */
function failed(cause: unknown): Refusal {
  const refusal = refuse.invalid(
    'fetch_failed',
    'The address could not be fetched. Give a public https URL that answers within 30 seconds.',
  )
  refusal.cause = cause
  return refusal
}
