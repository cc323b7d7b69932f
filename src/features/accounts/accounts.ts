import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { type Account, assertNotSuspended, storageReached } from '../../model/account.ts'
import type { ArchivedBrand } from '../../model/archive.ts'
import { LOGO_PATH } from '../../model/brand.ts'
import { refuse } from '../../model/errors.ts'
import type { Plan, Plans } from '../../model/plan.ts'
import { parseEmail } from '../../model/text.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { lockUntilCommit } from '../../platform/db/leases.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { createApiKeys, guestAccount, insertKey, UNLIMITED } from './api-keys.ts'
import { MAX_SAVED_FILTERS, type SavedFilters, type updateAccount } from './contract.ts'
import { logoMime } from './logos/picture.ts'
import * as logos from './logos/store.ts'
import * as links from './setup-links/store.ts'
import * as store from './store.ts'
import { createWithPlan, type StoredAccount } from './store.ts'

type AccountChanges = z.output<typeof updateAccount.input>

/** From the commit on, every node reads the account's pages again. */
export type AnnouncePages = (tx: Tx, accountId: string) => Promise<void>

interface AccountDeps extends Pick<Services, 'database' | 'clock' | 'log'> {
  plans: Plans
}

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts({ database, clock, log, plans }: AccountDeps) {
  const withPlan = createWithPlan(plans)
  const lookups = createLookups(database, withPlan)
  const { getByEmail } = lookups

  async function addWithin(tx: Tx, input: NewAccount, isOperator: boolean): Promise<Account> {
    return withPlan(await insertAccount(tx, input, { isOperator, now: clock.now() }))
  }

  return {
    ...lookups,
    ...createApiKeys({ database, clock, log, withPlan, getByEmail }),
    ...createSetup({ database, clock }),
    ...createProfiles(database),
    /** @throws Refusal `bad_email` or `account_exists` */
    add: (input: NewAccount) => database.write((tx) => addWithin(tx, input, false)),
    /**
     * Adds the first account of the server, as its operator.
     *
     * @returns null if the server has an account already
     */
    addFirst: (input: NewAccount) =>
      database.write(async (tx) => {
        // Of two at once, the second sees the account of the first.
        await lockUntilCommit(tx, database.engine, 'first_account')
        if (await store.hasAccounts(tx, [])) return null
        return addWithin(tx, input, true)
      }),
    /** The same as `add`, as part of a larger transaction. */
    addWithin: (tx: Tx, input: NewAccount) => addWithin(tx, input, false),
    /** @throws Refusal `account_not_found` */
    async setPlan(email: string, plan: Plan) {
      const account = await getByEmail(email)
      await database.write((tx) => store.setPlan(tx, account.id, plan))
      return withPlan({ ...account, plan, is_guest: false })
    },
    /**
     * Makes the account an operator of the server, or no longer one. The last operator stays.
     *
     * @throws Refusal `account_not_found`, `guest_account` or `last_operator`
     */
    async setOperator(email: string, isOperator: boolean) {
      const account = await getByEmail(email)
      if (isOperator && account.is_guest) throw guestAccount(account.email)
      await database.write(async (tx) => {
        if (!isOperator) await assertOtherOperator(tx, account)
        await store.setOperator(tx, account.id, isOperator)
      })
      return { ...account, is_operator: isOperator }
    },
    /** Locks the account until the transaction ends. @returns whether it is there */
    lock: store.lockAccount,
    /**
     * Counts what is stored for an account, in the transaction that stores it, and as less than 0
     * what is deleted.
     *
     * @throws Refusal `quota_reached` where it would have more than its plan allows; `bad_key`
     *   where it was deleted meanwhile, with its pages
     */
    async addStored(tx: Tx, id: string, bytes: number) {
      const row = bytes === 0 ? undefined : await store.addStoredBytes(tx, [id, bytes])
      if (row === undefined || bytes < 0) return
      if (row.deleted_at !== null) throw deleted()
      const plan = row.plan as Plan
      const { name, limits } = plans[plan]
      if (row.stored_bytes <= limits.stored_bytes) return
      const growth = { used: row.stored_bytes - bytes, needed: bytes }
      throw storageReached({ plan, plan_name: name, limits }, growth)
    },
    /** Finds or creates the account of an address. Upgrades a guest who may have a full one. */
    async findOrCreate(tx: Tx, person: Pick<Account, 'email' | 'plan' | 'is_guest'>) {
      await store.insertAccount(tx, { ...newAccount(person), created_at: clock.now() })
      const account = (await store.findAccountByEmail(tx, person.email))!
      if (!account.is_guest || person.is_guest) return withPlan(account)
      await store.setPlan(tx, account.id, person.plan)
      return withPlan({ ...account, plan: person.plan, is_guest: false })
    },
  }
}

/** Finds accounts. */
function createLookups({ read }: Database, withPlan: store.WithPlan) {
  async function findByEmail(email: string, db: Db = read): Promise<Account | null> {
    const account = await store.findAccountByEmail(db, parseEmail(email) ?? email)
    return account === undefined ? null : withPlan(account)
  }

  async function getByEmail(email: string): Promise<Account> {
    const account = await findByEmail(email)
    if (account !== null) return account
    throw refuse.notFound('account_not_found', `There is no account ${email}.`)
  }

  return {
    /** Accounts whose address or name contains this text, the newest first. */
    async search(query: store.AccountQuery) {
      const search = query.search.trim().toLowerCase()
      return (await store.searchAccounts(read, { ...query, search })).map(withPlan)
    },
    count: () => store.countAccounts(read, []),
    list: async () => (await store.listAccounts(read)).map(withPlan),
    async find(id: string, db: Db = read) {
      const account = await store.findAccount(db, id)
      return account === undefined ? null : withPlan(account)
    },
    /** The owner of a page, as mails present them. */
    async owner(id: string, db: Db = read) {
      const account = await store.findAccount(db, id)
      return account === undefined ? null : { ...account, ...(await store.findBrand(db, id)) }
    },
    findByEmail,
    /** @throws Refusal `account_not_found` */
    getByEmail,
    /**
     * For work that takes long: its account may be deleted or suspended meanwhile, its key revoked.
     *
     * @throws Refusal `bad_key`, `account_suspended`
     */
    async assertActive(id: string, key?: { id: string } | null) {
      const account = await store.findAccount(read, id)
      if (account === undefined) throw deleted()
      assertNotSuspended(account)
      if (key && (await store.findKeyHolder(read, { id: key.id })) === undefined) {
        throw refuse.unauthenticated('bad_key', 'This API key was revoked.')
      }
    },
    hasAny: (db: Db = read) => store.hasAccounts(db, []),
    firstAt: async () => (await store.findFirst(read, []))?.created_at ?? null,
  }
}

/** What the owner of an account chooses: name, brand, mails, saved filters. */
function createProfiles(database: Database) {
  const { read } = database

  async function update(id: string, changes: AccountChanges, announcePages: AnnouncePages) {
    const { logo_base64: base64, saved_filters: filters, ...values } = changes
    const logo = base64 == null ? base64 : await logoOf(base64)
    const logoId = logo === undefined ? {} : { logo_id: logo?.id ?? null }
    const isSeen = [values.name, values.accent, logo].some((value) => value !== undefined)
    await database.write(async (tx) => {
      // A deletion of the account waits, or is over.
      if (!(await store.lockAccount(tx, id))) throw deleted()
      const savedFilters =
        filters && changeSaved((await store.findDetails(tx, id))!.saved_filters, filters)
      const filterColumns = savedFilters && { saved_filters: JSON.stringify(savedFilters) }
      await store.updateAccount(tx, id, { ...values, ...logoId, ...filterColumns })
      if (logo === null) await logos.deleteLogo(tx, [id])
      else if (logo !== undefined) await logos.putLogo(tx, { account_id: id, ...logo })
      if (isSeen) await announcePages(tx, id)
    })
  }

  return {
    /** @throws Refusal `bad_key` where the account was deleted in the meantime */
    async details(id: string) {
      const details = await store.findDetails(read, id)
      if (details !== undefined) return details
      throw deleted()
    },
    /** Changes the settings that its owner may change. */
    update,
    /** Accent and logo, as an export has them. */
    async archivedBrand(id: string) {
      const { accent, logo } = await store.findBrand(read, id)
      const picture = logo && (await logos.findLogo(read, [logo.slice(LOGO_PATH.length)]))
      const data = picture && Buffer.from(picture.data).toString('base64')
      return { accent, logo_base64: data ?? null }
    },
    /** Takes over from an export what the account has none of. */
    async takeBrand(id: string, brand: ArchivedBrand, announcePages: AnnouncePages) {
      const own = await store.findBrand(read, id)
      const hasLogo = brand.logo_base64 !== null && (await isLogo(brand.logo_base64))
      const changes = {
        ...(own.name === null && brand.name !== null && { name: brand.name }),
        ...(own.accent === null && brand.accent !== null && { accent: brand.accent }),
        ...(own.logo === null && hasLogo && { logo_base64: brand.logo_base64 }),
      }
      if (Object.keys(changes).length > 0) await update(id, changes, announcePages)
    },
    /** The picture of a logo's address, while its account has it and may show it. */
    async logo(id: string) {
      const logo = await logos.findLogo(read, [id])
      const owner = logo && (await store.findAccount(read, logo.account_id))
      return owner?.suspended_at === null ? logo! : null
    },
    /** Whether its owner wants mails about what happens on their pages. */
    wantsPageMails: async (tx: Tx, id: string) =>
      (await store.findDetails(tx, id))?.page_mails === true,
  }
}

/** @throws Refusal `bad_logo` */
async function logoOf(base64: string) {
  const data = Buffer.from(base64, 'base64')
  return { id: sha256(data).slice(0, 32), mime: await logoMime(data), data }
}

const isLogo = (base64: string) =>
  logoOf(base64).then(
    () => true,
    () => false,
  )

function deleted() {
  return refuse.unauthenticated('bad_key', 'This account was deleted.')
}

/** Two at once come one after the other. @throws Refusal `last_operator` */
export async function assertOtherOperator(
  tx: Tx,
  { id, email }: Pick<Account, 'id' | 'email'>,
): Promise<void> {
  const operators = await store.lockOperators(tx)
  if (operators.length !== 1 || operators[0] !== id) return
  const message =
    `${email} is the only operator of this server. ` +
    'Make another one first: handbill account operator EMAIL'
  throw refuse.conflict('last_operator', message)
}

const LINK_MS = 24 * 60 * 60 * 1000

/** The one-time link by which a new server gets its first account. */
function createSetup({ database, clock }: Pick<Services, 'database' | 'clock'>) {
  async function setUpWithin(tx: Tx, token: string, input: NewAccount) {
    const now = clock.now()
    await lockUntilCommit(tx, database.engine, 'first_account')
    const isValid = await links.isSetupLink(tx, [sha256(token), now])
    await links.deleteSetupLinks(tx, [])
    if (!isValid || (await store.hasAccounts(tx, []))) {
      throw refuse.notFound('setup_link_gone', 'This set-up link has been used or has expired.')
    }
    const account = await insertAccount(tx, input, { isOperator: true, now })
    return { account, key: await insertKey(tx, { ...UNLIMITED, account, name: 'first key', now }) }
  }

  return {
    /** Creates a token for making the first account. It expires after a day, or with first use. */
    async createSetupLink() {
      const token = randomBytes(32).toString('base64url')
      const [now, expiresAt] = [clock.now(), clock.after(LINK_MS)]
      const row = { hash: sha256(token), created_at: now, expires_at: expiresAt }
      await database.write((tx) => links.insertSetupLinks(tx, [row]))
      return token
    },
    isSetupLink: (token: string) => links.isSetupLink(database.read, [sha256(token), clock.now()]),
    /**
     * Creates the first account, which is an operator, and its first key.
     *
     * @throws Refusal `setup_link_gone`
     */
    setUp(token: string, input: NewAccount, tx?: Tx) {
      const setUp = (tx: Tx) => setUpWithin(tx, token, input)
      return tx === undefined ? database.write(setUp) : setUp(tx)
    },
  }
}

interface NewAccount {
  email: string
  name?: string | null
  plan: Plan
}

/**
 * Inserts an account, or makes a guest a full one.
 *
 * @throws Refusal `bad_email` or `account_exists`
 */
async function insertAccount(
  tx: Tx,
  { email: emailInput, name, plan }: NewAccount,
  { isOperator, now }: { isOperator: boolean; now: Timestamp },
): Promise<StoredAccount> {
  const email = parseEmail(emailInput)
  if (email === null) {
    throw refuse.invalid('bad_email', `${emailInput} is not an email address.`, { param: 'email' })
  }
  const guest = await store.findAccountByEmail(tx, email)
  if (guest?.is_guest === true) {
    await store.setPlan(tx, guest.id, plan)
    if (name) await store.updateAccount(tx, guest.id, { name })
    return { ...guest, name: name || guest.name, plan, is_guest: false }
  }
  const account = newAccount({ email, plan, name: name || null, is_operator: isOperator })
  if (await store.insertAccount(tx, { ...account, created_at: now })) return account
  throw refuse.conflict('account_exists', `There is an account ${email} already.`)
}

function newAccount(
  person: Pick<StoredAccount, 'email' | 'plan'> & Partial<StoredAccount>,
): StoredAccount {
  const none = { name: null, is_operator: false, is_guest: false, suspended_at: null }
  return { id: newId('acc'), ...none, stored_bytes: 0, ...person }
}

/** Filters under a name; null: no longer. */
export type SavedFiltersChange = NonNullable<AccountChanges['saved_filters']>[number]

/**
 * Stores filters under their names, and keeps all others.
 *
 * @returns all of the account, by name
 * @throws Refusal `too_many_saved_filters`
 */
export function changeSaved(
  current: readonly SavedFilters[],
  changes: readonly SavedFiltersChange[],
): SavedFilters[] {
  const byName = new Map([...current, ...changes].map(({ name, filters }) => [name, filters]))
  const all = [...byName].flatMap(([name, filters]) => (filters === null ? [] : { name, filters }))
  if (all.length <= MAX_SAVED_FILTERS) return all.sort((a, b) => (a.name < b.name ? -1 : 1))
  throw refuse.conflict(
    'too_many_saved_filters',
    `An account saves the filters of ${MAX_SAVED_FILTERS} views. Delete one first.`,
  )
}
