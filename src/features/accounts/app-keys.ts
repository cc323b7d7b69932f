import { assertNotSuspended, type Scope } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import { accountGone, guestAccount } from './refusals.ts'
import type { WithPlan } from './store.ts'
import * as store from './store.ts'

const MAX_APP_KEYS = 100

interface AppKey {
  account_id: string
  client_id: string
  name: string | null
  scopes: Scope[]
  expires_at: Timestamp
}

interface AppKeyDeps {
  database: Database
  clock: Clock
  withPlan: WithPlan
  recordUse(key: store.KeyHolder['key']): void
}

/**
 * What apps may do that act for an account: keys without a text of their own, since the tokens of
 * an app change.
 */
export function createAppKeys({ database, clock, withPlan, recordUse }: AppKeyDeps) {
  const { read } = database
  return {
    /** @throws Refusal `signed_out`, `guest_account`, `account_suspended`, `too_many_keys` */
    async addAppKey(tx: Tx, { account_id, client_id, name, scopes, expires_at }: AppKey) {
      const [id, now] = [newId('key'), clock.now()]
      const isThere = await store.lockAccount(tx, account_id)
      const account = isThere ? await store.findAccount(tx, account_id) : undefined
      if (account === undefined) throw accountGone()
      if (account.is_guest) throw guestAccount(account.email)
      assertNotSuspended(account)
      const ofApps = { accountId: account_id, isApp: true }
      if ((await store.countActiveKeys(tx, ofApps, now)) >= MAX_APP_KEYS) throw tooMany()
      await store.insertKey(tx, {
        ...{ id, account_id, client_id, name, expires_at, created_at: now },
        scopes: scopes.join(' '),
        // No key has this hash.
        hash: id,
        hint: '',
        last_used_at: null,
        revoked_at: null,
        page_ids: null,
        confirmed_only: 0,
      })
      return id
    },
    /** The key of an app and its account, while it is in force. */
    async findAppKey(id: string, db: Db = read) {
      const holder = await store.findKeyHolder(db, { id })
      if (holder === undefined || !isInForce(holder.key, clock.now())) return undefined
      recordUse(holder.key)
      return { account: withPlan(holder.account), key: holder.key }
    },
    extendAppKey: store.setKeyEnd,
    endAppKey: (tx: Tx, id: string) => store.revokeKey(tx, { id, accountId: null }, clock.now()),
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

function tooMany() {
  return refuse.conflict(
    'too_many_keys',
    `${MAX_APP_KEYS} apps are connected to the account, as many as may: disconnect one first.`,
    { limit: MAX_APP_KEYS },
  )
}
