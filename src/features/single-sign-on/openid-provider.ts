import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import { parseEmail } from '../../model/text.ts'
import type { SingleSignOnSettings } from '../../platform/config.ts'
import { isLoopback } from '../../platform/config-variables.ts'
import { inTime } from '../../platform/promises.ts'
import { type FailureReason, type Proof, ProviderFailure } from './identities.ts'

const TIMEOUT_MS = 5_000
const TOTAL_MS = 10_000
const METADATA_MS = 60 * 60_000
const TOLERANCE_S = 30
const MAX_SUBJECT = 255

/** The values that bind the provider's answer to the browser that started the sign-in. */
export interface Flow {
  state: string
  nonce: string
  /** The PKCE verifier: without it, an intercepted code cannot be redeemed. */
  verifier: string
}

export interface ProviderDeps {
  settings: SingleSignOnSettings
  redirectUri: string
}

/** Signs people in at an OpenID Connect provider: authorization code with PKCE. */
export function createOpenidProvider({ settings, redirectUri }: ProviderDeps) {
  const configure = createConfigurations(settings)

  async function redeem(query: string, { state, nonce, verifier }: Flow): Promise<Proof> {
    const config = await configure()
    const url = new URL(`${redirectUri}${query}`)
    const tokens = await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    if (claims.sub.length > MAX_SUBJECT) throw new Error('The subject is too long.')
    const isComplete = hasVerdict(claims) || !config.serverMetadata().userinfo_endpoint
    const person = isComplete
      ? claims
      : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
    const { iss: issuer, sub: subject } = claims
    return { issuer, subject, verifiedEmail: verifiedEmail(person, issuer) }
  }

  return {
    /**
     * Prepares a sign-in.
     *
     * @param isAgain who is signed in already confirms it: the provider is asked to let them
     * @throws ProviderFailure
     */
    start: ({ isAgain }: { isAgain: boolean }) =>
      within(async () => {
        const config = await configure()
        const flow = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        }
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: 'S256',
          // Not `prompt`, of which some providers refuse the value `login`.
          ...(isAgain && { max_age: '0' }),
        })
        return { url: url.href, flow }
      }),
    /**
     * Redeems the code in the query that the provider sent the browser back with.
     * @throws ProviderFailure
     */
    finish: (query: string, flow: Flow) => within(() => redeem(query, flow)),
  }
}

/**
 * Reads the discovery document at its first use; concurrent callers share the request. Each sign-in
 * has a configuration of its own, which reads the provider's keys: one may be new, and the library
 * reads none again within a minute.
 */
function createConfigurations({ issuer, clientId, clientSecret }: SingleSignOnSettings) {
  // The library marks it as deprecated so that nobody uses it by accident.
  const execute = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : []
  const providerFetch = createProviderFetch(issuer)

  async function discover(): Promise<oidc.ServerMetadata> {
    const options = { [oidc.customFetch]: providerFetch, execute }
    const config = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, options)
    // The library lets some hosts of Microsoft name another issuer than was asked for.
    const { issuer: name, ...addresses } = config.serverMetadata()
    if (new URL(name).href !== new URL(issuer).href) throw new Error(`It calls itself ${name}.`)
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      assertProviderUrl(issuer, addresses[name])
    }
    return config.serverMetadata()
  }

  const one = { max: 1, ttl: METADATA_MS, fetchMethod: discover }
  const cache = new LRUCache<'metadata', oidc.ServerMetadata>(one)
  return async () => {
    const metadata = (await cache.fetch('metadata'))!
    const tolerance = { [oidc.clockTolerance]: TOLERANCE_S }
    const authenticate = authentication(clientSecret)
    const config = new oidc.Configuration(metadata, clientId, tolerance, authenticate)
    config[oidc.customFetch] = providerFetch
    for (const set of [...execute, oidc.enableNonRepudiationChecks]) set(config)
    return config
  }
}

/**
 * Sends the secret in the body if allowed: providers decode special characters in headers
 * variously.
 */
function authentication(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const send = methods.includes('client_secret_post') ? inBody : inHeader
    return send(server, client, body, headers)
  }
}

async function within<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await inTime(work(), TOTAL_MS, () => {
      throw new Unreachable('The provider is too slow.')
    })
  } catch (cause) {
    throw new ProviderFailure(reasonOf(cause), cause)
  }
}

const TEMPORARY = ['server_error', 'temporarily_unavailable']

function reasonOf(err: unknown): FailureReason {
  if (err instanceof oidc.AuthorizationResponseError) {
    if (err.error === 'access_denied') return 'cancelled'
    return TEMPORARY.includes(err.error) ? 'unavailable' : 'refused'
  }
  if (err instanceof oidc.ResponseBodyError) {
    return err.error === 'invalid_grant' ? 'expired' : 'refused'
  }
  return isUnreachable(err) ? 'unavailable' : 'invalid'
}

function isUnreachable(err: unknown): boolean {
  for (let at = err; at instanceof Error; at = at.cause) if (at instanceof Unreachable) return true
  return false
}

/** The size limit. Discovery documents and key sets have some kilobytes. */
const MAX_BYTES = 512 * 1024

/** The provider does not answer, or a proxy answers in its place. */
class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/**
 * Refuses URLs without https, except for a provider on this machine.
 *
 * @param url as the discovery document has it
 */
function assertProviderUrl(issuer: string, url: string | undefined): void {
  const target = URL.parse(url ?? '')
  const isHere = (at: URL) => at.protocol === 'http:' && isLoopback(at.hostname)
  if (target?.protocol === 'https:') return
  if (target && isHere(target) && isHere(new URL(issuer))) return
  throw new Error(`The provider names an address that is not https: ${url}`)
}

/**
 * Fetches from the provider that the operator has configured, also on a private network. The
 * addresses are those of the discovery document, which TLS authenticates. Redirects are not
 * followed; time and size are limited.
 */
function createProviderFetch(issuer: string): oidc.CustomFetch {
  return async (url, options) => {
    assertProviderUrl(issuer, url)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const init = { ...options, signal, redirect: 'manual' } as RequestInit
    const { status, headers, body } = await fetch(url, init).catch((cause) => {
      throw new Unreachable(`${url} does not answer.`, { cause })
    })
    if (status >= 500) throw new Unreachable(`${url} answered ${status}.`)
    return new Response(body && (await readWithin(body, signal)), { status, headers })
  }
}

async function readWithin(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of body) {
      size += piece.byteLength
      if (size > MAX_BYTES) throw new Error('The provider answers with too many bytes.')
      pieces.push(piece)
    }
  } catch (cause) {
    if (signal.aborted) throw new Unreachable('The answer stops in its middle.', { cause })
    throw cause
  }
  return new Uint8Array(Buffer.concat(pieces))
}

export type Claims = Record<string, unknown>

/** Whether the claims say if the address is verified. */
function hasVerdict({ email, email_verified, xms_edov }: Claims): boolean {
  return email !== undefined && (email_verified !== undefined || xms_edov !== undefined)
}

/**
 * The address, if the provider has verified it. Microsoft Entra never says `email_verified`: it has
 * `xms_edov`, whether the owner of the address's domain is verified.
 */
export function verifiedEmail(claims: Claims, issuer: string): string | null {
  const { email, email_verified: verified, xms_edov } = claims
  const isEntra = new URL(issuer).hostname === 'login.microsoftonline.com'
  const isVerified = verified === undefined && isEntra ? isYes(xms_edov) : isTrue(verified)
  return isVerified && typeof email === 'string' ? parseEmail(email) : null
}

/** Some providers send booleans as text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Entra sends this one as a boolean, as a number or as text. */
function isYes(value: unknown): boolean {
  return isTrue(value) || value === 1 || value === '1'
}
