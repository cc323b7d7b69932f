import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { SingleSignOnSettings } from '../platform/config.ts'

const CLIENT = { id: 'handbill', secret: 'a secret of ~ + & %' }

/** The person who signs in at the provider, and the claims of the ID token. */
export interface Person {
  sub: string
  [claim: string]: unknown
}

/** Errors in the answers of the provider. */
export interface Fault {
  /** Of the ID token, over what would be right. */
  claims?: Record<string, unknown>
  /** The token is signed with a key that the provider does not publish. */
  hasForeignKey?: boolean
  /** Answers instead of that of the endpoint. */
  answer?: (path: string) => Response | Promise<Response> | null
}

interface Code {
  person: Person
  nonce: string
  challenge: string
  redirectUri: string
}

/**
 * An OpenID Connect provider in the process of a test, which decides what it answers. It checks the
 * client, the redirect URI, PKCE and that a code is used once, as providers do.
 */
export async function startTestProvider() {
  const foreign = await generateKeyPair('RS256')
  let key = await newKey('k1')
  const codes = new Map<string, Code>()
  const requests: string[] = []
  let fault: Fault = {}
  let userInfo: Record<string, unknown> | null = null

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
  const issuer = `http://127.0.0.1:${server.port}`

  async function respond(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname
    requests.push(path)
    const wrong = await fault.answer?.(path)
    if (wrong) return wrong
    if (path === '/.well-known/openid-configuration') return Response.json(discovery())
    if (path === '/jwks') return Response.json({ keys: [key.jwk] })
    if (path === '/token') return token(new URLSearchParams(await request.text()))
    if (path === '/userinfo' && userInfo) return Response.json(userInfo)
    return Response.json({ error: 'not_found' }, { status: 404 })
  }

  function discovery() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...(userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  async function token(form: URLSearchParams): Promise<Response> {
    const refuse = (error: string) => Response.json({ error }, { status: 400 })
    if (form.get('client_secret') !== CLIENT.secret) return refuse('invalid_client')
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const hasher = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '')
    if (!code || hasher.digest('base64url') !== code.challenge) return refuse('invalid_grant')
    if (form.get('redirect_uri') !== code.redirectUri) return refuse('invalid_grant')
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: issuer, aud: CLIENT.id, iat: now, exp: now + 300, nonce: code.nonce }
    const idToken = await new SignJWT({ ...right, ...code.person, ...fault.claims })
      .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid })
      .sign(fault.hasForeignKey ? foreign.privateKey : key.privateKey)
    const rest = { access_token: 'access', token_type: 'Bearer', expires_in: 300 }
    return Response.json({ ...rest, id_token: idToken })
  }

  return {
    issuer,
    /** The paths that were asked for. */
    requests,
    settings(more: Partial<SingleSignOnSettings> = {}): SingleSignOnSettings {
      const { id: clientId, secret: clientSecret } = CLIENT
      const options = { name: 'Example Login', domains: [], isOpen: false }
      return { issuer, clientId, clientSecret, ...options, ...more }
    },
    /** From now on it signs with another key, and publishes that alone. */
    async rotateKey() {
      key = await newKey('k2')
    },
    /** From now on; nothing: the provider is right again. */
    setFault(next: Fault = {}) {
      fault = next
    },
    /** What the endpoint for it answers; null: there is no endpoint. */
    setUserInfo(next: Record<string, unknown> | null) {
      userInfo = next
    },
    /**
     * Signs a person in, as if they did so in the browser that was sent to `location`.
     *
     * @returns the path that the provider sends the browser to
     */
    authorize(location: string, person: Person): string {
      const { searchParams } = new URL(location)
      const parameter = (name: string) => searchParams.get(name) ?? ''
      const code = randomBytes(16).toString('hex')
      codes.set(code, {
        person,
        nonce: parameter('nonce'),
        challenge: parameter('code_challenge'),
        redirectUri: parameter('redirect_uri'),
      })
      const { pathname } = new URL(parameter('redirect_uri'))
      return `${pathname}?${new URLSearchParams({ code, state: parameter('state'), iss: issuer })}`
    },
    close: () => server.stop(true),
  }
}

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}
export type TestProvider = Awaited<ReturnType<typeof startTestProvider>>
