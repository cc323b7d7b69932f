import { randomBytes } from 'node:crypto'
import { type Account, assertNotSuspended, bearerIn, type Scope } from '../../model/account.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { GuardedFetch } from '../../platform/fetch/index.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { Accounts } from '../accounts/index.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import { createClients } from './clients.ts'
import {
  ACCESS_TOKEN_MS,
  type AuthorizationRequest,
  assertResource,
  type Client,
  CODE_MS,
  CONNECTION_MS,
  hasRedirectUri,
  isOwnAddress,
  isVerifier,
  metadataUrl,
  OAuthError,
  parseRequest,
  RETRY_MS,
  scopesOf,
  USED_TOKEN_MS,
} from './rules.ts'
import * as store from './store.ts'

export interface OAuthDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  fetch: GuardedFetch
  throttles: Throttles
  accounts: Accounts
  baseUrl: string
  contentUrl: string | null
}

/** The fields of a form or a query; one that is not there is ''. */
export type Param = (name: string) => string

export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** The prefix tells a token from an API key, and a secret scanner what it has found. */
const PREFIX = { code: 'smc_', access: 'sma_', refresh: 'smr_' } as const
type Kind = keyof typeof PREFIX

const newToken = (kind: Kind) => `${PREFIX[kind]}${randomBytes(32).toString('base64url')}`
const isToken = (kind: Kind, text: string) =>
  text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length))

export type OAuth = ReturnType<typeof createOAuth>

/**
 * The authorization server of the API and MCP. What a person allows an app is a connection: a key
 * without a text of its own, whose tokens are here.
 */
export function createOAuth(deps: OAuthDeps) {
  const { database, clock, secrets, accounts, throttles, baseUrl } = deps
  const { read } = database
  const clients = createClients(deps)

  interface NewToken {
    token: string
    key_id: string
    scopes: readonly Scope[]
    ms: number
  }

  function put(tx: Tx, { token, key_id, scopes, ms }: NewToken): Promise<void> {
    const row = { hash: sha256(token), key_id, scopes: scopes.join(' '), used_at: null }
    return store.insertToken(tx, { ...row, expires_at: clock.after(ms) })
  }

  async function exchange(param: Param): Promise<Tokens> {
    const [code, now] = [param('code'), clock.now()]
    if (!isToken('code', code)) throw badGrant()
    const hash = sha256(code)
    const [access, refresh] = [newToken('access'), newToken('refresh')]
    const scopes = await database.write(async (tx) => {
      const row = await store.useCode(tx, hash, now)
      if (row === undefined) {
        // Somebody has a copy of the code: what it was used for ends.
        const keyId = await store.keyOfCode(tx, hash)
        if (keyId !== null) await accounts.endAppKey(tx, keyId)
        return null
      }
      if (row.client_id !== param('client_id')) throw badGrant()
      if (row.redirect_uri !== param('redirect_uri')) throw badGrant()
      if (!isVerifier(param('code_verifier'), row.challenge)) throw badGrant()
      const granted = scopesOf(row.scopes)
      const { account_id, client_id, client_name: name } = row
      const expires_at = clock.after(CONNECTION_MS)
      const app = { account_id, client_id, name, scopes: granted, expires_at }
      const key_id = await accounts.addAppKey(tx, app)
      await store.setCodeKey(tx, hash, key_id)
      await store.markUsed(tx, client_id, { now, expires_at })
      await put(tx, { token: access, key_id, scopes: granted, ms: ACCESS_TOKEN_MS })
      await put(tx, { token: refresh, key_id, scopes: granted, ms: CONNECTION_MS })
      return granted
    })
    if (scopes === null) throw badGrant()
    return tokensOf({ access, refresh, scopes })
  }

  /**
   * A refresh token is used once, and its successor is made of it: where the answer was lost, the
   * same one is answered again for a moment. Any later use ends the connection, since it may be
   * that of a thief, or of the app after a thief.
   */
  async function renew(param: Param): Promise<Tokens> {
    const token = param('refresh_token')
    if (!isToken('refresh', token)) throw badGrant()
    const [hash, now] = [sha256(token), clock.now()]
    const row = await store.findToken(read, hash, now)
    const holder = row && (await accounts.findAppKey(row.key_id))
    if (!row || holder?.key.client_id !== param('client_id')) throw badGrant()
    assertNotSuspended(holder.account)
    const { key_id } = row
    await throttles.assert(LIMITS.oauth_refresh, key_id)
    const granted = scopesOf(row.scopes)
    const scopes = scopesOf(param('scope'), granted)
    const access = newToken('access')
    const refresh = `${PREFIX.refresh}${secrets.sign('oauth refresh', token)}`

    const isRenewed = await database.write(async (tx) => {
      const used = { now, expires_at: clock.after(USED_TOKEN_MS) }
      if (await store.useToken(tx, hash, used)) {
        const expires_at = clock.after(CONNECTION_MS)
        await accounts.extendAppKey(tx, key_id, expires_at)
        await store.markUsed(tx, param('client_id'), { now, expires_at })
        await put(tx, { token: refresh, key_id, scopes: granted, ms: CONNECTION_MS })
      } else if (!(await isRetry(tx, hash, refresh))) {
        await accounts.endAppKey(tx, key_id)
        return false
      }
      await put(tx, { token: access, key_id, scopes, ms: ACCESS_TOKEN_MS })
      return true
    })
    if (!isRenewed) throw badGrant()
    return tokensOf({ access, refresh, scopes })
  }

  /** Whether a token that was used a moment ago has a successor that was not used yet. */
  async function isRetry(tx: Tx, hash: string, next: string): Promise<boolean> {
    const now = clock.now()
    const used = await store.findToken(tx, hash, now)
    const successor = await store.findToken(tx, sha256(next), now)
    const agoMs = used?.used_at ? clock.ms() - Date.parse(used.used_at) : Infinity
    return Math.abs(agoMs) < RETRY_MS && successor?.used_at === null
  }

  const findAccess = shareReads(async (hash) => {
    const token = await store.findToken(read, hash, clock.now())
    const found = token && (await accounts.findAppKey(token.key_id))
    if (token === undefined || found === undefined) return undefined
    return { ...found, key: { ...found.key, scopes: scopesOf(token.scopes) } }
  })

  return {
    register: clients.register,
    /**
     * The app of a request, once the address for its answers is proven. Until then no error may
     * be sent anywhere.
     *
     * @throws OAuthError or Refusal
     */
    async clientOf(param: Param, account: Account): Promise<Client> {
      const client = await clients.find(param('client_id'), account.id)
      const uri = param('redirect_uri')
      if (hasRedirectUri(client, uri) && !isOwnAddress(uri, deps)) return client
      const message = 'The address that this app wants the answer at is none of those it has named.'
      throw new OAuthError('invalid_request', message)
    },
    /** @throws OAuthError to be sent to the redirect address */
    parseRequest: (param: Param) => parseRequest(param, baseUrl),
    /**
     * Lets an app act for an account, until its owner ends that.
     *
     * @returns the code for the app
     */
    async allow(account: Account, request: AuthorizationRequest): Promise<string> {
      const { client, redirect_uri, scopes, challenge } = request
      const code = newToken('code')
      await database.write((tx) =>
        store.insertCode(tx, {
          hash: sha256(code),
          account_id: account.id,
          client_id: client.id,
          client_name: client.name ?? metadataUrl(client.id)?.host ?? null,
          redirect_uri,
          challenge,
          scopes: scopes.join(' '),
          key_id: null,
          used_at: null,
          expires_at: clock.after(CODE_MS),
        }),
      )
      return code
    },
    /**
     * The token endpoint.
     *
     * @throws OAuthError or Refusal `rate_limited`
     */
    async token(param: Param): Promise<Tokens> {
      assertResource(param('resource'), baseUrl)
      const grants: Record<string, typeof exchange> = {
        authorization_code: exchange,
        refresh_token: renew,
      }
      const type = param('grant_type')
      if (!Object.hasOwn(grants, type)) {
        const message = 'grant_type must be authorization_code or refresh_token.'
        throw new OAuthError('unsupported_grant_type', message)
      }
      try {
        return await grants[type]!(param)
      } catch (err) {
        // The account was suspended or deleted, or has too many connections.
        if (err instanceof Refusal && GRANT_REFUSALS.has(err.kind)) {
          throw new OAuthError('invalid_grant', err.message)
        }
        throw err
      }
    },
    /** Ends the connection that a token belongs to. Any other text is fine, too. */
    async revoke(token: string): Promise<void> {
      if (!isToken('access', token) && !isToken('refresh', token)) return
      const row = await store.findToken(read, sha256(token), clock.now())
      if (row !== undefined) {
        await database.write((tx) => accounts.endAppKey(tx, row.key_id), 'freeing')
      }
    },
    /**
     * @param authorization the header of that name
     * @returns null where it has no access token, such as an API key
     * @throws Refusal `bad_key` or `account_suspended`
     */
    async authenticate(authorization: string | null) {
      const token = bearerIn(authorization) ?? ''
      if (!isToken('access', token)) return null
      const found = await findAccess(sha256(token))
      if (found === undefined) {
        throw refuse.unauthenticated(
          'bad_key',
          'This access token has expired or its connection was ended: connect again.',
        )
      }
      assertNotSuspended(found.account)
      return found
    },
    /** Deletes what has expired. */
    sweep: () =>
      database.write(
        (tx) => store.deleteExpired(tx, clock.now(), clock.after(-USED_TOKEN_MS)),
        'freeing',
      ),
  }
}

const GRANT_REFUSALS: ReadonlySet<Refusal['kind']> = new Set([
  'unauthenticated',
  'forbidden',
  'conflict',
])

function tokensOf(issued: { access: string; refresh: string; scopes: Scope[] }): Tokens {
  return {
    access_token: issued.access,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_MS / 1000,
    refresh_token: issued.refresh,
    scope: issued.scopes.join(' '),
  }
}

/** The same for every reason, so that it tells nothing about a code or token. */
function badGrant() {
  const message = 'This code or token is not valid, or was used before: connect again.'
  return new OAuthError('invalid_grant', message)
}
