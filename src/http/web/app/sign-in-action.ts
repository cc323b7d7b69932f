import type { Accounts } from '../../../features/accounts/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import type { Plan } from '../../../model/plan.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { safeNext } from '../../kit/safe-next.ts'
import type { MaySignIn } from './sign-up.ts'

/** The `purpose` of a sign-in confirmation. */
export const SIGN_IN = 'sign_in'

export interface SignInActionDeps {
  database: Database
  accounts: Accounts
  sessions: Sessions
  cookies: Cookies
  maySignIn: MaySignIn
  host: string
  defaultPlan: Plan
}

/** Signs the browser in when a sign-in link or code is redeemed. */
export function createSignInAction({
  database,
  accounts,
  sessions,
  cookies,
  maySignIn,
  host,
  defaultPlan,
}: SignInActionDeps): ConfirmationAction {
  /** Checks again whether the address may sign up: its invitation may have ended since the mail. */
  async function findOrCreateAccount(email: string): Promise<Account | null> {
    const account = await accounts.findByEmail(email)
    if (account !== null || !(await maySignIn(email))) return account
    return database.write((tx) => accounts.findOrCreate(tx, { email, plan: defaultPlan }))
  }

  return {
    async describe({ email }) {
      const isNew = (await accounts.findByEmail(email)) === null
      const subject = isNew ? `This makes an account for ${email}, and` : 'This'
      return {
        title: isNew ? 'Make an account' : 'Sign in',
        text: `${subject} signs this browser in to ${host}${isNew ? '' : ` as ${email}`}.`,
        button: isNew ? 'Make the account' : 'Sign in',
      }
    },
    async act({ email, details }, request) {
      const account = await findOrCreateAccount(email)
      if (account === null) {
        throw refuse.forbidden('no_account', `There is no account for ${email} on this server.`)
      }
      const userAgent = request.headers.get('user-agent')
      const token = await database.write((tx) => sessions.create(tx, account.id, userAgent))
      const next = typeof details?.next === 'string' ? safeNext(details.next) : null
      return { location: next ?? '/app', cookies: [cookies.session(token)] }
    },
  }
}
