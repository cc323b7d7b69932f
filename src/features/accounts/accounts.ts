import { randomBytes } from 'node:crypto'
import type { Account, ApiKey } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Plan } from '../../model/plan.ts'
import { parseEmail } from '../../model/text.ts'
import type { Clock } from '../../platform/clock.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { sha256 } from '../../platform/secrets.ts'
import { hashKey, hintOf, isApiKey, newApiKey } from './rules.ts'
import * as store from './store.ts'

const SETUP_LINK_MS = 24 * 60 * 60 * 1000
/** `last_used_at` is written at most this often. */
const USE_INTERVAL_MS = 60_000

export interface CreatedKey {
  id: string
  name: string | null
  /** The key itself, of which only the hash is stored. */
  key: string
}

export interface NewAccount {
  email: string
  name?: string | null
  plan: Plan
}

export interface Accounts {
  add(given: NewAccount): Promise<Account>
  setPlan(email: string, plan: Plan): Promise<Account>
  list(): Promise<(Account & { created_at: string })[]>
  find(id: string, db?: Db): Promise<Account | null>
  findByEmail(email: string): Promise<Account | null>
  /** Finds the account of this address, or creates it. */
  findOrCreate(tx: Tx, given: { email: string; plan: Plan }): Promise<Account>
  createKey(email: string, name: string | null): Promise<CreatedKey>
  listKeys(email: string): Promise<ApiKey[]>
  revokeKey(id: string): Promise<void>
  /**
   * @param authorization the header of that name
   * @throws Refusal `unauthenticated` for anything but a key that is not revoked
   */
  authenticate(authorization: string | null): Promise<{ account: Account; keyId: string }>
  hasAny(): Promise<boolean>
  /** Creates a token for making the first account. It expires after a day, or with first use. */
  createSetupLink(): Promise<string>
  isSetupLink(token: string): Promise<boolean>
  /**
   * Creates the first account, which is an operator, and its first key.
   *
   * @throws Refusal `setup_link_gone`
   */
  setUp(token: string, given: NewAccount): Promise<SetupResult>
}

export interface SetupResult {
  account: Account
  key: CreatedKey
}

export interface AccountDeps {
  database: Database
  clock: Clock
  log: Log
}

export function createAccounts({ database, clock, log }: AccountDeps): Accounts {
  const { read } = database

  async function insert(tx: Tx, given: NewAccount, isOperator = false): Promise<Account> {
    const { email: typed, name = null, plan } = given
    const email = parseEmail(typed)
    if (email === null) throw refuse.invalid('bad_email', `${typed} is not an email address.`)
    const account = { id: newId('acc'), email, name: name || null, plan, is_operator: isOperator }
    await store.insertAccount(tx, { ...account, created_at: clock.now() })
    return account
  }

  async function insertKey(tx: Tx, accountId: string, name: string | null): Promise<CreatedKey> {
    const key = newApiKey()
    const id = newId('key')
    await store.insertKey(tx, {
      id,
      account_id: accountId,
      name,
      hash: hashKey(key),
      hint: hintOf(key),
      created_at: clock.now(),
      last_used_at: null,
      revoked_at: null,
    })
    return { id, name, key }
  }

  async function getByEmail(email: string): Promise<Account> {
    const account = await store.findAccountByEmail(read, parseEmail(email) ?? email)
    if (account === undefined) {
      throw refuse.notFound('account_not_found', `There is no account ${email}.`)
    }
    return account
  }

  /** Runs in the background: a request does not wait for this write. */
  function recordUse({ id, last_used_at: lastUsedAt }: store.KeyHolder['key']): void {
    const ms = clock.ms()
    if (lastUsedAt !== null && ms - Date.parse(lastUsedAt) < USE_INTERVAL_MS) return
    database
      .write((tx) => store.updateLastUsed(tx, id, clock.now()), 'relaxed')
      .catch((err) => log.warn('could not record the use of a key', { keyId: id, err }))
  }

  return {
    async add(given) {
      try {
        return await database.write((tx) => insert(tx, given))
      } catch (err) {
        if (!isUniqueViolation(err)) throw err
        throw refuse.conflict('account_exists', `There is an account ${given.email} already.`)
      }
    },
    async setPlan(email, plan) {
      const account = await getByEmail(email)
      await database.write((tx) => store.setPlan(tx, account.id, plan))
      return { ...account, plan }
    },
    list: () => store.listAccounts(read),
    find: async (id, db = read) => (await store.findAccount(db, id)) ?? null,
    findByEmail: async (email) =>
      (await store.findAccountByEmail(read, parseEmail(email) ?? email)) ?? null,
    async findOrCreate(tx, given) {
      const account = { ...given, id: newId('acc'), name: null, is_operator: false }
      await store.insertAccountOnce(tx, { ...account, created_at: clock.now() })
      return (await store.findAccountByEmail(tx, given.email))!
    },
    async createKey(email, name) {
      const account = await getByEmail(email)
      return database.write((tx) => insertKey(tx, account.id, name))
    },
    listKeys: async (email) => store.listKeys(read, (await getByEmail(email)).id),
    async revokeKey(id) {
      if (await database.write((tx) => store.revokeKey(tx, id, clock.now()))) return
      throw refuse.notFound('key_not_found', `There is no key ${id}.`)
    },
    async authenticate(authorization) {
      const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
      const holder =
        key !== undefined && isApiKey(key)
          ? await store.findKeyHolder(read, hashKey(key))
          : undefined
      if (holder === undefined) throw unauthenticated(authorization)
      recordUse(holder.key)
      return { account: holder.account, keyId: holder.key.id }
    },
    hasAny: () => store.hasAccounts(read),
    async createSetupLink() {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = clock.after(SETUP_LINK_MS)
      await database.write((tx) =>
        store.insertSetupLink(tx, {
          hash: sha256(token),
          created_at: clock.now(),
          expires_at: expiresAt,
        }),
      )
      return token
    },
    isSetupLink: async (token) =>
      (await store.findSetupLink(read, sha256(token), clock.now())) !== undefined,
    setUp: (token, given) =>
      database.write(async (tx) => {
        const link = await store.findSetupLink(tx, sha256(token), clock.now())
        // The delete locks the rows, so of two requests at once the second deletes none.
        const deleted = await store.deleteSetupLinks(tx)
        if (link === undefined || !deleted.includes(link.hash) || (await store.hasAccounts(tx))) {
          throw refuse.notFound('setup_link_gone', 'This set-up link has been used or has expired.')
        }
        const account = await insert(tx, given, true)
        return { account, key: await insertKey(tx, account.id, 'first key') }
      }),
  }
}

function unauthenticated(authorization: string | null) {
  return authorization === null
    ? refuse.unauthenticated('missing_key', 'Send your API key as Authorization: Bearer sm_….')
    : refuse.unauthenticated(
        'bad_key',
        'This API key is not known here, or was revoked: check that it was copied whole.',
      )
}
