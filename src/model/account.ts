import { type Refusal, refuse } from './errors.ts'
import type { Limits, Plan } from './plan.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  plan: Plan
  /** As people read it. */
  plan_name: string
  plan_price: string | null
  /** Of its plan. */
  limits: Limits
  /** What it stored when it was read: all kept versions of all pages. */
  stored_bytes: number
  /** May call operations of the audience `operator`. */
  is_operator: boolean
  /** Opens pages that it is invited to, and publishes nothing: it has no API keys. */
  is_guest: boolean
  /** Since when nothing of it is served; null if it is not suspended. */
  suspended_at: string | null
}

export interface ApiKey {
  id: string
  name: string | null
  /** The first 7 and the last 4 characters. */
  hint: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

/** @throws Refusal `account_suspended` */
export function assertNotSuspended({ suspended_at }: Pick<Account, 'suspended_at'>) {
  if (suspended_at !== null) throw accountSuspended()
}

/** For those who proved that the account is theirs. */
function accountSuspended(): Refusal {
  return refuse.forbidden(
    'account_suspended',
    'The operator of this server suspended this account: nothing of it is served, and its keys ' +
      'and sessions are refused. Nothing was deleted. Ask the operator why, and to undo it.',
  )
}

/** For visitors of its pages. */
export function pageSuspended(): Refusal {
  return refuse.notFound(
    'not_published',
    'This page is not available: the account it belongs to is suspended.',
  )
}
