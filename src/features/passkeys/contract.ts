import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { line } from '../../model/text.ts'

const sessionContract = contractsOf('Account', 'session', { takesGuests: true })
const name = line(100).describe('By which its owner knows it, such as `Chrome on Linux`.')
const passkeyId = z.string().max(100).describe('The id of the passkey.')

const passkey = component('Passkey', {
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe('When it last signed in; null: never.'),
})

/** Bytes in base64url. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
/** At most 1,023 bytes. */
const credentialId = bytes(1364)
const response = { clientDataJSON: bytes(4096) }
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
}

/** What a browser answers that has made a passkey: WebAuthn's `RegistrationResponseJSON`. */
const registration = z.object({
  ...credential,
  response: z.object({ ...response, attestationObject: bytes(16_384) }),
})
export type Registration = z.output<typeof registration>

/** What a browser answers that signs in with one: WebAuthn's `AuthenticationResponseJSON`. */
export const assertion = z.object({
  ...credential,
  response: z.object({
    ...response,
    authenticatorData: bytes(4096),
    signature: bytes(4096),
    userHandle: bytes(128),
  }),
})
export type Assertion = z.output<typeof assertion>

/** What a browser makes one of: WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string().describe('It works once, for five minutes, in this session.'),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(z.object({ type: z.literal('public-key'), id: z.string() })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})

export const listPasskeys = sessionContract({
  summary: 'List the passkeys that sign in to your account.',
  description: 'The first that was added comes first. An account may have none.',
  http: { method: 'GET', path: '/passkeys', status: 200 },
  data: z.array(passkey),
})

export const startPasskey = sessionContract({
  summary: 'Start to add a passkey.',
  description: 'Answers what the browser needs to make one. `addPasskey` takes what it made.',
  http: { method: 'POST', path: '/passkeys/options', status: 200 },
  needsRecentSignIn: () => true,
  data: creationOptions,
  errors: ['too_many_passkeys'],
})

export const addPasskey = sessionContract({
  summary: 'Add a passkey that the browser has made.',
  description: 'It signs in to your account from then on, without its address. You are mailed.',
  http: { method: 'POST', path: '/passkeys', status: 201 },
  // With a passkey, a session could sign itself in again for ever.
  needsRecentSignIn: () => true,
  input: z.strictObject({ name, response: registration }),
  data: passkey,
  errors: ['passkey_refused', 'passkey_exists', 'too_many_passkeys'],
})

export const renamePasskey = sessionContract({
  summary: 'Rename a passkey.',
  description: 'The name is shown to you alone.',
  http: { method: 'PATCH', path: '/passkeys/{passkey_id}', status: 200 },
  input: z.strictObject({ passkey_id: passkeyId, name }),
  data: passkey,
  errors: ['passkey_not_found'],
})

export const removePasskey = sessionContract({
  summary: 'Remove a passkey.',
  description: 'It signs in no more. Sessions that it began go on.',
  http: { method: 'DELETE', path: '/passkeys/{passkey_id}', status: 204 },
  needsRecentSignIn: () => true,
  input: z.strictObject({ passkey_id: passkeyId }),
  errors: ['passkey_not_found'],
})
