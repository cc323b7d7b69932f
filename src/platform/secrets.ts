import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** One master key, never in the database; a key of its own for each purpose. */
export interface Secrets {
  /** AES-256-GCM. `about` is bound in: sealed text moved elsewhere does not open. */
  seal(purpose: string, about: string, text: string): string
  /** Throws when the text was altered, moved, or sealed under another master key. */
  open(purpose: string, about: string, sealed: string): string
  /** base64url HMAC-SHA256 of the parts, which cannot run into each other. */
  sign(purpose: string, ...parts: string[]): string
  verify(signature: string, purpose: string, ...parts: string[]): boolean
}

export function createSecrets(master: Uint8Array): Secrets {
  const keys = new Map<string, Buffer>()
  function keyFor(purpose: string): Buffer {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = Buffer.from(hkdfSync('sha256', master, 'handbill', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  function sign(purpose: string, ...parts: string[]): string {
    const hasher = new Bun.CryptoHasher('sha256', keyFor(purpose))
    return hasher.update(JSON.stringify(parts)).digest('base64url')
  }
  return {
    seal(purpose, about, text) {
      const nonce = crypto.getRandomValues(Buffer.alloc(12))
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(bytesOf(about))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['v1', nonce, sealed, cipher.getAuthTag()].map(textOf).join('.')
    },
    open(purpose, about, sealed) {
      const [version, nonce, text, tag, more] = sealed.split('.')
      const isWhole = nonce && text !== undefined && tag && more === undefined
      if (version !== 'v1' || !isWhole) throw new Error('Not sealed')
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), unpack(nonce))
        .setAAD(bytesOf(about))
        .setAuthTag(unpack(tag))
      return Buffer.concat([decipher.update(unpack(text)), decipher.final()]).toString('utf8')
    },
    sign,
    verify: (signature, purpose, ...parts) => sameText(signature, sign(purpose, ...parts)),
  }
}

/** `SECRET_KEY`, or the key made once beside the data, outside the database. */
export function masterKey(given: string | null, file: string): Uint8Array {
  if (given !== null) return createHash('sha256').update(given).digest()
  if (!existsSync(file)) makeKey(file)
  return createHash('sha256').update(readFileSync(file, 'utf8').trim()).digest()
}

/** Whole before it has its name; of two commands that make it at once, both use the first's. */
function makeKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const half = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(half, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(half, file)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
  } finally {
    unlinkSync(half)
  }
}

/** Equal or not, in a time that tells nothing of where they differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

/** Hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return newSha256().update(data).digest('hex')
}

interface Hasher {
  update(data: string | Uint8Array): Hasher
  digest(encoding: 'hex'): string
}

/** For what comes in pieces: `update` each, then `digest('hex')`. */
export function newSha256(): Hasher {
  return new Bun.CryptoHasher('sha256')
}

function digest(text: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(text).digest()
}
function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}
function textOf(part: string | Buffer): string {
  return typeof part === 'string' ? part : part.toString('base64url')
}
/** One spelling alone: bits that a decoder drops would make two texts of one. */
function unpack(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (textOf(bytes) !== text) throw new Error('Not sealed')
  return bytes
}
