import type { Visit } from '../../features/access/index.ts'
import type { Live } from '../../features/pages/index.ts'
import type { Account } from '../../model/account.ts'
import type { Grant } from './admission.ts'
import type { Proofs } from './gates/proofs.ts'

export interface VisitMachines {
  proofs: Proofs
  isPersonalDomain(domain: string): boolean
  /** Whether these cookies may hold a session: without one nobody is asked. */
  mayHoldSession(cookies: string): boolean
  findSession(request: Request): Promise<{ account: Account; session_id: string } | null>
  isSessionLive(session_id: string): Promise<boolean>
}

/** Who asks, as far as their cookies prove it, or the capability their browser was given. */
export interface Visitor extends Visit {
  session_id: string | null
}

export function createVisits(machines: VisitMachines) {
  const { proofs, isPersonalDomain, mayHoldSession, findSession, isSessionLive } = machines
  const stranger: Visitor = {
    session_id: null,
    is_owner: false,
    emails: [],
    is_signed_in: false,
    gave_password: false,
    is_beyond_limit: false,
    isPersonalDomain,
  }

  async function known(request: Request, cookies: string, { page }: Live, now_s: number) {
    const session = mayHoldSession(cookies) ? await findSession(request) : null
    const is_owner = session?.account.id === page.account_id
    const confirmed = proofs.emailsIn(cookies, now_s)
    const signed_in = page.settings.require_signin
    const own = session === null ? [] : [session.account.email]
    return {
      ...stranger,
      session_id: session?.session_id ?? null,
      is_owner,
      // Signing in confirmed the account's address; where it is asked for, no other counts.
      emails: signed_in ? own : [...own, ...confirmed],
      is_signed_in: session !== null,
      gave_password: proofs.hasPass(cookies, page, now_s),
    }
  }

  return {
    /** A stranger is known at once: the serving path waits only where a cookie may say more. */
    of(request: Request, live: Live, now_s: number): Visitor | Promise<Visitor> {
      const cookies = request.headers.get('cookie')
      if (cookies === null) return stranger
      if (!mayHoldSession(cookies) && !proofs.mayHoldProof(cookies)) return stranger
      return known(request, cookies, live, now_s)
    },
    /** What a page loads has no cookies: it asks with what its own opening was granted. */
    async byGrant(grant: Grant | null): Promise<Visitor> {
      if (grant === null) return stranger
      const { session_id } = grant
      if (session_id !== null && !(await isSessionLive(session_id))) return stranger
      return { ...stranger, ...grant }
    },
  }
}
export type Visits = ReturnType<typeof createVisits>

export function grantOf(visitor: Visitor): Grant {
  const { emails, gave_password, is_signed_in, is_owner, session_id } = visitor
  return { emails, gave_password, is_signed_in, is_owner, session_id }
}
