const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
/** 32 characters without look-alikes (no 0, o, 1, l). Twelve of them are 60 bits. */
const SLUG = '23456789abcdefghijkmnpqrstuvwxyz'
const LINK_TOKEN_CHARS = 14

/** `pg_` + 48 bits of milliseconds + 80 random bits in base 32: sorts by time, unguessable. */
export function newId(prefix: string, nowMs = Date.now()): string {
  let id = ''
  for (let rest = Math.floor(nowMs), i = 0; i < 10; i++) {
    id = CROCKFORD[rest % 32] + id
    rest = Math.floor(rest / 32)
  }
  return `${prefix}_${id}${randomOf(CROCKFORD, 16)}`
}

/** Whether the text has the form of an id. Other text is never passed to a query. */
export function isId(prefix: string, text: string): boolean {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(text)
}

export function newSlug(): string {
  return randomOf(SLUG, 12)
}

/** Of a named link: 70 bits. */
export function newLinkToken(): string {
  return randomOf(SLUG, LINK_TOKEN_CHARS)
}

/** Whether the text has the form of a link's token. Other text is never passed to a query. */
export function isLinkToken(text: string): boolean {
  return text.length === LINK_TOKEN_CHARS && [...text].every((char) => SLUG.includes(char))
}

/** @param alphabet of 32 characters, so that each takes five unbiased random bits */
function randomOf(alphabet: string, length: number): string {
  let text = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) text += alphabet[byte & 31]
  return text
}

/** SHA-256 in hexadecimal: the id of content, and what is stored of a token. */
export function sha256(data: string | Uint8Array): string {
  return newSha256().update(data).digest('hex')
}

/** The same of what arrives in chunks. */
export async function sha256Of(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = newSha256()
  for await (const chunk of chunks) sum.update(chunk)
  return sum.digest('hex')
}

/**
 * The same chunks, hashed and counted as they pass. Ask for the results once they have ended.
 *
 * @param check called with each before
 */
export function hashed(
  chunks: AsyncIterable<Uint8Array>,
  check: (chunk: Uint8Array) => void = () => {},
) {
  const sum = newSha256()
  let sizeBytes = 0
  let hash: string | undefined
  async function* pass() {
    for await (const chunk of chunks) {
      check(chunk)
      sum.update(chunk)
      sizeBytes += chunk.byteLength
      yield chunk
    }
  }
  function hashOf(): string {
    hash ??= sum.digest('hex')
    return hash
  }
  return { chunks: pass(), hashOf, sizeOf: () => sizeBytes }
}

interface Hasher {
  update(data: string | Uint8Array): Hasher
  digest(encoding: 'hex'): string
}

/** For streams: `update` with each chunk, then `digest('hex')`. */
export function newSha256(): Hasher {
  return new Bun.CryptoHasher('sha256')
}
