import { assertNotSuspended, type Scope } from '../../model/account.ts'
import { Refusal } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { Accounts } from '../accounts/index.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import {
  ACCESS_TOKEN_MS,
  assertResource,
  CONNECTION_MS,
  isToken,
  isVerifier,
  newToken,
  OAuthError,
  RETRY_MS,
  scopesOf,
  USED_TOKEN_MS,
} from './rules.ts'
import * as store from './store.ts'

export interface GrantDeps extends Pick<Services, 'database' | 'clock' | 'secrets' | 'baseUrl'> {
  throttles: Throttles
  accounts: Accounts
  /** @throws OAuthError `invalid_client` */
  assertClient(id: string): Promise<void>
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

interface NewToken {
  token: string
  key_id: string
  scopes: readonly Scope[]
  ms: number
}

/**
 * The token endpoint: makes tokens of a code, and of a refresh token the next ones.
 *
 * @returns a function that throws OAuthError, or Refusal `rate_limited`
 */
export function createGrants(deps: GrantDeps) {
  const grants = { authorization_code: createExchange(deps), refresh_token: createRenewal(deps) }
  const isType = (type: string): type is keyof typeof grants => Object.hasOwn(grants, type)
  return async (param: Param): Promise<Tokens> => {
    assertResource(param('resource'), deps.baseUrl)
    const type = param('grant_type')
    if (!isType(type)) {
      const message = 'grant_type must be authorization_code or refresh_token.'
      throw new OAuthError('unsupported_grant_type', message)
    }
    await deps.assertClient(param('client_id'))
    try {
      return await grants[type](param)
    } catch (err) {
      // The account was suspended or deleted, or has too many connections.
      if (err instanceof Refusal && GRANT_REFUSALS.has(err.kind)) {
        throw new OAuthError('invalid_grant', err.message)
      }
      throw err
    }
  }
}

const GRANT_REFUSALS: ReadonlySet<Refusal['kind']> = new Set([
  'unauthenticated',
  'forbidden',
  'conflict',
])

function insertToken(tx: Tx, clock: Clock, { token, key_id, scopes, ms }: NewToken) {
  const row = { hash: sha256(token), key_id, scopes: scopes.join(' '), used_at: null }
  return store.insertTokens(tx, [{ ...row, expires_at: clock.after(ms) }])
}

/** By a code, once. */
function createExchange({ database, clock, accounts }: GrantDeps) {
  return async (param: Param): Promise<Tokens> => {
    const [code, now] = [param('code'), clock.now()]
    if (!isToken('code', code)) throw badGrant()
    const hash = sha256(code)
    const [access, refresh] = [newToken('access'), newToken('refresh')]
    const scopes = await database.write(async (tx) => {
      const row = await store.useCode(tx, [hash, now])
      if (row === undefined) {
        // Somebody has a copy of the code: what it was used for ends.
        const keyId = (await store.findCode(tx, [hash]))?.key_id
        if (keyId) await accounts.endAppKey(tx, keyId)
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
      await store.updateCode(tx, [hash], { key_id })
      await store.updateClient(tx, [client_id], { used_at: now, expires_at })
      await insertToken(tx, clock, { token: access, key_id, scopes: granted, ms: ACCESS_TOKEN_MS })
      await insertToken(tx, clock, { token: refresh, key_id, scopes: granted, ms: CONNECTION_MS })
      return granted
    })
    if (scopes === null) throw badGrant()
    return tokensOf({ access, refresh, scopes })
  }
}

/**
 * A refresh token is used once, and its successor is made of it: where the answer was lost, the
 * same one is answered again for a moment. Any later use ends the connection, since it may be
 * that of a thief, or of the app after a thief.
 */
function createRenewal({ database, clock, secrets, accounts, throttles }: GrantDeps) {
  const { read } = database

  /** Whether a token that was used a moment ago has a successor that was not used yet. */
  async function isRetry(tx: Tx, hash: string, next: string): Promise<boolean> {
    const now = clock.now()
    const used = await store.findToken(tx, [hash, now])
    const successor = await store.findToken(tx, [sha256(next), now])
    const agoMs = used?.used_at ? clock.ms() - Date.parse(used.used_at) : Infinity
    return Math.abs(agoMs) < RETRY_MS && successor?.used_at === null
  }

  return async (param: Param): Promise<Tokens> => {
    const token = param('refresh_token')
    if (!isToken('refresh', token)) throw badGrant()
    const [hash, now] = [sha256(token), clock.now()]
    const row = await store.findToken(read, [hash, now])
    const holder = row && (await accounts.findAppKey(row.key_id))
    if (!row || holder?.key.client_id !== param('client_id')) throw badGrant()
    assertNotSuspended(holder.account)
    const { key_id } = row
    if (await throttles.isMarked(consentOf(key_id))) {
      const message = 'The app called what it was not allowed to: ask the person for that.'
      throw new OAuthError('consent_required', message)
    }
    await throttles.assert(LIMITS.oauth_refresh, key_id)
    const granted = scopesOf(row.scopes)
    const scopes = scopesOf(param('scope'), granted)
    const access = newToken('access')
    const refresh = newToken('refresh', secrets.sign('oauth refresh', token))

    const isRenewed = await database.write(async (tx) => {
      if (await store.useToken(tx, [hash, now, clock.after(USED_TOKEN_MS)])) {
        const expires_at = clock.after(CONNECTION_MS)
        await accounts.extendAppKey(tx, key_id, expires_at)
        await store.updateClient(tx, [param('client_id')], { used_at: now, expires_at })
        await insertToken(tx, clock, { token: refresh, key_id, scopes: granted, ms: CONNECTION_MS })
      } else if (!(await isRetry(tx, hash, refresh))) {
        await accounts.endAppKey(tx, key_id)
        return false
      }
      await insertToken(tx, clock, { token: access, key_id, scopes, ms: ACCESS_TOKEN_MS })
      return true
    })
    if (!isRenewed) throw badGrant()
    return tokensOf({ access, refresh, scopes })
  }
}

/** What is marked while only the person can allow what a connection asked for. */
export function consentOf(keyId: string): string {
  return `oauth-consent ${keyId}`
}

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
