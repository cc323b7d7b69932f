import type { Accent } from '../../model/accent.ts'
import type { Account, ApiKey, KeyLimits, RequestKey, Scope } from '../../model/account.ts'
import { type Brand, LOGO_PATH, NO_BRAND } from '../../model/brand.ts'
import type { Paging } from '../../model/paging.ts'
import type { Plan, Plans } from '../../model/plan.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import {
  raw,
  rawChange,
  rawCount,
  rawExists,
  rawOne,
  rawRow,
  rawWrite,
} from '../../platform/db/raw.ts'
import {
  deleteBy,
  insertOnceInto,
  rowBy,
  rowsBy,
  rowsInto,
  updateBy,
} from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { SavedFilters } from './contract.ts'

/** @returns false where the address has an account already: then it inserts nothing */
export const insertAccount = (tx: Tx, account: DatedAccount) => insertOnce(tx, rowOf(account))
const insertOnce = insertOnceInto('accounts')

export async function findAccount(db: Db, id: string): Promise<StoredAccount | undefined> {
  const row = await selectOpen(db, [id])
  return row && accountOf(row)
}
const SELECT_OPEN = 'SELECT * FROM accounts WHERE deleted_at IS NULL'
const selectOpen = rawRow<Tables['accounts'], [id: string]>(`${SELECT_OPEN} AND id = $1`)

export async function findAccountByEmail(
  db: Db,
  email: string,
): Promise<StoredAccount | undefined> {
  const row = await selectByEmail(db, [email])
  return row && accountOf(row)
}
const selectByEmail = rowBy('accounts', ['email'])

export const listAccounts = async (db: Db) => (await selectAllOpen(db, [])).map(datedAccountOf)
const selectAllOpen = raw<Tables['accounts'], []>(`${SELECT_OPEN} ORDER BY created_at`)

export interface AccountQuery extends Paging {
  /** Part of an address or of a name, in lower case. */
  search: string
}

/** Accounts of the server, the newest first. */
export async function searchAccounts(
  db: Db,
  { search, limit, offset }: AccountQuery,
): Promise<DatedAccount[]> {
  const pattern = `%${search.replace(/[%_!]/g, (wild) => `!${wild}`)}%`
  return (await selectFound(db, [pattern, limit, offset])).map(datedAccountOf)
}
const selectFound = raw<Tables['accounts'], [pattern: string, limit: number, offset: number]>(`
  ${SELECT_OPEN} AND (email LIKE $1 ESCAPE '!' OR lower(name) LIKE $1 ESCAPE '!')
  ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`)

export const countAccounts = rawOne<{ accounts: number; guests: number }, []>(`
  SELECT coalesce(sum(1 - is_guest), 0) AS accounts, coalesce(sum(is_guest), 0) AS guests
  FROM accounts WHERE deleted_at IS NULL`)

export const hasAccounts = rawExists<[]>('SELECT 1 FROM accounts LIMIT 1')

export const findFirst = rawRow<Pick<Tables['accounts'], 'created_at'>, []>(
  'SELECT created_at FROM accounts ORDER BY created_at LIMIT 1',
)

const update = updateBy('accounts', 'id')

/** Sets the plan of a full account: a guest becomes one. */
export const setPlan = (tx: Tx, id: string, plan: Plan) => update(tx, [id], { plan, is_guest: 0 })

/**
 * Locks the operators, so that of two concurrent removals the second sees the result of the first.
 *
 * @returns those who can act: a suspended one cannot
 */
export async function lockOperators(tx: Tx): Promise<string[]> {
  const operators = await lockRows(tx, [])
  return operators.flatMap(({ id, suspended_at }) => (suspended_at === null ? id : []))
}
const lockRows = rawWrite<[], Pick<Tables['accounts'], 'id' | 'suspended_at'>>(`
  UPDATE accounts SET is_operator = 1 WHERE is_operator = 1 RETURNING id, suspended_at`)

export const setOperator = (tx: Tx, id: string, isOperator: boolean) =>
  update(tx, [id], { is_operator: isOperator ? 1 : 0 })

const selectById = rowBy('accounts', ['id'])

export async function findDetails(db: Db, id: string) {
  const row = await selectById(db, [id])
  if (row === undefined) return undefined
  const { created_at, page_mails, accent, logo_id } = row
  const saved_filters: SavedFilters[] = JSON.parse(row.saved_filters ?? '[]')
  const logo = logoPath(logo_id)
  return { created_at, page_mails: page_mails === 1, accent, logo, saved_filters }
}

const selectBrand = raw<Pick<Tables['accounts'], 'name' | 'accent' | 'logo_id'>>(
  'SELECT name, accent, logo_id FROM accounts WHERE id = $1 AND deleted_at IS NULL',
)

export async function findBrand(db: Db, id: string): Promise<Brand> {
  const [row] = await selectBrand(db, [id])
  if (row === undefined) return NO_BRAND
  return { name: row.name, accent: row.accent, logo: logoPath(row.logo_id) }
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
  await update(tx, [id], values)
}

/**
 * Adds to what an account stores. It locks it until the transaction ends, so that of two at once
 * the second adds to the sum of the first.
 *
 * @returns the sum, the plan that it may reach, and whether the account is deleted
 */
export const addStoredBytes = rawRow<
  Pick<Tables['accounts'], 'stored_bytes' | 'plan' | 'deleted_at'>,
  [id: string, bytes: number]
>(`
  UPDATE accounts SET stored_bytes = stored_bytes + $2 WHERE id = $1
  RETURNING stored_bytes, plan, deleted_at`)

/** Locks the account until the transaction ends. @returns whether it is there */
export const lockAccount = (tx: Tx, id: string): Promise<boolean> => lockOpen(tx, [id])
const lockOpen = rawChange<[id: string]>(
  'UPDATE accounts SET plan = plan WHERE id = $1 AND deleted_at IS NULL RETURNING id',
)

/**
 * Marks the account as deleted, and erases its name and address. A new account can use the address.
 *
 * @returns false where it is marked already
 */
export const closeAccount = rawChange<[id: string, at: string, unusedEmail: string]>(`
  UPDATE accounts SET email = $3, name = NULL, is_operator = 0, deleted_at = $2,
    accent = NULL, logo_id = NULL, saved_filters = NULL
  WHERE id = $1 AND deleted_at IS NULL RETURNING id`)

/** @param at null ends the suspension @returns false where nothing changes */
export const setSuspended = (tx: Tx, id: string, at: string | null): Promise<boolean> =>
  at === null ? endSuspension(tx, [id]) : suspend(tx, [id, at])
const suspend = rawChange<[id: string, at: string]>(`
  UPDATE accounts SET suspended_at = $2
  WHERE id = $1 AND suspended_at IS NULL AND deleted_at IS NULL RETURNING id`)
const endSuspension = rawChange<[id: string]>(`
  UPDATE accounts SET suspended_at = NULL
  WHERE id = $1 AND suspended_at IS NOT NULL AND deleted_at IS NULL RETURNING id`)

/**
 * SQL for queries of other features: when an account was suspended; '' while it is being deleted,
 * when nothing of it is served either. @param id a column
 */
export function suspendedAt(id: string): string {
  return `(SELECT CASE WHEN deleted_at IS NULL THEN suspended_at ELSE '' END
    FROM accounts WHERE accounts.id = ${id})`
}

/** SQL for queries of other features: whether an API key is in force. @param id a column */
export function isInForce(id: string, now: string): string {
  return `EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = ${id}
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}))`
}

/** Accounts that are marked as deleted and still have their row. */
export const listClosedAccounts = async (db: Db) => (await selectClosed(db, [])).map(({ id }) => id)
const selectClosed = raw<{ id: string }, []>('SELECT id FROM accounts WHERE deleted_at IS NOT NULL')

/** Deletes the row of an account whose other data is deleted. */
export const deleteAccount = rawWrite<[id: string]>(
  'DELETE FROM accounts WHERE id = $1 AND deleted_at IS NOT NULL',
)

export const deleteKeys = deleteBy('api_keys', 'account_id')

/** Keys that are in force: those of apps (1), or those that its owner made (0). */
export const countActiveKeys = rawCount<[accountId: string, isApp: 0 | 1, now: string]>(`
  SELECT count(*) AS count FROM api_keys
  WHERE account_id = $1 AND CASE WHEN client_id IS NULL THEN 0 ELSE 1 END = $2
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`)

export const insertKeys = rowsInto('api_keys')

const LIMITS = ['scopes', 'page_ids', 'expires_at', 'confirmed_only'] as const

export async function listKeys(db: Db, accountId: string): Promise<ApiKey[]> {
  const rows = await selectKeys(db, [accountId])
  return rows.map((row) => ({ ...row, ...limitsOf(row) }))
}
const selectKeys = rowsBy('api_keys', ['account_id'], {
  columns: [
    'id',
    'name',
    'hint',
    'created_at',
    'last_used_at',
    'revoked_at',
    ...LIMITS,
    'client_id',
  ],
  order: 'created_at',
})

function limitsOf(row: Pick<Tables['api_keys'], (typeof LIMITS)[number]>): KeyLimits {
  return {
    scopes: row.scopes.split(' ') as Scope[],
    page_ids: row.page_ids?.split(' ') ?? null,
    expires_at: row.expires_at,
    confirmed_only: row.confirmed_only === 1,
  }
}

/** The account is null for a key of any. */
export const revokeKey = rawChange<[id: string, accountId: string | null, at: string]>(`
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3)
  WHERE id = $1 AND account_id = coalesce($2, account_id) RETURNING id`)

export interface KeyHolder {
  account: StoredAccount
  key: RequestKey & { last_used_at: string | null }
}

interface HolderRow
  extends AccountColumns,
    Pick<Tables['api_keys'], (typeof LIMITS)[number] | 'last_used_at' | 'client_id'> {
  key_id: string
  key_name: string | null
}

const holderBy = (column: 'hash' | 'id') =>
  rawRow<HolderRow, [value: string]>(`
    SELECT accounts.id, email, accounts.name, plan, is_operator, is_guest, suspended_at,
      stored_bytes, api_keys.id AS key_id, api_keys.name AS key_name, last_used_at, client_id,
      ${LIMITS.join()}
    FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
    WHERE api_keys.${column} = $1 AND revoked_at IS NULL`)
const selectByHash = holderBy('hash')
const selectByKeyId = holderBy('id')

export async function findKeyHolder(
  db: Db,
  by: { hash: string } | { id: string },
): Promise<KeyHolder | undefined> {
  const row = await ('hash' in by ? selectByHash(db, [by.hash]) : selectByKeyId(db, [by.id]))
  if (row === undefined) return undefined
  const { key_id: id, key_name: name, last_used_at, client_id } = row
  const key = { id, name, last_used_at, client_id, ...limitsOf(row) }
  return { account: accountOf(row), key }
}

export const updateKey = updateBy('api_keys', 'id')

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
    plan,
    is_operator: is_operator === 1,
    is_guest: is_guest === 1,
    suspended_at: row.suspended_at,
    stored_bytes: row.stored_bytes,
  }
}

const datedAccountOf = (row: Tables['accounts']): DatedAccount => ({
  ...accountOf(row),
  created_at: row.created_at,
})

export function rowOf(account: DatedAccount): Tables['accounts'] {
  const { is_operator, is_guest } = account
  const flags = { is_operator: is_operator ? 1 : 0, is_guest: is_guest ? 1 : 0, page_mails: 1 }
  const unset = { accent: null, logo_id: null, saved_filters: null, deleted_at: null }
  return { ...account, ...flags, ...unset }
}

/** Adds what its plan gives an account. */
export type WithPlan = <T extends StoredAccount>(account: T) => T & Account

export function createWithPlan(plans: Plans): WithPlan {
  return (account) => {
    const { name, price, limits } = plans[account.plan]
    return { ...account, plan_name: name, plan_price: price, limits }
  }
}
