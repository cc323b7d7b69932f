import { isIP } from 'node:net'
import { Refusal, refuse } from '../../model/errors.ts'
import { createLimiter, createWaitingLine } from '../task-queue.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import { createPublicResolve, publicAddress, type Resolve, resolveLocal } from './address.ts'
import { readStart } from './body.ts'
import {
  createDeadline,
  type Fetched,
  type FollowDeps,
  follow,
  request,
  type Timeouts,
} from './follow.ts'
import { createHttpsTransport, type Message, type Transport } from './transport.ts'
import { createUrlPolicy, parseTarget } from './url.ts'

export type { Fetched, Message }

export interface Posted {
  status: number
  /** The first 2 KB of the body. */
  text: string
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
/** So that slow servers of one account do not take all places. */
const MAX_OF_ACCOUNT = 2
const RETRY_AFTER_S = 10
/** A receiver only has to take the message. */
const POST_MS = 15_000
const MAX_ANSWER_BYTES = 2048

/** Fetches URLs that strangers choose, from public https servers only. */
export function createGuardedFetch(options: GuardedFetchOptions) {
  const deps: FollowDeps = {
    policy: createUrlPolicy(options.allowedHosts, options.ownHosts),
    resolvePublic: options.resolve ?? createPublicResolve(),
    resolveLocal: options.resolve ?? resolveLocal,
    transport: options.transport ?? createHttpsTransport(options.ca),
    timeouts: { ...TIMEOUTS, ...options.timeouts },
  }
  const { temporaryFiles } = options
  const { totalMs } = deps.timeouts
  const line = createWaitingLine({ maxWaitMs: totalMs, isInOrder: false, refusal: busy })
  const limiter = createLimiter({
    total: { most: MAX_CONCURRENT, refusal: busy },
    perAccount: { most: MAX_OF_ACCOUNT, refusal: busy },
  })

  /**
   * Fetches a public https URL. The caller closes the result: few are open at a time.
   *
   * @throws Refusal `invalid_url` for what is no https URL, `content_too_large` past `maxBytes`,
   *   `server_busy` where all places stay taken, `fetch_failed` in every other case
   */
  async function get(
    text: string,
    { maxBytes, accountId }: { maxBytes: number; accountId: string },
  ): Promise<Fetched> {
    const target = parseTarget(text)
    if (target === null) throw invalidUrl()
    const deadline = createDeadline(totalMs)
    let release = () => {}
    try {
      await line.wait(() => {
        if (!limiter.hasRoom(accountId)) return false
        const end = limiter.start(accountId)
        release = () => {
          end()
          line.proceed()
        }
        return true
      })
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

  /**
   * Sends a message to a public https URL, and follows no redirect. What the answer does not bring
   * in time is missing from its `text`. The caller limits how many are sent at once.
   *
   * @throws Refusal `invalid_url`, or `fetch_failed` where there is no answer
   */
  async function post(text: string, message: Message): Promise<Posted> {
    const target = parseTarget(text)
    if (target === null) throw invalidUrl()
    const deadline = createDeadline(Math.min(POST_MS, totalMs))
    try {
      const answer = await request(target, deps, deadline, message)
      const limits = { maxBytes: MAX_ANSWER_BYTES, signal: deadline.signal }
      return { status: answer.statusCode ?? 0, text: await readStart(answer, limits) }
    } catch (cause) {
      throw failed(cause)
    } finally {
      deadline.end()
    }
  }

  /** Whether `post` may try this URL. What its name resolves to is not known yet. */
  async function mayPost(text: string): Promise<boolean> {
    const target = parseTarget(text)
    if (target === null || !deps.policy.allows(target)) return false
    const isChecked = deps.policy.isExempt(target) || isIP(target.host) === 0
    return isChecked || publicAddress(target.host) !== null
  }

  return { get, post, mayPost }
}
export type GuardedFetch = ReturnType<typeof createGuardedFetch>

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
    'The address could not be fetched. Give a public https URL that answers within 10 seconds.',
  )
  refusal.cause = cause
  return refusal
}
