import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const KEY = /^[a-z2-7]{26}$/

/** A host for each page. Its name cannot be derived from the page's address. */
export interface Origins {
  isHttps: boolean
  of(page: Page): string
  /** The first label of a page's host. Null for another host, '' for a label that no page has. */
  keyIn(host: string | null): string | null
  isOf(page: Page, key: string): boolean
}

/** @param contentUrl an origin with `{page}` as its first label */
export function createOrigins(contentUrl: string, secrets: Secrets): Origins {
  const suffix = new URL(contentUrl.replace('{page}', 'page')).host.slice('page'.length)
  const keyOf = ({ id }: Page) => base32(secrets.sign('content-host', id)).slice(0, 26)
  return {
    isHttps: contentUrl.startsWith('https:'),
    of: (page) => contentUrl.replace('{page}', keyOf(page)),
    keyIn(host) {
      if (host === null || !host.toLowerCase().endsWith(suffix)) return null
      const key = host.toLowerCase().slice(0, -suffix.length)
      return KEY.test(key) ? key : ''
    },
    isOf: (page, key) => keyOf(page) === key,
  }
}

/** Encodes base64url text as base32: host names have no upper case. */
function base32(text: string): string {
  let bits = 0
  let held = 0
  let out = ''
  for (const byte of Buffer.from(text, 'base64url')) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) out += ALPHABET[(held >> (bits - 5)) & 31]
  }
  return out
}
