import { randomBytes } from 'node:crypto'
import { refuse } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { lockUntilCommit } from '../../platform/db/advisory-lock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { StoredAccount } from './account-row.ts'
import { type CreatedKey, insertKey } from './api-keys.ts'
import { insertAccount, type NewAccount } from './new-account.ts'
import * as links from './setup-links/store.ts'
import * as store from './store.ts'

const LINK_MS = 24 * 60 * 60 * 1000

export interface SetupResult {
  account: StoredAccount
  key: CreatedKey
}

export interface Setup {
  /** Creates a token for making the first account. It expires after a day, or with first use. */
  createSetupLink(): Promise<string>
  isSetupLink(token: string): Promise<boolean>
  /**
   * Creates the first account, which is an operator, and its first key.
   *
   * @throws Refusal `setup_link_gone`
   */
  setUp(token: string, given: NewAccount, tx?: Tx): Promise<SetupResult>
}

export interface SetupDeps {
  database: Database
  clock: Clock
}

/** The one-time link by which a new server gets its first account. */
export function createSetup({ database, clock }: SetupDeps): Setup {
  async function setUpWithin(tx: Tx, token: string, given: NewAccount): Promise<SetupResult> {
    const now = clock.now()
    await lockUntilCommit(tx, database.engine, 'first_account')
    const link = await links.findSetupLink(tx, sha256(token), now)
    // The delete locks the rows, so of two requests at once the second deletes none.
    const deleted = await links.deleteSetupLinks(tx)
    if (link === undefined || !deleted.includes(link.hash) || (await store.hasAccounts(tx))) {
      throw refuse.notFound('setup_link_gone', 'This set-up link has been used or has expired.')
    }
    const account = await insertAccount(tx, given, { isOperator: true, now })
    return { account, key: await insertKey(tx, { account, name: 'first key', now }) }
  }

  return {
    async createSetupLink() {
      const token = randomBytes(32).toString('base64url')
      const [now, expiresAt] = [clock.now(), clock.after(LINK_MS)]
      const row = { hash: sha256(token), created_at: now, expires_at: expiresAt }
      await database.write((tx) => links.insertSetupLink(tx, row))
      return token
    },
    isSetupLink: async (token) =>
      (await links.findSetupLink(database.read, sha256(token), clock.now())) !== undefined,
    setUp(token, given, tx) {
      if (tx !== undefined) return setUpWithin(tx, token, given)
      return database.write((own) => setUpWithin(own, token, given))
    },
  }
}
