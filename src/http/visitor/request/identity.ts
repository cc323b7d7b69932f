import type { Visit } from '../../../features/access/index.ts'
import type { Live } from '../../../features/pages/index.ts'
import type { SessionHolder } from '../../../features/sessions/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Grant } from './visit-tokens.ts'
import type { Proofs } from './gate-cookies.ts'

export interface VisitMachines {
  proofs: Proofs
  isPersonalDomain(domain: string): boolean
  /** Whether these cookies may hold a session: without one nobody is asked. */
  mayHoldSession(cookies: string): boolean
  findSession(request: Request): Promise<SessionHolder | null>
  isSessionLive(session_id: string): Promise<boolean>
}

/** Who asks, as far as their cookies prove it, or the capability their browser was given. */
export interface Visitor extends Visit {
  session_id: string | null
}

type Proved = Pick<Visit, 'emails' | 'gave_password'>

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

  function known({ settings, account_id }: Page, proved: Proved, session: SessionHolder | null) {
    const own = session === null ? [] : [session.account.email]
    return {
      ...stranger,
      session_id: session?.session_id ?? null,
      is_owner: session?.account.id === account_id,
      // Signing in confirmed the account's address; where it is asked for, no other counts.
      emails: settings.require_signin ? own : [...own, ...proved.emails],
      is_signed_in: session !== null,
      gave_password: proved.gave_password,
    }
  }

  return {
    /** Whoever is not signed in is known at once: the serving path waits for sessions alone. */
    of(request: Request, { page }: Live, now_s: number): Visitor | Promise<Visitor> {
      const cookies = request.headers.get('cookie')
      if (cookies === null) return stranger
      const may_be_signed_in = mayHoldSession(cookies)
      if (!may_be_signed_in && !proofs.mayHoldProof(cookies)) return stranger
      const emails = proofs.emailsIn(cookies, now_s)
      const proved = { emails, gave_password: proofs.hasPass(cookies, page, now_s) }
      return may_be_signed_in
        ? findSession(request).then((session) => known(page, proved, session))
        : known(page, proved, null)
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
