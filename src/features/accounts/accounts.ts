import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Plan } from '../../model/plan.ts'
import { parseEmail } from '../../model/text.ts'
import type { Clock } from '../../platform/clock.ts'
import { lockUntilCommit } from '../../platform/db/advisory-lock.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { type ApiKeys, createApiKeys, guestAccount } from './api-keys.ts'
import { insertAccount, type NewAccount } from './new-account.ts'
import { createSetup, type Setup } from './setup.ts'
import * as store from './store.ts'

export interface Accounts extends ApiKeys, Setup {
  /** @throws Refusal `bad_email` or `account_exists` */
  add(given: NewAccount): Promise<Account>
  /**
   * Adds the first account of the server, as its operator.
   *
   * @returns null if the server has an account already
   */
  addFirst(given: NewAccount): Promise<Account | null>
  /** The same as `add`, as part of a larger transaction. */
  addWithin(tx: Tx, given: NewAccount): Promise<Account>
  /** @throws Refusal `account_not_found` */
  setPlan(email: string, plan: Plan): Promise<Account>
  /**
   * Makes the account an operator of the server, or no longer one. The last operator stays.
   *
   * @throws Refusal `account_not_found`, `guest_account` or `last_operator`
   */
  setOperator(email: string, isOperator: boolean): Promise<Account>
  /** @throws Refusal `bad_key` where the account was deleted in the meantime */
  details(id: string): Promise<AccountDetails>
  /** Changes the settings that its owner may change. */
  update(id: string, changes: AccountChanges): Promise<void>
  /** Whether its owner wants mails about what happens on their pages. */
  wantsPageMails(tx: Tx, id: string): Promise<boolean>
  /** Accounts whose address or name contains this text, the newest first. */
  search(query: AccountQuery): Promise<(Account & { created_at: string })[]>
  count(): Promise<{ accounts: number; guests: number }>
  list(): Promise<(Account & { created_at: string })[]>
  find(id: string, db?: Db): Promise<Account | null>
  findByEmail(email: string, db?: Db): Promise<Account | null>
  /** Finds or creates the account of this address. Upgrades a guest who may have a full account. */
  findOrCreate(tx: Tx, given: ConfirmedAccount): Promise<Account>
  hasAny(db?: Db): Promise<boolean>
}

export type AccountQuery = store.AccountQuery

export interface AccountDetails {
  created_at: string
  page_mails: boolean
}

export interface AccountChanges {
  name?: string | null | undefined
  page_mails?: boolean | undefined
}

export interface ConfirmedAccount {
  email: string
  plan: Plan
  is_guest: boolean
}

export interface AccountDeps {
  database: Database
  clock: Clock
  log: Log
}

export function createAccounts({ database, clock, log }: AccountDeps): Accounts {
  const { read } = database

  async function findByEmail(email: string, db: Db = read): Promise<Account | null> {
    return (await store.findAccountByEmail(db, parseEmail(email) ?? email)) ?? null
  }

  async function getByEmail(email: string): Promise<Account> {
    const account = await findByEmail(email)
    if (account !== null) return account
    throw refuse.notFound('account_not_found', `There is no account ${email}.`)
  }

  return {
    ...createApiKeys({ database, clock, log, getByEmail }),
    ...createSetup({ database, clock }),
    add: (given) =>
      database.write((tx) => insertAccount(tx, given, { isOperator: false, now: clock.now() })),
    addFirst: (given) =>
      database.write(async (tx) => {
        // Of two at once, the second sees the account of the first.
        await lockUntilCommit(tx, database.engine, 'first_account')
        if (await store.hasAccounts(tx)) return null
        return insertAccount(tx, given, { isOperator: true, now: clock.now() })
      }),
    addWithin: (tx, given) => insertAccount(tx, given, { isOperator: false, now: clock.now() }),
    async setPlan(email, plan) {
      const account = await getByEmail(email)
      await database.write((tx) => store.setPlan(tx, account.id, plan))
      return { ...account, plan, is_guest: false }
    },
    async setOperator(email, isOperator) {
      const account = await getByEmail(email)
      if (isOperator && account.is_guest) throw guestAccount(account.email)
      await database.write(async (tx) => {
        const operators = await store.lockOperators(tx)
        if (!isOperator && operators.length === 1 && operators[0] === account.id) {
          throw lastOperator(account.email)
        }
        await store.setOperator(tx, account.id, isOperator)
      })
      return { ...account, is_operator: isOperator }
    },
    async details(id) {
      const details = await store.findDetails(read, id)
      if (details !== undefined) return details
      throw refuse.unauthenticated('bad_key', 'This account was deleted.')
    },
    async update(id, changes) {
      await database.write((tx) => store.updateAccount(tx, id, changes))
    },
    wantsPageMails: async (tx, id) => (await store.findDetails(tx, id))?.page_mails === true,
    search: (query) =>
      store.searchAccounts(read, { ...query, search: query.search.trim().toLowerCase() }),
    count: () => store.countAccounts(read),
    list: () => store.listAccounts(read),
    find: async (id, db = read) => (await store.findAccount(db, id)) ?? null,
    findByEmail,
    async findOrCreate(tx, given) {
      const account = { ...given, id: newId('acc'), name: null, is_operator: false }
      await store.insertAccountOnce(tx, { ...account, created_at: clock.now() })
      const found = (await store.findAccountByEmail(tx, given.email))!
      if (!found.is_guest || given.is_guest) return found
      await store.setPlan(tx, found.id, given.plan)
      return { ...found, plan: given.plan, is_guest: false }
    },
    hasAny: (db = read) => store.hasAccounts(db),
  }
}

export function lastOperator(email: string) {
  return refuse.conflict(
    'last_operator',
    `${email} is the only operator of this server. ` +
      'Make another one first: handbill account operator EMAIL',
  )
}
