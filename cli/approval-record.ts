import { createHash } from 'node:crypto'
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
import { CommandFailed } from './output.ts'

/** The public keys of a server, and where they were found. */
export interface SigningKeys {
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
