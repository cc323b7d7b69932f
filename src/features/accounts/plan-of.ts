import type { Account } from '../../model/account.ts'
import type { Plans } from '../../model/plan.ts'
import type { StoredAccount } from './account-row.ts'

/** Adds what its plan gives an account. */
export type WithPlan = <T extends StoredAccount>(account: T) => T & Account

export function createWithPlan(plans: Plans): WithPlan {
  return (account) => {
    const { name, price, limits } = plans[account.plan]
    return { ...account, plan_name: name, plan_price: price, limits }
  }
}
