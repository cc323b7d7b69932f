import type { Accounts } from '../../../features/accounts/index.ts'

/** Who can create an account by confirming an address. Null: nobody. */
export type SignUpMode = 'open' | 'invite' | 'closed' | null

export interface SignUpDeps {
  accounts: Accounts
  signup: SignUpMode
  /** Whether the owner of some page invited the address. */
  isInvited(email: string): Promise<boolean>
}

export type MaySignIn = (email: string) => Promise<boolean>

/**
 * Whether an address has an account or may create one. It runs the same queries for every address,
 * so that the response time does not show which addresses have accounts.
 */
export function createMaySignIn({ accounts, signup, isInvited }: SignUpDeps): MaySignIn {
  return async (email) => {
    const [account, maySignUp] = await Promise.all([
      accounts.findByEmail(email),
      signup === 'invite' ? isInvited(email) : signup === 'open',
    ])
    return account !== null || maySignUp
  }
}
