import { crc32 } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 34
const CHECK_LENGTH = 6
const KEY = /^sm_[0-9A-Za-z]{40}$/

/**
 * `sm_`, 34 random characters (202 bits) and 6 of their CRC-32. The checksum distinguishes a key
 * from other text, for us before a query and for secret scanners.
 */
export function newApiKey(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 in a byte: higher values would favour some characters.
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += BASE62[byte % 62]
    }
  }
  return `sm_${random}${checksumOf(random)}`
}

export function isApiKey(text: string): boolean {
  return KEY.test(text) && checksumOf(text.slice(3, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
}

/** The hash that is stored. It need not be slow, because a key of 202 bits cannot be guessed. */
export function hashKey(key: string): string {
  return sha256(key)
}

/** The part of a key by which its owner recognises it. */
export function hintOf(key: string): string {
  return `${key.slice(0, 7)}…${key.slice(-4)}`
}

function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
