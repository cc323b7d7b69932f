import { LIMITS } from './limits.ts'
import type { Throttles } from './throttles.ts'

/** The wrong passwords after which an address has to wait between its tries, and waits longer. */
const STEP = 100
/** Short enough for a person who mistypes a password while somebody else guesses it. */
const LONGEST_PAUSE_S = 16

export interface PasswordTry {
  page_id: string
  /** The client address of the request. */
  address: string
}

/**
 * Limits wrong passwords by address and page, and slows them for all addresses together. No number
 * of guesses closes a page: an address that has not tried for a while always has a try.
 */
export interface PasswordGuard {
  /**
   * Counts one try, before the password is compared: tries at once are bounded too. A try that is
   * refused counts as a wrong one.
   *
   * @returns a function that takes the try back from those of the page, for the right password
   * @throws Refusal `rate_limited`
   */
  count(tried: PasswordTry): Promise<() => Promise<void>>
}

export function createPasswordGuard(throttles: Throttles): PasswordGuard {
  return {
    async count({ page_id: pageId, address }) {
      const who = `${pageId} ${address}`
      await throttles.assert(LIMITS.password, who)
      const { remaining } = await throttles.consume(LIMITS.wrong_password, pageId)
      const pauseS = pauseAfter(LIMITS.wrong_password.count - remaining)
      if (pauseS > 0) {
        await throttles.assert({ name: 'password-pause', count: 1, windowS: pauseS }, who)
      }
      return () => throttles.refund(LIMITS.wrong_password, pageId)
    },
  }
}

/** Doubles with each further step: 1 s, 2 s, 4 s, … */
function pauseAfter(wrong: number): number {
  return wrong <= STEP ? 0 : Math.min(LONGEST_PAUSE_S, 2 ** Math.floor((wrong - 1) / STEP - 1))
}
