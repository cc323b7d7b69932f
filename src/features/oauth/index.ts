import { LRUCache } from 'lru-cache'
import { type Account, assertNotSuspended } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { isModestJson } from '../../model/json-text.ts'
import { operationsOf } from '../../model/operation.ts'
import type { GuardedFetch } from '../../platform/fetch/index.ts'
import { sha256 } from '../../platform/ids.ts'
import { atMost } from '../../platform/lru.ts'
import { shareReads } from '../../platform/promises.ts'
import type { Accounts } from '../accounts/index.ts'
import { LIMITS } from '../throttles/index.ts'
import * as contract from './contract.ts'
import { consentOf, createGrants, type GrantDeps, type Param } from './grants.ts'
import {
  type AuthorizationRequest,
  type Client,
  CODE_MS,
  CONSENT_MS,
  hasRedirectUri,
  isOwnAddress,
  metadataUrl,
  newToken,
  OAuthError,
  parseMetadata,
  parseRequest,
  scopesOf,
  UNUSED_CLIENT_MS,
  USED_TOKEN_MS,
} from './rules.ts'
import * as store from './store.ts'

export type { Param } from './grants.ts'
export {
  type AuthorizationRequest,
  type Client,
  CONNECTION_DAYS,
  MAX_REQUEST,
  metadataUrl,
  OAuthError,
  originOf,
  PREFIX as TOKEN_PREFIX,
  placeOf,
  redirectTo,
} from './rules.ts'

interface OAuthDeps extends Omit<GrantDeps, 'assertClient'> {
  fetch: GuardedFetch
  contentUrl: string | null
}

export type OAuth = ReturnType<typeof createOAuth>

/**
 * The authorization server of the API and MCP. What a person allows an app is a connection: a key
 * without a text of its own, whose tokens are here.
 */
export function createOAuth(deps: OAuthDeps) {
  const { database, clock, accounts, throttles, baseUrl } = deps
  const { read } = database
  const clients = createClients(deps)

  const findAccess = shareReads(async (hash) => {
    const token = await store.findToken(read, [hash, clock.now()])
    const holder = token && (await accounts.findAppKey(token.key_id))
    if (token === undefined || holder === undefined) return undefined
    return { ...holder, key: { ...holder.key, scopes: scopesOf(token.scopes) } }
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
    /** @throws OAuthError that the redirect address may be told */
    parseRequest: (param: Param) => parseRequest(param, baseUrl),
    /**
     * Lets an app act for an account, until its owner ends that.
     *
     * @returns the code for the app
     */
    async allow(account: Account, request: AuthorizationRequest): Promise<string> {
      const { client, redirect_uri, scopes, challenge } = request
      const code = newToken('code')
      const row = {
        hash: sha256(code),
        account_id: account.id,
        client_id: client.id,
        client_name: client.name ?? metadataUrl(client.id)?.host ?? null,
        scopes: scopes.join(' '),
        ...{ redirect_uri, challenge, key_id: null, used_at: null },
        expires_at: clock.after(CODE_MS),
      }
      await database.write((tx) => store.insertCodes(tx, [row]))
      return code
    },
    token: createGrants({ ...deps, assertClient: clients.assertKnown }),
    /** Ends the connection of a token; any other text is fine, too. @throws OAuthError */
    async revoke(token: string): Promise<void> {
      if (token === '') throw new OAuthError('invalid_request', 'Send the token as token.')
      const row = await store.findToken(read, [sha256(token), clock.now()])
      if (row !== undefined) {
        await database.write((tx) => accounts.endAppKey(tx, row.key_id), 'freeing')
      }
    },
    /**
     * For a moment, no token of a connection is renewed. Clients of the SDK 1 that are refused for
     * a scope renew theirs, which adds none, and ask the person only where that fails.
     */
    requireConsent: (keyId: string) => throttles.mark(consentOf(keyId), clock.ms() + CONSENT_MS),
    /** @throws Refusal `bad_key` or `account_suspended` */
    async authenticate(token: string) {
      const holder = await findAccess(sha256(token))
      if (holder === undefined) {
        throw refuse.unauthenticated(
          'bad_key',
          'This access token has expired or its connection was ended: connect again.',
        )
      }
      assertNotSuspended(holder.account)
      return holder
    },
    /** Deletes what has expired. */
    async sweep(): Promise<void> {
      await store.deleteTokens(database, [clock.now()])
      await store.deleteCodes(database, [clock.after(-USED_TOKEN_MS)])
      await store.deleteClients(database, [clock.now()])
    },
  }
}

type Deps = Pick<Accounts, 'appKeys' | 'revokeKey'>

export function oauthOperations({ appKeys, revokeKey }: Deps) {
  return operationsOf(contract, {
    listConnections: async ({ account }) =>
      (await appKeys(account.id)).map((key) => ({
        ...key,
        host: metadataUrl(key.client_id!)?.host ?? null,
      })),
    endConnection: async ({ account }, { connection_id: id }) => {
      const own = await appKeys(account.id)
      if (own.some((key) => key.id === id)) return revokeKey(id, account.id)
      throw refuse.notFound('connection_not_found', 'No such app is connected to your account.')
    },
  })
}

const MAX_METADATA_BYTES = 8 * 1024
const MAX_CACHED = 200
const CACHED_MS = 10 * 60_000
/** Registrations that nobody has allowed. Beyond that, the oldest go. */
const MAX_UNUSED = 2000
const REGISTERED = /^app_[0-9a-f]{32}$/

type ClientDeps = Pick<OAuthDeps, 'database' | 'clock' | 'fetch' | 'throttles'>

/** Apps, by the metadata that they publish at the address that is their id, or by registration. */
function createClients({ database, clock, fetch, throttles }: ClientDeps) {
  const published = new LRUCache<string, Client>({ ...atMost(MAX_CACHED), ttl: CACHED_MS })

  async function readPublished(id: string, accountId: string): Promise<Client> {
    const response = await fetch.get(id, { maxBytes: MAX_METADATA_BYTES, accountId })
    try {
      const isJson = /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(response.contentType ?? '')
      // An address that leads on to another is not what the app is known by.
      if (!isJson || response.url !== id) throw unusable(id)
      const bytes = await response.read()
      if (!isModestJson(bytes)) throw unusable(id)
      const { client_id, ...client } = parseMetadata(parseJson(bytes))
      if (client_id !== id) throw unusable(id)
      return { id, ...client }
    } finally {
      await response.close()
    }
  }

  async function findRegistered(id: string): Promise<Client> {
    const client = REGISTERED.test(id) && (await store.findClient(database.read, id, clock.now()))
    if (client) return client
    throw new OAuthError('invalid_client', 'This app is not known here: connect it anew.')
  }

  return {
    /** @throws OAuthError for an id of a registration that has expired: apps register anew then */
    async assertKnown(id: string): Promise<void> {
      if (REGISTERED.test(id)) await findRegistered(id)
    },
    /**
     * Registers an app. The same app once more is the same registration.
     *
     * @throws OAuthError
     */
    async register(metadata: unknown): Promise<Client> {
      const { name, redirect_uris } = parseMetadata(metadata)
      const sorted = [...new Set(redirect_uris)].sort()
      const id = `app_${sha256(JSON.stringify([name, sorted])).slice(0, 32)}`
      await database.write(async (tx) => {
        const expiresAt = clock.after(UNUSED_CLIENT_MS)
        await store.putClient(tx, [id, name, JSON.stringify(sorted), expiresAt])
        await store.deleteUnused(tx, [MAX_UNUSED])
      })
      return { id, name, redirect_uris: sorted }
    },
    /**
     * @param accountId counts what is fetched
     * @throws OAuthError, or Refusal `rate_limited` or as the guarded fetch does
     */
    async find(id: string, accountId: string): Promise<Client> {
      if (metadataUrl(id) === null) return findRegistered(id)
      const cached = published.get(id)
      if (cached !== undefined) return cached
      await throttles.assert(LIMITS.app_metadata, accountId)
      const client = await readPublished(id, accountId)
      published.set(id, client)
      return client
    },
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

function unusable(id: string) {
  return new OAuthError('invalid_client', `What ${id} says about its app cannot be used.`)
}
