import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  type Decipheriv,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Of AES. */
const BLOCK_BYTES = 16
/** Nobody can guess so many. */
export const MIN_KEY_BYTES = 32

/** The DER encoding (PKCS #8) of an Ed25519 key, before its 32 bytes. */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derives a key for each purpose from one master key, which is never in the database. */
export function createSecrets(master: Uint8Array) {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) =>
    keys.getOrInsertComputed(purpose, () =>
      Buffer.from(hkdfSync('sha256', master, 'handbill', purpose, 32)),
    )
  function sign(purpose: string, ...parts: string[]): string {
    const hasher = new Bun.CryptoHasher('sha256', keyFor(purpose))
    return hasher.update(JSON.stringify(parts)).digest('base64url')
  }
  /** @returns null for a text that was altered, moved, or sealed with another master key */
  function openOrNull(purpose: string, context: string, sealed: string): string | null {
    const [version, nonce, text, tag, more] = sealed.split('.')
    const isComplete = nonce && text !== undefined && tag && more === undefined
    const key = keyFor(purpose)
    try {
      if (version !== 'v1' || !isComplete) return null
      const decipher = createDecipheriv('aes-256-gcm', key, unpack(nonce))
        .setAAD(bytesOf(context))
        .setAuthTag(unpack(tag))
      return Buffer.concat([decipher.update(unpack(text)), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }
  return {
    /** Encrypts with AES-256-GCM. `context` is authenticated: no text opens in another one. */
    seal(purpose: string, context: string, text: string) {
      const nonce = crypto.getRandomValues(Buffer.alloc(12))
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(bytesOf(context))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['v1', nonce, sealed, cipher.getAuthTag()].map(textOf).join('.')
    },
    openOrNull,
    /** @throws where `openOrNull` returns null */
    open(purpose: string, context: string, sealed: string): string {
      const text = openOrNull(purpose, context, sealed)
      if (text === null) throw new Error('This cannot be opened')
      return text
    },
    /** HMAC-SHA256 in base64url. Parts are encoded, so `a, bc` and `ab, c` differ. */
    sign,
    verify: (signature: string, purpose: string, ...parts: string[]) =>
      sameText(signature, sign(purpose, ...parts)),
    /** Encrypts 16 bytes as one block of AES-256: the same bytes give the same 16 bytes. */
    encryptBlock: (purpose: string, block: Uint8Array) =>
      oneBlock(createCipheriv('aes-256-ecb', keyFor(purpose), null), block),
    /** The inverse. Any 16 bytes have a result: the caller checks what it means. */
    decryptBlock: (purpose: string, block: Uint8Array) =>
      oneBlock(createDecipheriv('aes-256-ecb', keyFor(purpose), null), block),
    /** The Ed25519 key of a purpose, for signatures that others verify with its public half. */
    signingKey(purpose: string) {
      const key = Buffer.concat([ED25519_PREFIX, keyFor(purpose)])
      return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
    },
  }
}
export type Secrets = ReturnType<typeof createSecrets>

/** More than one block would show which of them are the same. */
function oneBlock(cipher: Cipheriv | Decipheriv, block: Uint8Array): Uint8Array {
  if (block.byteLength !== BLOCK_BYTES) throw new Error(`${block.byteLength} bytes are no block`)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(block), cipher.final()])
}

/** The master key: `SECRET_KEY`, or a key in `file`, made at the first start. */
export function masterKey(secretKey: string | null, file: string): Uint8Array {
  if (secretKey !== null) return createHash('sha256').update(secretKey).digest()
  if (!existsSync(file)) makeKey(file)
  const key = readFileSync(file, 'utf8').trim()
  if (Buffer.byteLength(key) >= MIN_KEY_BYTES) return createHash('sha256').update(key).digest()
  throw new Error(`${file} holds no key, or a part of one: put it back, or that of a backup`)
}

/** The file appears only when it is complete. Of two commands that make it, both use the first. */
function makeKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(partial, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(partial, file)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
  } finally {
    unlinkSync(partial)
  }
}

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
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
/** Accepts canonical base64url only: a lenient decoder would read several texts as one value. */
function unpack(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (textOf(bytes) !== text) throw new Error('Not sealed')
  return bytes
}
