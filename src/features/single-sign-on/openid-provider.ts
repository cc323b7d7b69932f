import * as oidc from 'openid-client'
import { parseEmail } from '../../model/text.ts'
import type { SingleSignOnSettings } from '../../platform/config.ts'
import { isLoopback } from '../../platform/config-variables.ts'
import type { Proof } from './identities.ts'
import { type FailureReason, ProviderFailure } from './provider-failure.ts'

/** The timeout of one request to the provider. */
const TIMEOUT_MS = 5_000
/** The timeout of all requests of one sign-in. */
const TOTAL_MS = 10_000
/** How long the provider's discovery document and keys are cached. */
const METADATA_MS = 60 * 60_000
/** The tolerance for a difference between the clocks of both servers. */
const TOLERANCE_S = 30
/** The longest subject that OpenID Connect allows. */
const MAX_SUBJECT = 255

/** The values that bind the provider's answer to the browser that started the sign-in. */
export interface Flow {
  state: string
  nonce: string
  /** The PKCE verifier: without it, an intercepted code cannot be redeemed. */
  verifier: string
}

export interface Provider {
  /**
   * Prepares a sign-in.
   *
   * @param isAgain who is signed in already confirms it: the provider is asked not to do it unseen
   * @throws ProviderFailure
   */
  start(options: { isAgain: boolean }): Promise<{ url: string; flow: Flow }>
  /**
   * Redeems the code that the provider sent the browser back with.
   *
   * @param query of the redirect URI
   * @throws ProviderFailure
   */
  finish(query: string, flow: Flow): Promise<Proof>
}

export interface ProviderDeps {
  settings: SingleSignOnSettings
  redirectUri: string
}

/** Signs people in at an OpenID Connect provider: authorization code with PKCE. */
export function createOpenidProvider({ settings, redirectUri }: ProviderDeps): Provider {
  const metadata = createMetadata(settings)

  async function redeem(query: string, { state, nonce, verifier }: Flow): Promise<Proof> {
    const config = await metadata()
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
    start: ({ isAgain }) =>
      within(async () => {
        const config = await metadata()
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
    finish: (query, flow) => within(() => redeem(query, flow)),
  }
}

/** Reads the discovery document at its first use; concurrent callers share the request. */
function createMetadata({ issuer, clientId, clientSecret }: SingleSignOnSettings) {
  const providerFetch = createProviderFetch(issuer, TIMEOUT_MS)
  const isHttp = new URL(issuer).protocol === 'http:'

  async function discover(): Promise<oidc.Configuration> {
    const config = await oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: TOLERANCE_S },
      authentication(clientSecret),
      {
        [oidc.customFetch]: providerFetch as oidc.CustomFetch,
        // The library marks it as deprecated so that nobody uses it by accident.
        execute: isHttp ? [oidc.allowInsecureRequests] : [],
      },
    )
    // The library lets some hosts of Microsoft name another issuer than was asked for.
    const { issuer: named, ...addresses } = config.serverMetadata()
    if (new URL(named).href !== new URL(issuer).href) throw new Error(`It calls itself ${named}.`)
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      assertProviderUrl(issuer, addresses[name])
    }
    oidc.enableNonRepudiationChecks(config)
    return config
  }

  let cached: { config: Promise<oidc.Configuration>; untilMs: number } | null = null
  return function metadata(): Promise<oidc.Configuration> {
    if (cached !== null && performance.now() < cached.untilMs) return cached.config
    const fresh = { config: discover(), untilMs: performance.now() + METADATA_MS }
    cached = fresh
    fresh.config.catch(() => {
      if (cached === fresh) cached = null
    })
    return fresh.config
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

/** @throws ProviderFailure */
async function within<T>(work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unreachable('The provider is too slow.')), TOTAL_MS)
  })
  try {
    return await Promise.race([work(), late])
  } catch (cause) {
    throw new ProviderFailure(reasonOf(cause), cause)
  } finally {
    clearTimeout(timer)
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

/** The library wraps errors of fetch. */
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

export type Fetch = (url: string, options: RequestInit) => Promise<Response>

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
function createProviderFetch(issuer: string, timeoutMs: number): Fetch {
  return async (url, options) => {
    assertProviderUrl(issuer, url)
    const signal = AbortSignal.timeout(timeoutMs)
    const { status, headers, body } = await sent(url, { ...options, signal, redirect: 'manual' })
    if (status >= 500) throw new Unreachable(`${url} answered ${status}.`)
    const bytes = body === null ? null : await readWithin(body, signal)
    return new Response(bytes, { status, headers })
  }
}

async function sent(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (cause) {
    throw new Unreachable(`${url} does not answer.`, { cause })
  }
}

async function readWithin(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const stop = () => reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  const pieces: Uint8Array[] = []
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
      if (size > MAX_BYTES) throw new Error('The provider answers with too many bytes.')
      pieces.push(value)
    }
  } catch (cause) {
    if (signal.aborted) throw new Unreachable('The answer stops in its middle.', { cause })
    throw cause
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
  if (signal.aborted) throw new Unreachable('The answer takes too long.')
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
