import { LIMITS, type Throttles } from '../../../features/throttles/index.ts'

export interface RateLimitsDeps {
  throttles: Throttles
  /** The client address that rate limits count by. */
  addressOf(request: Request): string
}

/** The rate limits of sign-in. Both throw Refusal `rate_limited`. */
export function createRateLimits({ throttles, addressOf }: RateLimitsDeps) {
  return {
    async assertMayMail(email: string, request: Request): Promise<void> {
      await throttles.assert(LIMITS.mail_from_address, addressOf(request))
      await throttles.assert(LIMITS.mail_to_email, email)
    },
    async assertMayTryCode(request: Request): Promise<void> {
      await throttles.assert(LIMITS.code, addressOf(request))
    },
  }
}
export type RateLimits = ReturnType<typeof createRateLimits>
