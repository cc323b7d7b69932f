import { type SqlBool, sql } from 'kysely'
import type { Accent } from '../../model/accent.ts'
import type { Account, ApiKey, KeyLimits, RequestKey, Scope } from '../../model/account.ts'
import { type Brand, LOGO_PATH, NO_BRAND } from '../../model/brand.ts'
import type { Plan, Plans } from '../../model/plan.ts'
import { rowsInto } from '../../platform/db/chunks.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { prepared, preparedRows, raw, rawExists } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { SavedFilters } from './contract.ts'

/** @returns false where the address has an account already: then it inserts nothing */
export async function insertAccount(tx: Tx, account: DatedAccount): Promise<boolean> {
  const insert = tx.insertInto('accounts').values(rowOf(account))
  const once = insert.onConflict((conflict) => conflict.column('email').doNothing())
  return (await once.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows! > 0n
}

export async function findAccount(db: Db, id: string): Promise<StoredAccount | undefined> {
  const row = await openIn(db).where('id', '=', id).executeTakeFirst()
  return row && accountOf(row)
}

/** Those that are not marked as deleted. */
const openIn = (db: Db) => db.selectFrom('accounts').selectAll().where('deleted_at', 'is', null)

export async function findAccountByEmail(
  db: Db,
  email: string,
): Promise<StoredAccount | undefined> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst()
  return row && accountOf(row)
}

export async function listAccounts(db: Db): Promise<DatedAccount[]> {
  const rows = await openIn(db).orderBy('created_at').execute()
  return rows.map((row) => ({ ...accountOf(row), created_at: row.created_at }))
}

export interface AccountQuery {
  /** Part of an address or of a name, in lower case. */
  search: string
  limit: number
  offset: number
}

/** Accounts of the server, the newest first. */
export async function searchAccounts(
  db: Db,
  { search, limit, offset }: AccountQuery,
): Promise<DatedAccount[]> {
  const pattern = `%${search.replace(/[%_!]/g, (wild) => `!${wild}`)}%`
  const rows = await openIn(db)
    .where(
      sql<SqlBool>`(email LIKE ${pattern} ESCAPE '!' OR lower(name) LIKE ${pattern} ESCAPE '!')`,
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({ ...accountOf(row), created_at: row.created_at }))
}

export async function countAccounts(db: Db): Promise<{ accounts: number; guests: number }> {
  const counts = await db
    .selectFrom('accounts')
    .select((eb) => [eb.fn.countAll().as('all'), eb.fn.sum('is_guest').as('guests')])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const guests = Number(counts.guests ?? 0)
  return { accounts: Number(counts.all) - guests, guests }
}

export const hasAccounts = rawExists<[]>('SELECT 1 FROM accounts LIMIT 1')

/** Sets the plan of a full account: a guest becomes one. */
export async function setPlan(tx: Tx, id: string, plan: Plan): Promise<void> {
  await tx.updateTable('accounts').set({ plan, is_guest: 0 }).where('id', '=', id).execute()
}

/**
 * Locks the operators, so that of two concurrent removals the second sees the result of the first.
 *
 * @returns those who can act: a suspended one cannot
 */
export async function lockOperators(tx: Tx): Promise<string[]> {
  const update = tx.updateTable('accounts').set({ is_operator: 1 }).where('is_operator', '=', 1)
  const operators = await update.returning(['id', 'suspended_at']).execute()
  return operators.flatMap(({ id, suspended_at }) => (suspended_at === null ? id : []))
}

export async function setOperator(tx: Tx, id: string, isOperator: boolean): Promise<void> {
  const values = { is_operator: isOperator ? 1 : 0 }
  await tx.updateTable('accounts').set(values).where('id', '=', id).execute()
}

export async function findDetails(db: Db, id: string) {
  const row = await db
    .selectFrom('accounts')
    .select(['created_at', 'page_mails', 'accent', 'logo_id', 'saved_filters'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { created_at, page_mails, logo_id } = row
  const accent = row.accent as Accent | null
  const filters: SavedFilters[] = JSON.parse(row.saved_filters ?? '[]')
  const details = { created_at, page_mails: page_mails === 1, accent, logo: logoPath(logo_id) }
  return { ...details, saved_filters: filters }
}

const selectBrand = raw<Pick<Tables['accounts'], 'name' | 'accent' | 'logo_id'>>(
  'SELECT name, accent, logo_id FROM accounts WHERE id = $1 AND deleted_at IS NULL',
)

export async function findBrand(db: Db, id: string): Promise<Brand> {
  const [row] = await selectBrand(db, [id])
  if (row === undefined) return NO_BRAND
  return { name: row.name, accent: row.accent as Accent | null, logo: logoPath(row.logo_id) }
}

const logoPath = (id: string | null) => id && LOGO_PATH + id

interface AccountUpdate {
  name?: string | null | undefined
  page_mails?: boolean | undefined
  accent?: Accent | null | undefined
  logo_id?: string | null | undefined
  saved_filters?: string | undefined
}

export async function updateAccount(
  tx: Tx,
  id: string,
  { page_mails, ...changes }: AccountUpdate,
): Promise<void> {
  const mails = page_mails !== undefined && { page_mails: page_mails ? 1 : 0 }
  const values = { ...changes, ...mails }
  if (Object.values(values).every((value) => value === undefined)) return
  await tx.updateTable('accounts').set(values).where('id', '=', id).execute()
}

/** What an account stores more than before, or less. */
export interface Growth {
  id: string
  bytes: number
}

/**
 * Adds to what these accounts store. It locks them until the transaction ends, so that of two at
 * once the second adds to the sum of the first. No id may be in two rows.
 *
 * @returns the sum of each, the plan that it may reach, and whether it is deleted
 */
export const addStoredBytes = preparedRows((tx: Tx, rows: readonly Growth[]) =>
  tx
    .updateTable('accounts')
    .set({
      stored_bytes: sql<number>`stored_bytes + CASE id ${sql.join(rows.map(whenId), sql` `)} END`,
    })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .returning(['id', 'stored_bytes', 'plan', 'deleted_at']),
)
const whenId = ({ id, bytes }: Growth) => sql`WHEN ${id} THEN CAST(${bytes} AS bigint)`

/** Locks the account until the transaction ends. @returns whether it is there */
export async function lockAccount(tx: Tx, id: string): Promise<boolean> {
  const locked = await tx
    .updateTable('accounts')
    .set((eb) => ({ plan: eb.ref('plan') }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return locked !== undefined
}

/**
 * Marks the account as deleted, and erases its name and address. A new account can use the address.
 *
 * @returns false where it is marked already
 */
export async function closeAccount(tx: Tx, id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ email: `${id}@deleted.invalid`, name: null, is_operator: 0, deleted_at: now })
    .set(NOTHING_CHOSEN)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @param at null ends the suspension @returns false where nothing changes */
export async function setSuspended(tx: Tx, id: string, at: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ suspended_at: at })
    .where('id', '=', id)
    .where('suspended_at', at === null ? 'is not' : 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** SQL for queries of other features: when an account was suspended. @param id a column */
export function suspendedAt(id: string): string {
  return `(SELECT suspended_at FROM accounts WHERE accounts.id = ${id})`
}

/** SQL for queries of other features: whether an API key is in force. @param id a column */
export function isInForce(id: string, now: string): string {
  return `EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = ${id}
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}))`
}

/** Accounts that are marked as deleted and still have their row. */
export async function listClosedAccounts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('deleted_at', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes the row of an account whose other data is deleted. */
export async function deleteAccount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', id).where('deleted_at', 'is not', null).execute()
}

export async function deleteKeys(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('api_keys').where('account_id', '=', accountId).execute()
}

/** Keys that are in force: those of apps, or those that its owner made. */
export async function countActiveKeys(
  db: Db,
  { accountId, isApp }: { accountId: string; isApp: boolean },
  now: string,
): Promise<number> {
  const { keys } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll().as('keys'))
    .where('account_id', '=', accountId)
    .where('client_id', isApp ? 'is not' : 'is', null)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(keys)
}

export const insertKeys = rowsInto('api_keys')

export async function listKeys(db: Db, accountId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'hint', 'created_at', 'last_used_at', 'revoked_at', ...LIMITS])
    .select('client_id')
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ ...row, ...limitsOf(row) }))
}

const LIMITS = ['scopes', 'page_ids', 'expires_at', 'confirmed_only'] as const

function limitsOf(row: Pick<Tables['api_keys'], (typeof LIMITS)[number]>): KeyLimits {
  return {
    scopes: row.scopes.split(' ') as Scope[],
    page_ids: row.page_ids?.split(' ') ?? null,
    expires_at: row.expires_at,
    confirmed_only: row.confirmed_only === 1,
  }
}

/** @param key `accountId` is null for a key of any account */
export async function revokeKey(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string | null },
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)) }))
    .where('id', '=', id)
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export interface KeyHolder {
  account: StoredAccount
  key: RequestKey & { last_used_at: string | null }
}

const holders = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'accounts.plan'])
    .select(['accounts.is_operator', 'accounts.is_guest', 'accounts.suspended_at', 'stored_bytes'])
    .select(['api_keys.id as key_id', 'api_keys.name as key_name', 'api_keys.last_used_at'])
    .select([...LIMITS, 'client_id' as const].map((name) => `api_keys.${name}` as const))
    .where('api_keys.revoked_at', 'is', null)

const selectByHash = prepared((db: Db, { hash }: { hash: string }) =>
  holders(db).where('api_keys.hash', '=', hash),
)
const selectById = prepared((db: Db, { id }: { id: string }) =>
  holders(db).where('api_keys.id', '=', id),
)

export async function findKeyHolder(
  db: Db,
  by: { hash: string } | { id: string },
): Promise<KeyHolder | undefined> {
  const { rows } = await ('hash' in by ? selectByHash(db, by) : selectById(db, by))
  const [row] = rows
  if (row === undefined) return undefined
  const { key_id: id, key_name: name, last_used_at, client_id } = row
  const key = { id, name, last_used_at, client_id, ...limitsOf(row) }
  return { account: accountOf(row), key }
}

export async function setKeyEnd(tx: Tx, id: string, at: string): Promise<void> {
  await tx.updateTable('api_keys').set({ expires_at: at }).where('id', '=', id).execute()
}

export async function updateLastUsed(tx: Tx, id: string, at: string): Promise<void> {
  await tx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** An account without what its plan gives it. */
export type StoredAccount = Omit<Account, 'plan_name' | 'plan_price' | 'limits'>
export type DatedAccount = StoredAccount & { created_at: string }

type AccountColumns = Omit<
  Tables['accounts'],
  'created_at' | 'page_mails' | 'deleted_at' | 'accent' | 'logo_id' | 'saved_filters'
>

export function accountOf(row: AccountColumns): StoredAccount {
  const { id, email, name, plan, is_operator, is_guest } = row
  return {
    id,
    email,
    name,
    plan: plan as Plan,
    is_operator: is_operator === 1,
    is_guest: is_guest === 1,
    suspended_at: row.suspended_at,
    stored_bytes: row.stored_bytes,
  }
}

/** What the owner of an account may choose, and a deleted one has no longer. */
const NOTHING_CHOSEN = { accent: null, logo_id: null, saved_filters: null }

export function rowOf(account: DatedAccount): Tables['accounts'] {
  const { is_operator, is_guest } = account
  const flags = { is_operator: is_operator ? 1 : 0, is_guest: is_guest ? 1 : 0, page_mails: 1 }
  return { ...account, ...flags, ...NOTHING_CHOSEN, deleted_at: null }
}

/** Adds what its plan gives an account. */
export type WithPlan = <T extends StoredAccount>(account: T) => T & Account

export function createWithPlan(plans: Plans): WithPlan {
  return (account) => {
    const { name, price, limits } = plans[account.plan]
    return { ...account, plan_name: name, plan_price: price, limits }
  }
}
