import type { RateLimit } from '../../model/rate-limit.ts'
import { LIMITS } from './limits.ts'
import { networkOf } from './network.ts'
import type { Throttles } from './throttles.ts'

export interface MailRequest {
  /** Sign-in, gates and panels have separate budgets, so that none blocks another. */
  scope: 'sign-in' | 'gate' | 'page'
  email: string
  /** The client address of the request. */
  address: string
  browser: string
  /** This browser has confirmed the address before. */
  isKnownBrowser: boolean
}

/** Bounds the mails with links that requests cause, without letting anyone block an address. */
export interface MailBudget {
  /**
   * Counts one mail. Strangers spend the budget of their network before that of the address, and a
   * browser that has confirmed the address has a budget of its own.
   *
   * @returns false where enough mails were sent to the address in the last 15 minutes. The link of
   * the newest still works, in every browser.
   * @throws Refusal `rate_limited` for a client that asks for mails to many addresses
   */
  mayMail(request: MailRequest): Promise<boolean>
}

export function createMailBudget(throttles: Throttles): MailBudget {
  const isAllowed = async (limit: RateLimit, who: string) =>
    (await throttles.consume(limit, who)).isAllowed

  return {
    async mayMail({ scope, email, address, browser, isKnownBrowser }) {
      await throttles.assert(LIMITS.mail_from_address, `${scope} ${address}`)
      const to = `${scope} ${email}`
      if (isKnownBrowser && (await isAllowed(LIMITS.mail_from_known_browser, `${browser} ${to}`))) {
        return true
      }
      if (!(await isAllowed(LIMITS.mail_from_network, `${networkOf(address)} ${to}`))) return false
      if (!(await isAllowed(LIMITS.mail_to_email, to))) return false
      if (await isAllowed(LIMITS.mail_to_email_daily, to)) return true
      return isAllowed(LIMITS.mail_to_email_slow, to)
    },
  }
}
