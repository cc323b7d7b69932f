import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { Tables } from '../../platform/db/tables.ts'
import { ALGORITHMS } from './challenges.ts'
import type { Assertion, Registration } from './contract.ts'

/** None are asked for. */
const NO_EXTENSIONS = { clientExtensionResults: {} }

export interface Expected {
  origin: string
  rpId: string
  isChallenge(challenge: string): boolean
}

type KnownKey = Pick<Tables['passkeys'], 'credential_id' | 'public_key' | 'counter'>

/** @throws Error for an answer that proves no new passkey */
export async function verifyRegistration(
  response: Registration,
  { origin, rpId, isChallenge }: Expected,
): Promise<KnownKey> {
  assertNoCertificates(response.response.attestationObject)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, ...NO_EXTENSIONS },
    expectedChallenge: isChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (registrationInfo === undefined) throw new Error('The attestation does not verify')
  const { id, publicKey, counter } = registrationInfo.credential
  return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
}

/** @returns the new counter @throws Error for an answer that the passkey did not give */
export async function verifyAssertion(
  response: Assertion,
  key: KnownKey,
  { origin, rpId, isChallenge }: Expected,
): Promise<number> {
  const publicKey = new Uint8Array(Buffer.from(key.public_key, 'base64url'))
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, ...NO_EXTENSIONS },
    expectedChallenge: isChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: key.credential_id, publicKey, counter: key.counter },
  })
  if (!verified) throw new Error('The signature does not verify')
  return authenticationInfo.newCounter
}

/**
 * Browsers send no certificates, since none are asked for. Where somebody sends some, the library
 * would fetch from addresses in them.
 */
function assertNoCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  )
  const format = attestation.get('fmt')
  const isSelf = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isSelf) throw new Error(`Attestation of format ${format}`)
}
