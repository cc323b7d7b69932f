import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  importJWK,
  type JWK,
} from 'jose'
import {
  type ApprovalRecord,
  approvalRecord,
  manifestOfRecord,
  RECORD_ALGORITHM,
  RECORD_TYPE,
} from '../src/model/approval-record.ts'
import { manifestText } from '../src/model/manifest.ts'
import type { CommandContext } from './command.ts'
import { parseServerUrl } from './credentials.ts'
import { isRecord, readJson, writeJson } from './json-files.ts'
import { CommandFailed, oneLine } from './output.ts'
import { printStatus } from './terminal.ts'

/** The public keys of a server, and where they were found. */
interface SigningKeys {
  keys: readonly JWK[]
  /** Completes "from …". */
  from: string
}

export interface VerifiedRecord {
  record: ApprovalRecord
  key: { id: string; from: string }
}

/**
 * Verifies the signature and the consistency of a record.
 *
 * @param findKeys the keys of the server that the record names as its issuer. A key inside the
 *   record would prove nothing: anybody could have put it there.
 * @throws CommandFailed
 */
export async function readRecord(
  text: string,
  findKeys: (issuer: string) => Promise<SigningKeys>,
): Promise<VerifiedRecord> {
  const jws = text.trim()
  const claimed = parsePayload(jws)
  const { keys, from } = await findKeys(claimed.iss)
  const header = headerOf(jws)
  const key = await findKey(keys, header.kid)
  if (key === null) {
    throw new CommandFailed(
      `The record is signed with another key than those of ${claimed.iss} (from ${from}).`,
    )
  }
  const isGenuine = await isSignedBy(jws, key)
  if (!isGenuine) {
    throw new CommandFailed('The record is not genuine: its signature does not match its content.')
  }
  const hash = createHash('sha256')
    .update(manifestText(manifestOfRecord(claimed)))
    .digest('hex')
  if (hash !== claimed.content.manifest) {
    throw new CommandFailed('The record contradicts itself: its files have another hash.')
  }
  return { record: claimed, key: { id: await calculateJwkThumbprint(key), from } }
}

/** The claims of the record, whose signature has not been verified. */
function parsePayload(jws: string): ApprovalRecord {
  const [, payload = '', signature, ...more] = jws.split('.')
  if (signature !== undefined && more.length === 0) {
    try {
      return approvalRecord.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    } catch {
      // Reported below.
    }
  }
  throw new CommandFailed(
    'This is no record of approvals: a record is the answer of GET /pages/{id}/approvals/record.',
  )
}

function headerOf(jws: string) {
  try {
    const header = decodeProtectedHeader(jws)
    if (header.alg === RECORD_ALGORITHM && header.typ === RECORD_TYPE) return header
  } catch {
    // Reported below.
  }
  throw new CommandFailed('This is no record of approvals: its header names another format.')
}

async function findKey(keys: readonly JWK[], id: string | undefined): Promise<JWK | null> {
  for (const key of keys) {
    const isEd25519 = key.kty === 'OKP' && key.crv === 'Ed25519' && key.d === undefined
    if (isEd25519 && (await calculateJwkThumbprint(key)) === id) return key
  }
  return null
}

async function isSignedBy(jws: string, key: JWK): Promise<boolean> {
  try {
    await compactVerify(jws, await importJWK(key, RECORD_ALGORITHM), {
      algorithms: [RECORD_ALGORITHM],
    })
    return true
  } catch {
    return false
  }
}

const KEYS_PATH = '/.well-known/jwks.json'
const MAX_KEYS_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000

/**
 * Finds the public keys of a record's issuer: in the file of `--jwks`, else among those stored
 * earlier, else at the issuer itself. It asks only a server that the user names or works with,
 * because the record itself, which may be forged, names the issuer.
 *
 * @throws CommandFailed
 */
export async function findSigningKeys(
  { flags, env, server }: CommandContext,
  issuer: string,
): Promise<SigningKeys> {
  const trusted = typeof flags.issuer === 'string' ? parseServerUrl(flags.issuer) : null
  if (trusted !== null && trusted !== issuer) {
    throw new CommandFailed(`The record says that it is of ${oneLine(issuer)}, not of ${trusted}.`)
  }
  if (typeof flags.jwks === 'string') {
    const path = resolve(env.cwd, flags.jwks)
    return { keys: keysIn(readJson(path), path), from: flags.jwks }
  }
  const path = join(env.configHome || join(env.home, '.config'), 'handbill', 'signing-keys.json')
  const stored = readStored(path)
  if (Object.hasOwn(stored, issuer)) return { keys: keysIn(stored[issuer], path), from: path }
  if (trusted === null && issuer !== server) throw untrusted(issuer)
  const fetched = await fetchKeys(issuer)
  writeJson(path, { ...stored, [issuer]: { keys: fetched } }, 0o600)
  printStatus(`Stored the public key of ${issuer} in ${path}.`)
  return { keys: fetched, from: `${issuer}${KEYS_PATH}` }
}

/** Key sets by the address of their server. */
function readStored(path: string): Record<string, unknown> {
  const value = readJson(path) ?? {}
  if (isRecord(value)) return value
  throw new CommandFailed(`${path} is not a file that handbill wrote: move it away.`)
}

function keysIn(value: unknown, name: string): JWK[] {
  if (isRecord(value) && Array.isArray(value.keys) && value.keys.every(isRecord)) {
    return value.keys as JWK[]
  }
  throw new CommandFailed(`${name} has no key set: save ${KEYS_PATH} of the server there.`)
}

async function fetchKeys(issuer: string): Promise<JWK[]> {
  const url = `${issuer}${KEYS_PATH}`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const text = await fetch(url, { redirect: 'error', signal }).then(
    async (response) => (response.ok ? readLimited(response) : null),
    () => null,
  )
  if (text === null) {
    throw new CommandFailed(
      `${url} does not answer. Without a network, give a copy of it with --jwks FILE.`,
    )
  }
  return keysIn(parseJson(text), url)
}

async function readLimited(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_KEYS_BYTES) break
  }
  return text.length > MAX_KEYS_BYTES ? '' : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function untrusted(issuer: string): CommandFailed {
  return new CommandFailed(
    `The record says that it is of ${oneLine(issuer)}. If you expect that server, add ` +
      `--issuer ${oneLine(issuer)}, or without a network --jwks FILE, a copy of its ${KEYS_PATH}.`,
  )
}
