import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { SCOPES, type Scope } from '../../model/account.ts'
import { shortLine } from '../../model/plain-text.ts'
import { sameText } from '../../platform/secrets.ts'

export const ACCESS_TOKEN_MS = 60 * 60_000
export const CODE_MS = 60_000
/** How long a connection lasts without being used. */
export const CONNECTION_DAYS = 90
/** How long a refresh token that was used once more is taken for a lost answer. */
export const RETRY_MS = 30_000
/** How long after a refusal for a scope no token is renewed. */
export const CONSENT_MS = 30_000

const DAY_MS = 24 * 60 * 60 * 1000
export const CONNECTION_MS = CONNECTION_DAYS * DAY_MS
/** How long a registration lasts that nobody has allowed. */
export const UNUSED_CLIENT_MS = 7 * DAY_MS
/** How long a code or refresh token is known after its use, so that a second use is noticed. */
export const USED_TOKEN_MS = 7 * DAY_MS

/** The longest address, and the longest query of a request. */
const MAX_URI = 500
export const MAX_REQUEST = 2000
const MAX_REDIRECT_URIS = 20
const MAX_NAME = 100

/** An error that an app is told of, by RFC 6749, 7009, 7591, 8707 and OpenID Connect. */
export class OAuthError extends Error {
  constructor(
    readonly error:
      | 'access_denied'
      | 'consent_required'
      | 'invalid_client'
      | 'invalid_client_metadata'
      | 'invalid_grant'
      | 'invalid_redirect_uri'
      | 'invalid_request'
      | 'invalid_scope'
      | 'invalid_target'
      | 'unsupported_grant_type'
      | 'unsupported_response_type',
    description: string,
  ) {
    super(description)
  }
}

/** An app that may ask for access. */
export interface Client {
  /** The address of its metadata, or the id of its registration. */
  id: string
  /** What it calls itself, which anybody can claim. */
  name: string | null
  redirect_uris: readonly string[]
}

/** What an app publishes about itself, or registers. Members that we do not use are dropped. */
export const clientMetadata = z.object({
  client_id: z.string().optional(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
})

/** @throws OAuthError `invalid_client_metadata` or `invalid_redirect_uri` */
export function parseMetadata(metadata: unknown): Omit<Client, 'id'> & { client_id?: string } {
  const { success, data } = clientMetadata.safeParse(metadata)
  if (!success) {
    const message = `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses.`
    throw new OAuthError('invalid_client_metadata', message)
  }
  const { client_id, client_name = '', redirect_uris } = data
  if (!redirect_uris.every(isRedirectUri)) {
    const message =
      'Each of redirect_uris must be an https address, an http address of 127.0.0.1, [::1] or ' +
      'localhost, or one with a scheme of the app, without a fragment.'
    throw new OAuthError('invalid_redirect_uri', message)
  }
  const name = shortLine(client_name, MAX_NAME) || null
  return { ...(client_id !== undefined && { client_id }), name, redirect_uris }
}

/** The address of the metadata of an app; null for a text that is none. */
export function metadataUrl(clientId: string): URL | null {
  if (clientId.length > MAX_URI) return null
  const url = URL.parse(clientId)
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  // Only in its normal form, so that one app has one id.
  return isPlain && url.pathname !== '/' && url.hash === '' && url.href === clientId ? url : null
}

/** Schemes that browsers, or common systems, handle themselves. */
const COMMON_SCHEMES = new Set(
  (
    'about blob chrome data edge file filesystem ftp http intent jar javascript mailto resource ' +
    'sms tel urn vbscript view-source ws wss'
  ).split(' '),
)

/** Whether an app may have its answers sent to this address. */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_URI || !/^[\x21-\x7e]+$/.test(text) || text.includes('#')) return false
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  // URLs take `;` and `,` in a name, which would end a directive of our page's policy.
  if (url.protocol === 'https:') return /^(?:[\w-]+(?:\.[\w-]+)*|\[.+\])$/.test(url.hostname)
  if (isLoopback(url)) return true
  const scheme = url.protocol.slice(0, -1)
  // `com.example.app:/path` or `app://path`: not `ms-settings:page`, which opens part of a system.
  const isOfApp = scheme.includes('.') || (/^[^:]+:\/\//.test(text) && url.hostname !== '')
  return isOfApp && !COMMON_SCHEMES.has(scheme)
}

/** No name below `localhost`: pages have hosts there. */
function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

/** Whether an app has this address: exactly, or on this computer at another port. */
export function hasRedirectUri({ redirect_uris }: Client, uri: string): boolean {
  if (!isRedirectUri(uri)) return false
  const isSame = (own: string) => isLoopback(new URL(own)) && withoutPort(own) === withoutPort(uri)
  return redirect_uris.some((own) => own === uri || isSame(own))
}

const withoutPort = (text: string) => Object.assign(new URL(text), { port: '' }).href

/** Whether it is an address of this server, where a page that anybody publishes could read it. */
export function isOwnAddress(uri: string, own: { baseUrl: string; contentUrl: string | null }) {
  const url = new URL(uri)
  // Pages are served under every name of this computer, at a port that `baseUrl` may not have.
  if (isLoopback(url) && url.pathname.startsWith('/p/')) return true
  const content = own.contentUrl && new URL(own.contentUrl.replace('{page}', 'page')).host
  const isOfPage = content !== null && url.host.endsWith(content.slice('page'.length))
  return isOfPage || url.host === new URL(own.baseUrl).host
}

/** Adds parameters to a redirect address, whose own query stays as it is. */
export function redirectTo(uri: string, params: Record<string, string | null>): string {
  const entries = Object.entries(params).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(entries)}`
}

/** Where answers go, as people recognise it. */
export function placeOf(uri: string): string {
  const url = new URL(uri)
  if (isLoopback(url)) return 'this computer'
  return url.protocol === 'https:' ? url.host : `an app on this device (${url.protocol})`
}

/** The form of a content security policy for the place: it has none for an address in brackets. */
export function originOf(uri: string): string {
  const { protocol, host, hostname } = new URL(uri)
  const isPlain = protocol === 'https:' || protocol === 'http:'
  return isPlain && !hostname.startsWith('[') ? `${protocol}//${host}` : protocol
}

/**
 * The scopes of a request: those of its list that there are, or all without a list.
 *
 * @param granted what they must be part of; a refresh may ask for less, never for more
 * @throws OAuthError `invalid_scope`
 */
export function scopesOf(text: string, granted: readonly Scope[] = SCOPES): Scope[] {
  const names = text.split(' ').filter((name) => name !== '')
  if (names.length === 0) return [...granted]
  const scopes = granted.filter((scope) => names.includes(scope))
  const isMore = SCOPES.some((scope) => names.includes(scope) && !granted.includes(scope))
  if (scopes.length > 0 && !isMore) return scopes
  throw new OAuthError('invalid_scope', `Ask for one or more of: ${granted.join(' ')}.`)
}

/** @throws OAuthError `invalid_target` where a token is asked for another server */
export function assertResource(resource: string, baseUrl: string): void {
  const own = [baseUrl, `${baseUrl}/`, `${baseUrl}/mcp`, `${baseUrl}/api/v1`]
  if (resource === '' || own.includes(resource)) return
  throw new OAuthError('invalid_target', `Tokens of this server are for ${baseUrl} alone.`)
}

/** A request for access, of an app whose address is proven. */
export interface AuthorizationRequest {
  client: Client
  redirect_uri: string
  scopes: Scope[]
  challenge: string
}

const CHALLENGE = /^[\w-]{43}$/
const VERIFIER = /^[\w.~-]{43,128}$/

/** @throws OAuthError that the redirect address may be told */
export function parseRequest(param: (name: string) => string, baseUrl: string) {
  if (param('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  }
  if (param('code_challenge_method') !== 'S256' || !CHALLENGE.test(param('code_challenge'))) {
    const message = 'Send a code_challenge with the code_challenge_method S256.'
    throw new OAuthError('invalid_request', message)
  }
  assertResource(param('resource'), baseUrl)
  return { scopes: scopesOf(param('scope')), challenge: param('code_challenge') }
}

/** Whether the verifier is the one that the challenge was made of. */
export function isVerifier(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  return sameText(createHash('sha256').update(verifier).digest('base64url'), challenge)
}

/** The prefix tells a token from an API key, and a secret scanner what it has found. */
export const PREFIX = { code: 'smc_', access: 'sma_', refresh: 'smr_' } as const
type Kind = keyof typeof PREFIX

export const newToken = (kind: Kind, secret = randomBytes(32).toString('base64url')) =>
  `${PREFIX[kind]}${secret}`
export const isToken = (kind: Kind, text: string) =>
  text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length))
