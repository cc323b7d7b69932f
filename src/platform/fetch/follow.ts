import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { parseAddress, publicAddress } from './address.ts'
import { isEncoded, readBody } from './body.ts'
import type { Deadline } from './deadline.ts'
import type { Resolve } from './names.ts'
import type { Transport } from './transport.ts'
import { parseTarget, type Target, type UrlPolicy } from './url.ts'

export interface Fetched {
  bytes: Uint8Array
  /** As the server sent it: a claim, not a fact. */
  contentType: string | null
  /** Where the last redirect led, without a fragment. */
  url: string
}

export interface Timeouts {
  /** For one name's look-up. */
  dnsMs: number
  /** From the start of a hop to its last header. */
  headersMs: number
  /** For the wait, every hop and the body together. */
  totalMs: number
}

export interface Way {
  policy: UrlPolicy
  resolvePublic: Resolve
  resolveLocal: Resolve
  transport: Transport
  timeouts: Timeouts
}

const MAX_REDIRECTS = 5
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Enough to get past a dead server or a missing IPv6 route, too few to knock on many doors. */
const MAX_ADDRESSES_PER_FAMILY = 3

/** Every error but a refusal means "could not be fetched"; its text is for our own log. */
export async function follow(
  start: Target,
  way: Way,
  { deadline, max_bytes: maxBytes }: { deadline: Deadline; max_bytes: number },
): Promise<Fetched> {
  let target = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const message = await openHop(target, way, deadline)
    try {
      if (!REDIRECTS.includes(message.statusCode ?? 0)) {
        return await read(message, target, maxBytes)
      }
      target = nextTarget(message.headers.location, target)
    } finally {
      message.destroy()
    }
  }
  throw new Error('Too many redirects.')
}

/** The guard is this order: judge the name, look it up once, judge the answer, dial just that. */
async function openHop(target: Target, way: Way, deadline: Deadline): Promise<IncomingMessage> {
  if (!way.policy.admits(target)) throw new Error(`${target.host}:${target.port} is refused.`)
  const headersCame = deadline.limit(way.timeouts.headersMs)
  const addresses = judged(await lookUp(target, way, deadline), way.policy.isExempt(target))
  const { url, host, port } = target
  const { signal } = deadline
  const message = await deadline.race(way.transport({ url, host, port, addresses, signal }))
  headersCame()
  return message
}

async function lookUp(target: Target, way: Way, deadline: Deadline): Promise<readonly string[]> {
  if (isIP(target.host) > 0) return [target.host]
  const resolve = way.policy.isExempt(target) ? way.resolveLocal : way.resolvePublic
  const answered = deadline.limit(way.timeouts.dnsMs)
  const answers = await deadline.race(resolve(target.host, deadline.signal))
  answered()
  return answers.map(({ address }) => address)
}

/** One private address condemns the whole answer: picking the public ones is rebinding's wish. */
function judged(answers: readonly string[], isExempt: boolean): readonly string[] {
  const addresses = answers.map((answer) => {
    const address = isExempt ? parseAddress(answer)?.toString() : publicAddress(answer)
    if (!address) throw new Error(`${answer} is not a public address.`)
    return address
  })
  const unique = [...new Set(addresses)]
  const families = [4, 6].map((family) => unique.filter((address) => isIP(address) === family))
  const dialled = families.flatMap((family) => family.slice(0, MAX_ADDRESSES_PER_FAMILY))
  if (dialled.length === 0) throw new Error('The name has no address.')
  return dialled
}

/** The first word is the server's here, so even a malformed address is just "not fetched". */
function nextTarget(location: string | undefined, from: Target): Target {
  if (location === undefined) throw new Error('A redirect without a location.')
  // Headers arrive as Latin-1; addresses in them are UTF-8.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  const target = parseTarget(text, from.url)
  if (target === null) throw new Error('A redirect to no https address.')
  return target
}

async function read(message: IncomingMessage, { url }: Target, maxBytes: number): Promise<Fetched> {
  const status = message.statusCode ?? 0
  // 206 is a part nobody asked for.
  if (status < 200 || status > 299 || status === 206) throw new Error(`Status ${status}.`)
  if (isEncoded(message)) throw new Error('The body is encoded.')
  const bytes = await readBody(message, maxBytes)
  return { bytes, contentType: message.headers['content-type'] ?? null, url: url.href }
}
