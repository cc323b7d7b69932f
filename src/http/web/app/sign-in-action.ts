import type { Accounts } from '../../../features/accounts/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import { refuse } from '../../../model/errors.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { safeNext } from '../../kit/safe-next.ts'
import type { Admit, StandingOf } from './sign-up.ts'

/** The `purpose` of a sign-in confirmation. */
export const SIGN_IN = 'sign_in'

export interface SignInActionDeps {
  accounts: Accounts
  sessions: Sessions
  cookies: Cookies
  standingOf: StandingOf
  admit: Admit
  host: string
}

/** Signs the browser in when a sign-in link or code is redeemed. */
export function createSignInAction({
  accounts,
  sessions,
  cookies,
  standingOf,
  admit,
  host,
}: SignInActionDeps): ConfirmationAction {
  return {
    async describe({ email }) {
      const account = await accounts.findByEmail(email)
      const isNew = account === null && (await standingOf(email)) === 'account'
      const name = displayEmail(email)
      const subject = isNew ? `This makes an account for ${name}, and` : 'This'
      return {
        title: isNew ? 'Make an account' : 'Sign in',
        text: `${subject} signs this browser in to ${host}${isNew ? '' : ` as ${name}`}.`,
        button: isNew ? 'Make the account' : 'Sign in',
      }
    },
    async act(tx, { email, details }, request) {
      const account = await admit(tx, email)
      if (account === null) {
        throw refuse.forbidden(
          'no_account',
          `There is no account for ${displayEmail(email)} on this server.`,
        )
      }
      const token = await sessions.create(tx, account.id, cookies.signInBrowser(request))
      const next = typeof details?.next === 'string' ? safeNext(details.next) : null
      return { next: next ?? '/app', cookies: [cookies.session(token)] }
    },
  }
}
