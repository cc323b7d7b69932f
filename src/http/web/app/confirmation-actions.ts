import type { Accounts } from '../../../features/accounts/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import type { Plan } from '../../../model/plan.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { safeNext } from '../../kit/safe-next.ts'

export const SIGN_IN = 'sign_in'

export interface SignInDeps {
  database: Database
  accounts: Accounts
  sessions: Sessions
  cookies: Cookies
  baseUrl: string
  defaultPlan: Plan
  /** Who may make an account by confirming an address; null: nobody. */
  signup: 'open' | 'invite' | 'closed' | null
  /** Whether some page's owner invited the address. */
  isInvited(email: string): Promise<boolean>
}

/** Whether an address has an account or may make one. Asks the same for every address. */
export async function mayEnter(deps: SignInDeps, email: string): Promise<boolean> {
  const { accounts, signup } = deps
  const [account, mayJoin] = await Promise.all([
    accounts.findByEmail(email),
    signup === 'invite' ? deps.isInvited(email) : signup === 'open',
  ])
  return account !== null || mayJoin
}

export function signInAction(deps: SignInDeps): ConfirmationAction {
  const { database, accounts, sessions, cookies, baseUrl, defaultPlan } = deps
  const { host } = new URL(baseUrl)

  /** Asked again here: an invitation may have ended since. */
  async function accountFor(email: string): Promise<Account | null> {
    const account = await accounts.findByEmail(email)
    if (account !== null || !(await mayEnter(deps, email))) return account
    return database.write((tx) => accounts.ensure(tx, { email, plan: defaultPlan }))
  }

  return {
    async describe({ email }) {
      const isNew = (await accounts.findByEmail(email)) === null
      const made = isNew ? `This makes an account for ${email}, and` : 'This'
      return {
        title: isNew ? 'Make an account' : 'Sign in',
        text: `${made} signs this browser in to ${host}${isNew ? '' : ` as ${email}`}.`,
        button: isNew ? 'Make the account' : 'Sign in',
      }
    },
    async act({ email, details }, request) {
      const account = await accountFor(email)
      if (account === null) {
        throw refuse.forbidden('no_account', `There is no account for ${email} on this server.`)
      }
      const agent = request.headers.get('user-agent')
      const token = await database.write((tx) => sessions.create(tx, account.id, agent))
      const next = typeof details?.next === 'string' ? safeNext(details.next) : null
      return { location: next ?? '/app', cookies: [cookies.session(token)] }
    },
  }
}
