import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { BASE_URL } from './node.ts'

interface Options {
  challenge: string
  /** Of the page that asks; ours, unless given. */
  origin?: string
  rpId?: string
  /** Whether the person was verified, as by a fingerprint. */
  isVerified?: boolean
  /** Of WebAuthn's client data, which says what was asked for. */
  type?: string
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** An authenticator with one passkey, which answers as browsers hand it on. */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let userHandle = ''

  function clientData({ challenge, origin = BASE_URL }: Options, type: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
  function authenticatorData({ rpId = 'handbill.test', isVerified = true }: Options, more = '') {
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (more === '' ? 0 : 0x40)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, Buffer.from(more, 'hex')])
  }
  const credential = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }

  return {
    id: credential.id,
    setCounter: (value: number) => {
      counter = value
    },
    setUserHandle: (value: string) => {
      userHandle = value
    },
    /** @param attestation its format and statement */
    register(options: Options, attestation: [string, Map<string, unknown>] = ['none', new Map()]) {
      const { x, y } = publicKey.export({ format: 'jwk' })
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ])
      const lengthOfId = Buffer.from([id.byteLength >> 8, id.byteLength & 0xff])
      const parts = [Buffer.alloc(16), lengthOfId, id, isoCBOR.encode(cose)]
      const object = new Map<string, unknown>([
        ['fmt', attestation[0]],
        ['attStmt', attestation[1]],
        [
          'authData',
          new Uint8Array(authenticatorData(options, Buffer.concat(parts).toString('hex'))),
        ],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData(options, options.type ?? 'webauthn.create')),
          attestationObject: base64url(isoCBOR.encode(object as never)),
        },
      }
    },
    assert(options: Options) {
      counter += counter === 0 ? 0 : 1
      const data = clientData(options, options.type ?? 'webauthn.get')
      const authData = authenticatorData(options)
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
          userHandle,
        },
      }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>
