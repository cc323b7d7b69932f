import { LRUCache } from 'lru-cache'
import type { Page } from '../../../model/page/index.ts'
import { atMost } from '../../../platform/lru.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { OriginOf } from '../request/classify.ts'

/** The base-32 alphabet of host names, in lower case (RFC 4648). */
const LABEL_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LABEL = /^[a-z2-7]{26}$/
const ID = /^pg_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const CHARS = 26
const BLOCK_BYTES = 16
const PURPOSE = 'content-host'
const MAX_HOSTS = 10_000

/**
 * A host for each page. Its name reveals nothing about the page, but the server finds the page by
 * it: the label of a host is the page's id, encrypted as one block of AES: 128 bits that cannot be
 * guessed or derived from the page's address, and that need no table to be read back.
 *
 * @param contentUrl an origin with `{page}` as its first label
 */
export function createOrigins(contentUrl: string, secrets: Secrets) {
  const suffix = new URL(contentUrl.replace('{page}', 'page')).host.slice('page'.length)
  const pageIds = new LRUCache<string, string>(atMost(MAX_HOSTS))

  function labelOf({ id }: Pick<Page, 'id'>): string {
    if (!ID.test(id)) throw new Error(`The id ${id} has no host`)
    const block = bytesOf(decode(id.slice('pg_'.length), ID_ALPHABET))
    return encode(numberOf(secrets.encryptBlock(PURPOSE, block)), LABEL_ALPHABET)
  }
  function pageIdOf(label: string): string {
    const number = LABEL.test(label) ? decode(label, LABEL_ALPHABET) : null
    // The first of 26 characters has three of the 128 bits.
    if (number === null || number >> 128n !== 0n) return ''
    const block = secrets.decryptBlock(PURPOSE, bytesOf(number))
    return `pg_${encode(numberOf(block), ID_ALPHABET)}`
  }

  return {
    isHttps: contentUrl.startsWith('https:'),
    of: (page: Pick<Page, 'id'>) => contentUrl.replace('{page}', labelOf(page)),
    /** The id of the page that a host belongs to. Null for another host, '' for one of no page. */
    pageIdIn(host: string | null): string | null {
      if (host === null) return null
      const cached = pageIds.get(host)
      if (cached !== undefined) return cached
      const name = host.toLowerCase()
      if (!name.endsWith(suffix)) return null
      const id = pageIdOf(name.slice(0, -suffix.length))
      if (id !== '') pageIds.set(host, id)
      return id
    },
  }
}
export type Origins = ReturnType<typeof createOrigins>

function decode(text: string, alphabet: string): bigint {
  let number = 0n
  for (const char of text) number = (number << 5n) | BigInt(alphabet.indexOf(char))
  return number
}

function encode(number: bigint, alphabet: string): string {
  let text = ''
  for (let rest = number, i = 0; i < CHARS; i++, rest >>= 5n) {
    text = alphabet[Number(rest & 31n)] + text
  }
  return text
}

function bytesOf(number: bigint): Uint8Array {
  return Buffer.from(number.toString(16).padStart(2 * BLOCK_BYTES, '0'), 'hex')
}

function numberOf(block: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(block).toString('hex')}`)
}

/** These resolve every name below `localhost` to their own computer; WebKit does not everywhere. */
const RESOLVES_LOCALHOST = /(?:Chrome|Firefox)\/\d/

export interface OriginRule {
  /** Null: hosts below `localhost`, for browsers that reach them. */
  contentUrl: string | null
  baseUrl: string
}

/**
 * Decides which pages a browser opens at an origin of their own: those with a script, a frame or an
 * embedded document, or with rules of a host. Pure.
 */
export function createOriginOf({ contentUrl, baseUrl }: OriginRule, origins: Origins): OriginOf {
  const { host } = new URL(baseUrl)
  return ({ page, plan }, request) => {
    const isReached = contentUrl !== null || reachesLocalHosts(request, host)
    return plan.hasOrigin && isReached ? origins.of(page) : null
  }
}

/**
 * Whether the browser can reach hosts below `localhost`, as far as its request shows. If that is
 * unknown, as under another name of the server, the page stays in the sandbox.
 */
function reachesLocalHosts({ headers }: Request, host: string): boolean {
  if (headers.get('host') !== host) return false
  // Programs that imitate browsers do not send it.
  if (!headers.has('sec-fetch-site')) return false
  return RESOLVES_LOCALHOST.test(headers.get('user-agent') ?? '')
}
