import { crc32 } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 34
const CHECK_LENGTH = 6
const KEY = /^sm_[0-9A-Za-z]{40}$/

/** `sm_`, 34 characters of 202 random bits, 6 of checksum: scanners can tell a key from a typo. */
export function newApiKey(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 in a byte: what lies above would favour some characters.
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += BASE62[byte % 62]
    }
  }
  return `sm_${random}${checksumOf(random)}`
}

export function isApiKey(text: string): boolean {
  return KEY.test(text) && checksumOf(text.slice(3, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
}

/** What is stored. A slow hash would be pointless: the key itself has 202 bits. */
export function hashKey(key: string): string {
  return sha256(key)
}

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
