import { randomBytes } from 'node:crypto'
import { sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { expiringToken, secondsOf } from '../../platform/signed-token.ts'
import type { Throttles } from '../throttles/index.ts'

/** EdDSA, ES256 and RS256: what authenticators have, and every runtime verifies. */
export const ALGORITHMS = [-8, -7, -257]
export const CHALLENGE_MS = 5 * 60_000

/** `add`: held by a session. `sign-in`: held by a browser, by the random id in its cookie. */
export interface Holder {
  purpose: 'add' | 'sign-in'
  id: string
}

export interface ChallengeDeps extends Pick<Services, 'clock' | 'secrets'> {
  throttles: Pick<Throttles, 'mark'>
}

/**
 * One-use challenges. Each is a signed token, so that a stranger who asks for many has nothing
 * stored; only those that a passkey has answered are, until they are over.
 */
export function createChallenges({ clock, secrets, throttles }: ChallengeDeps) {
  const tokens = expiringToken(secrets, 'passkey-challenge', { hasPayload: true })

  return {
    /** In base64url, as browsers take it. */
    make({ purpose, id }: Holder): string {
      const nonce = randomBytes(16).toString('base64url')
      const token = tokens.make([purpose, id], secondsOf(clock.ms() + CHALLENGE_MS), nonce)
      return Buffer.from(token).toString('base64url')
    },
    /** Whether we made it for this holder, less than five minutes ago. */
    isOf({ purpose, id }: Holder, challenge: string): boolean {
      return tokens.read([purpose, id], tokenOf(challenge), clock.ms()) !== null
    },
    /** @returns false where it was used before, on any node */
    use(challenge: string): Promise<boolean> {
      // Longer than it is valid: clocks of nodes differ.
      const what = `passkey-challenge ${sha256(tokenOf(challenge))}`
      return throttles.mark(what, clock.ms() + 2 * CHALLENGE_MS)
    },
  }
}

export type Challenges = ReturnType<typeof createChallenges>

function tokenOf(challenge: string): string {
  return Buffer.from(challenge, 'base64url').toString('utf8')
}
