import { LIMITS, type MailBudget, type Throttles } from '../../../features/throttles/index.ts'
import type { Cookies } from '../../kit/cookies.ts'
import type { KnownBrowsers } from '../../kit/known-browsers.ts'

export interface RateLimitsDeps {
  throttles: Throttles
  mailBudget: MailBudget
  cookies: Cookies
  knownBrowsers: KnownBrowsers
  /** The client address that a request's tries are counted for. */
  addressOf(request: Request): string
}

/** The rate limits of sign-in. Both throw Refusal `rate_limited`. */
export function createRateLimits(deps: RateLimitsDeps) {
  const { throttles, mailBudget, cookies, knownBrowsers, addressOf } = deps
  return {
    /** @returns false where the newest mail to the address is to be used */
    mayMail: (email: string, request: Request): Promise<boolean> =>
      mailBudget.mayMail({
        scope: 'sign-in',
        email,
        address: addressOf(request),
        browser: cookies.browserOf(request) ?? '',
        isKnownBrowser: knownBrowsers.isKnown(request, email),
      }),
    async assertMayTryCode(request: Request): Promise<void> {
      await throttles.assert(LIMITS.code, addressOf(request))
    },
  }
}
export type RateLimits = ReturnType<typeof createRateLimits>
