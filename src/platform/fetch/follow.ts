import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { unlessAborted } from '../promises.ts'
import { parseAddress, publicAddress, type Resolve } from './address.ts'
import { type FetchedBody, isEncoded, type ReadBodyOptions, readBody } from './body.ts'
import type { Message, Transport } from './transport.ts'
import { parseTarget, type Target, type UrlPolicy } from './url.ts'

/** To be closed by who fetched it. */
export interface Fetched extends FetchedBody {
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

export interface FollowDeps {
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
export async function follow(
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
export async function request(
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
