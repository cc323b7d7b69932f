import type { RateLimit } from '../../model/rate-limit.ts'
import { LIMITS } from './limits.ts'
import { networkOf } from './network.ts'
import type { Throttles } from './throttles.ts'

export interface CodeTry {
  /** The client address of the request. */
  address: string
  /** The address that the code would confirm; null where there is no code to guess. */
  email: string | null
}

/** Limits wrong codes by network, by email address, and for the whole service. */
export interface CodeGuard {
  /**
   * Counts one try, before the code is compared: tries at once are bounded too.
   *
   * @returns a function that takes the try back, for a right code; null where codes are off, and
   * only the link of the mail works
   */
  count(tried: CodeTry): Promise<(() => Promise<void>) | null>
}

export function createCodeGuard(throttles: Throttles): CodeGuard {
  return {
    async count({ address, email }) {
      const counted: [RateLimit, string][] = []
      for (const [limit, who] of limitsOf(networkOf(address), email)) {
        // Checks the network first: a refused try does not count for the address or the service.
        if (!(await throttles.consume(limit, who)).isAllowed) return null
        counted.push([limit, who])
      }
      return async () => {
        for (const [limit, who] of counted) await throttles.refund(limit, who)
      }
    },
  }
}

function limitsOf(network: string, email: string | null): [RateLimit, string][] {
  const byNetwork: [RateLimit, string] = [LIMITS.wrong_code_by_network, network]
  if (email === null) return [byNetwork]
  return [byNetwork, [LIMITS.wrong_code_by_email, email], [LIMITS.wrong_code, 'service']]
}
