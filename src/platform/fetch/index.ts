import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Refusal, refuse } from '../../model/errors.ts'
import { unlessAborted } from '../promises.ts'
import { createLimiter, createWaitingLine } from '../task-queue.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import {
  createPublicResolve,
  parseAddress,
  publicAddress,
  type Resolve,
  resolveLocal,
} from './address.ts'
import { type FetchedBody, isEncoded, type ReadBodyOptions, readBody, readStart } from './body.ts'
import { createHttpsTransport, type Message, type Transport } from './transport.ts'
import { createUrlPolicy, parseTarget, type Target, type UrlPolicy } from './url.ts'

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

/** To be closed by who fetched it. */
interface Fetched extends FetchedBody {
  /** As the server sent it, not verified. */
  contentType: string | null
  /** As the server sent it, not verified. */
  contentDisposition: string | null
  /** The URL of the last redirect, without a fragment. */
  url: string
}

export interface Timeouts {
  /** For resolving one name. */
  dnsMs: number
  /** From the start of one request to its last response header. */
  headersMs: number
  /** For everything: waiting for a place, all redirects and the body. */
  totalMs: number
}

interface FollowDeps {
  policy: UrlPolicy
  resolvePublic: Resolve
  resolveLocal: Resolve
  transport: Transport
  timeouts: Timeouts
}

const MAX_REDIRECTS = 5
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Enough to get past a dead server or a missing IPv6 route, too few to scan hosts with. */
const MAX_ADDRESSES_PER_FAMILY = 3

/**
 * Fetches a URL and follows its redirects. Every error but a Refusal means that it could not be
 * fetched; its text is only logged.
 */
async function follow(
  start: Target,
  deps: FollowDeps,
  { deadline, ...options }: { deadline: Deadline } & ReadBodyOptions,
): Promise<Fetched> {
  let target = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const headersArrived = deadline.limit(deps.timeouts.headersMs)
    const message = await request(target, deps, deadline)
    headersArrived()
    try {
      if (!REDIRECTS.includes(message.statusCode ?? 0)) {
        return await read(message, target, options)
      }
      target = nextTarget(message.headers.location, target)
    } finally {
      message.destroy()
    }
  }
  throw new Error('Too many redirects.')
}

/**
 * Sends one request. The order is what protects private hosts: check the name, resolve it once,
 * check its addresses, connect to exactly these.
 */
async function request(
  target: Target,
  deps: FollowDeps,
  deadline: Deadline,
  message?: Message,
): Promise<IncomingMessage> {
  if (!deps.policy.allows(target)) throw new Error(`${target.host}:${target.port} is not allowed.`)
  const answers = await resolveTarget(target, deps, deadline)
  const addresses = checkAddresses(answers, deps.policy.isExempt(target))
  const { url, host, port } = target
  const { signal } = deadline
  const pinned = { url, host, port, addresses, signal, message }
  return deadline.race(deps.transport(pinned))
}

async function resolveTarget(
  target: Target,
  deps: FollowDeps,
  deadline: Deadline,
): Promise<readonly string[]> {
  if (isIP(target.host) > 0) return [target.host]
  const resolve = deps.policy.isExempt(target) ? deps.resolveLocal : deps.resolvePublic
  const nameArrived = deadline.limit(deps.timeouts.dnsMs)
  const answers = await deadline.race(resolve(target.host, deadline.signal))
  nameArrived()
  return answers.map(({ address }) => address)
}

/**
 * Refuses all addresses when one of them is private. Choosing the public ones would help DNS
 * rebinding.
 */
function checkAddresses(answers: readonly string[], isExempt: boolean): readonly string[] {
  const addresses = answers.map((answer) => {
    const address = isExempt ? parseAddress(answer)?.toString() : publicAddress(answer)
    if (!address) throw new Error(`${answer} is not a public address.`)
    return address
  })
  const unique = [...new Set(addresses)]
  const families = [4, 6].map((family) => unique.filter((address) => isIP(address) === family))
  const targets = families.flatMap((family) => family.slice(0, MAX_ADDRESSES_PER_FAMILY))
  if (targets.length === 0) throw new Error('The name has no address.')
  return targets
}

/** A malformed location is the server's fault, not the caller's: it throws no `invalid_url`. */
function nextTarget(location: string | undefined, from: Target): Target {
  if (location === undefined) throw new Error('A redirect without a location.')
  // Node reads headers as Latin-1; URLs in them are UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  const target = parseTarget(text, from.url)
  if (target === null) throw new Error('A redirect to no https address.')
  return target
}

async function read(
  message: IncomingMessage,
  { url }: Target,
  options: ReadBodyOptions,
): Promise<Fetched> {
  const status = message.statusCode ?? 0
  // 206 is part of a file, which was not requested.
  if (status < 200 || status > 299 || status === 206) throw new Error(`Status ${status}.`)
  if (isEncoded(message)) throw new Error('The body is encoded.')
  const body = await readBody(message, options)
  return {
    ...body,
    contentType: message.headers['content-type'] ?? null,
    contentDisposition: message.headers['content-disposition'] ?? null,
    url: url.href,
  }
}

/** The time limits of one fetch. The first that passes aborts everything the fetch still does. */
export function createDeadline(totalMs: number) {
  const controller = new AbortController()
  const { signal } = controller
  const timers = new Set<ReturnType<typeof setTimeout>>()

  /** Aborts after `ms`, unless the returned function is called before. */
  function limit(ms: number): () => void {
    const timer = setTimeout(() => controller.abort(), ms)
    timers.add(timer)
    return () => {
      clearTimeout(timer)
      timers.delete(timer)
    }
  }

  limit(totalMs)
  return {
    signal,
    limit,
    race: <T>(work: Promise<T>) => unlessAborted(work, signal),
    /** Stops every timer and aborts, so that no socket and no DNS query remains after the fetch. */
    end() {
      for (const timer of timers) clearTimeout(timer)
      controller.abort()
    },
  }
}
type Deadline = ReturnType<typeof createDeadline>
