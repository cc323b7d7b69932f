import type { Account } from '../../model/account.ts'
import type { Plan, Plans } from '../../model/plan.ts'
import type { AccountsTable } from '../../platform/db/account-tables.ts'

/** An account without what its plan gives it. */
export type StoredAccount = Omit<Account, 'plan_name' | 'plan_price' | 'limits'>
export type DatedAccount = StoredAccount & { created_at: string }

type AccountColumns = Omit<AccountsTable, 'created_at' | 'page_mails' | 'deleted_at'>

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

export function rowOf(account: DatedAccount): AccountsTable {
  const { is_operator, is_guest } = account
  const flags = { is_operator: is_operator ? 1 : 0, is_guest: is_guest ? 1 : 0, page_mails: 1 }
  return { ...account, ...flags, deleted_at: null }
}

/** Adds what its plan gives an account. */
export type WithPlan = <T extends StoredAccount>(account: T) => T & Account

export function createWithPlan(plans: Plans): WithPlan {
  return (account) => {
    const { name, price, limits } = plans[account.plan]
    return { ...account, plan_name: name, plan_price: price, limits }
  }
}
