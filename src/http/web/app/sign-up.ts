import type { Accounts } from '../../../features/accounts/index.ts'
import type { Account } from '../../../model/account.ts'
import type { Plan } from '../../../model/plan.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'

/** Which addresses can create an account by confirming themselves. Null: none. */
export type SignUpMode = 'open' | 'invite' | 'closed' | null

/** How an address may sign in: to an account, as a guest of pages, or not at all. */
export type Standing = 'account' | 'guest' | 'none'

export interface Invitation {
  /** Some page invites the address. */
  isInvited: boolean
  /** One of these pages requires that its visitors sign in. */
  mustSignIn: boolean
}

export interface SignUpDeps {
  accounts: Accounts
  signup: SignUpMode
  invitationOf(email: string, db?: Db): Promise<Invitation>
}

export type StandingOf = (email: string, db?: Db) => Promise<Standing>

/**
 * Decides how an address may sign in. It runs the same queries for every address, so that the
 * response time does not show which addresses have accounts.
 */
export function createStandingOf({ accounts, signup, invitationOf }: SignUpDeps): StandingOf {
  return async (email, db) => {
    const account = await accounts.findByEmail(email, db)
    const { isInvited, mustSignIn } = await invitationOf(email, db)
    const maySignUp = signup === 'open' || (signup === 'invite' && isInvited)
    if (maySignUp || account?.is_guest === false) return 'account'
    // The owner of a page decides who opens it, independently of the server's rule.
    return account !== null || mustSignIn ? 'guest' : 'none'
  }
}

/** Finds or creates the account of a proved address. null: it may not sign in. */
export type Admit = (tx: Tx, email: string) => Promise<Account | null>

export interface AdmitDeps {
  accounts: Accounts
  standingOf: StandingOf
  defaultPlan: Plan
}

/** Decides again how the address may sign in: its invitation may have ended since it was asked. */
export function createAdmit({ accounts, standingOf, defaultPlan }: AdmitDeps): Admit {
  return async (tx, email) => {
    const standing = await standingOf(email, tx)
    if (standing === 'none') return null
    return accounts.findOrCreate(tx, { email, plan: defaultPlan, is_guest: standing === 'guest' })
  }
}
