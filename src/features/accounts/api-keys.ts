import { crc32 } from 'node:zlib'
import {
  type Account,
  type ApiKey,
  assertNotSuspended,
  bearerIn,
  type KeyLimits,
  type NewKey,
  SCOPES,
  type Scope,
} from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import { shareReads } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import type { WithPlan } from './store.ts'
import * as store from './store.ts'

/** `last_used_at` is written at most this often. */
const USE_INTERVAL_MS = 60_000
/** Of the owner, and of apps. */
const MAX_KEYS = 100
/** A key that may do all that its account may. */
export const UNLIMITED: KeyLimits = {
  scopes: [...SCOPES],
  page_ids: null,
  expires_at: null,
  confirmed_only: false,
}

export interface CreatedKey extends Omit<ApiKey, 'revoked_at' | 'client_id'> {
  /** The key itself, of which only the hash is stored. */
  key: string
}

interface ApiKeyDeps extends Pick<Services, 'database' | 'clock' | 'log'> {
  withPlan: WithPlan
  /** @throws Refusal `account_not_found` */
  getByEmail(email: string): Promise<Account>
}

export function createApiKeys(deps: ApiKeyDeps) {
  const { database, clock, log, withPlan, getByEmail } = deps
  const { read } = database

  /** Runs in the background: a request does not wait for this write. */
  function recordUse({ id, last_used_at }: store.KeyHolder['key']): void {
    const agoMs = last_used_at === null ? Infinity : clock.ms() - Date.parse(last_used_at)
    if (Math.abs(agoMs) < USE_INTERVAL_MS) return
    database
      .write((tx) => store.updateKey(tx, [id], { last_used_at: clock.now() }), 'relaxed')
      .catch((err) => log.warn('could not record the use of a key', { keyId: id, err }))
  }

  /**
   * After each commit SQLite reads its pages again, so writes of concurrent requests share one
   * commit.
   */
  const findHolder = shareReads(async (hash) => {
    const holder = await store.findKeyHolder(read, { hash })
    if (holder !== undefined) recordUse(holder.key)
    return holder
  })

  async function addKey(account: Account, input: NewKey): Promise<CreatedKey> {
    const now = clock.now()
    if (input.expires_at !== null && input.expires_at <= now) {
      throw refuse.invalidParameter('expires_at', 'expires_at must be in the future.')
    }
    return database.write(async (tx) => {
      await assertMayAdd(tx, { accountId: account.id, isApp: false }, now)
      return insertKey(tx, { ...input, account, now })
    })
  }

  return {
    ...createAppKeys({ ...deps, recordUse }),
    /** @throws Refusal `account_not_found`, `guest_account` or `account_suspended` */
    createKey: async (email: string, name: string | null, limits: Partial<KeyLimits> = {}) =>
      addKey(await getByEmail(email), { name, ...UNLIMITED, ...limits }),
    /** @throws Refusal as `assertMayAdd` */
    addKey,
    /** The keys that the account's owner made and that are not revoked, oldest first. */
    activeKeys: async (accountId: string) =>
      (await store.listKeys(read, accountId)).filter(
        ({ revoked_at: at, client_id }) => at === null && client_id === null,
      ),
    /** @throws Refusal `account_not_found` */
    listKeys: async (email: string) => store.listKeys(read, (await getByEmail(email)).id),
    /**
     * @param accountId the account that the key must belong to; null for the server's operator
     * @throws Refusal `key_not_found`
     */
    async revokeKey(id: string, accountId: string | null = null) {
      const now = clock.now()
      const revoke = (tx: Tx) => store.revokeKey(tx, [id, accountId, now])
      if (await database.write(revoke, 'freeing')) return
      throw refuse.notFound('key_not_found', `There is no key ${id}.`)
    },
    /**
     * @param authorization the header of that name
     * @throws Refusal `unauthenticated` for anything but a key that is in force, and
     * `account_suspended`
     */
    async authenticate(authorization: string | null) {
      const key = bearerIn(authorization)
      const isWellFormed = key !== undefined && isApiKey(key)
      const holder = isWellFormed ? await findHolder(sha256(key)) : undefined
      if (holder === undefined) throw unauthenticated(key)
      const { expires_at } = holder.key
      if (expires_at !== null && expires_at <= clock.now()) {
        const ended = `This API key ended at ${expires_at}`
        const text = `${ended}: make a new one in the app or on the server.`
        throw refuse.unauthenticated('key_expired', text)
      }
      assertNotSuspended(holder.account)
      return { account: await withPlan(holder.account), key: holder.key }
    },
  }
}

export async function insertKey(
  tx: Tx,
  input: NewKey & { account: { id: string }; now: Timestamp },
): Promise<CreatedKey> {
  const { account, name, scopes, page_ids, expires_at, confirmed_only, now } = input
  const key = newApiKey()
  const row = { id: newId('key'), name, hint: hintOf(key), created_at: now, last_used_at: null }
  const keyRow = {
    ...{ ...row, account_id: account.id, hash: sha256(key), revoked_at: null, client_id: null },
    scopes: scopes.join(' '),
    page_ids: page_ids?.join(' ') ?? null,
    ...{ expires_at, confirmed_only: confirmed_only ? 1 : 0 },
  }
  await store.insertKeys(tx, [keyRow])
  return { ...row, scopes, page_ids, expires_at, confirmed_only, key }
}

/**
 * Locks the account, so that two requests at once count one after the other.
 *
 * @throws Refusal `signed_out`, `guest_account`, `account_suspended`, `too_many_keys`
 */
async function assertMayAdd(
  tx: Tx,
  whose: { accountId: string; isApp: boolean },
  now: Timestamp,
): Promise<void> {
  await store.lockAccount(tx, whose.accountId)
  const account = await store.findAccount(tx, whose.accountId)
  if (account === undefined) throw accountGone()
  if (account.is_guest) throw guestAccount(account.email)
  assertNotSuspended(account)
  if ((await store.countActiveKeys(tx, [whose.accountId, whose.isApp ? 1 : 0, now])) < MAX_KEYS)
    return
  const message = whose.isApp
    ? `${MAX_KEYS} apps are connected to the account, as many as may: disconnect one first.`
    : `The account has ${MAX_KEYS} keys, the most it can have: revoke one first.`
  throw refuse.conflict('too_many_keys', message, { limit: MAX_KEYS })
}

/** @param key undefined also where the header has no scheme, or another one */
function unauthenticated(key: string | undefined) {
  return key === undefined
    ? refuse.unauthenticated('missing_key', 'Send your API key as Authorization: Bearer sm_….')
    : refuse.unauthenticated(
        'bad_key',
        'This API key is not known here, or was revoked: check that it was copied whole.',
      )
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 34
const CHECK_LENGTH = 6
const KEY = /^sm_[0-9A-Za-z]{40}$/

/**
 * `sm_`, 34 random characters (202 bits) and 6 of their CRC-32. The checksum distinguishes a key
 * from other text, for us before a query and for secret scanners. Its hash need not be slow: a key
 * of 202 bits cannot be guessed.
 */
function newApiKey(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 in a byte: higher values would favour some characters.
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += BASE62[byte % 62]
    }
  }
  return `sm_${random}${checksumOf(random)}`
}

function isApiKey(text: string): boolean {
  return KEY.test(text) && checksumOf(text.slice(3, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
}

/** The part of a key by which its owner recognises it. */
function hintOf(key: string): string {
  return `${key.slice(0, 7)}…${key.slice(-4)}`
}

function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

interface AppKey {
  account_id: string
  client_id: string
  name: string | null
  scopes: Scope[]
  expires_at: Timestamp
}

interface AppKeyDeps extends Omit<ApiKeyDeps, 'log' | 'getByEmail'> {
  recordUse(key: store.KeyHolder['key']): void
}

/**
 * What apps may do that act for an account: keys without a text of their own, since the tokens of
 * an app change.
 */
function createAppKeys({ database, clock, withPlan, recordUse }: AppKeyDeps) {
  const { read } = database
  return {
    /** @throws Refusal as `assertMayAdd` */
    async addAppKey(tx: Tx, { account_id, client_id, name, scopes, expires_at }: AppKey) {
      const [id, now] = [newId('key'), clock.now()]
      await assertMayAdd(tx, { accountId: account_id, isApp: true }, now)
      const row = {
        ...{ id, account_id, client_id, name, expires_at, created_at: now },
        scopes: scopes.join(' '),
        // No key has this hash.
        ...{ hash: id, hint: '', last_used_at: null, revoked_at: null },
        ...{ page_ids: null, confirmed_only: 0 },
      }
      await store.insertKeys(tx, [row])
      return id
    },
    /** The key of an app and its account, while it is in force. */
    async findAppKey(id: string) {
      const holder = await store.findKeyHolder(read, { id })
      if (holder === undefined || !isInForce(holder.key, clock.now())) return undefined
      recordUse(holder.key)
      return { account: withPlan(holder.account), key: holder.key }
    },
    extendAppKey: (tx: Tx, id: string, end: Timestamp) =>
      store.updateKey(tx, [id], { expires_at: end }),
    endAppKey: (tx: Tx, id: string) => store.revokeKey(tx, [id, null, clock.now()]),
    /** The keys of apps that are in force, oldest first. */
    async appKeys(accountId: string) {
      const keys = await store.listKeys(read, accountId)
      const now = clock.now()
      return keys.filter((key) => key.client_id !== null && isInForce(key, now))
    },
  }
}

function isInForce(
  key: { expires_at: string | null; revoked_at?: string | null },
  now: Timestamp,
): boolean {
  return (key.revoked_at ?? null) === null && (key.expires_at === null || key.expires_at > now)
}

/** The refusal of an operation that needs a full account. */
export function guestAccount(email: string) {
  return refuse.conflict(
    'guest_account',
    `${email} is a guest, who opens pages and publishes none. ` +
      `Make it an account first: handbill account add ${email}`,
  )
}

export function accountGone() {
  return refuse.unauthenticated('signed_out', 'This account was deleted.')
}
