import type { VisitorFacts } from '../../../features/access/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { SessionHolder } from '../../../features/sessions/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { GateCookies } from './gate-cookies.ts'
import type { Claims } from './visit-tokens.ts'

export interface IdentityDeps {
  gateCookies: GateCookies
  isPersonalDomain(domain: string): boolean
  /** Whether these cookies may hold a session: without one nobody is asked. */
  mayHoldSession(cookies: string): boolean
  findSession(request: Request): Promise<SessionHolder | null>
  isSessionLive(sessionId: string): Promise<boolean>
}

/** Who asks, as far as their cookies prove it, or the capability their browser was given. */
export interface VisitorIdentity extends VisitorFacts {
  session_id: string | null
}

type Proved = Pick<VisitorFacts, 'emails' | 'gave_password'>

export function createIdentities(deps: IdentityDeps) {
  const { gateCookies, isPersonalDomain, mayHoldSession, findSession, isSessionLive } = deps
  const stranger: VisitorIdentity = {
    session_id: null,
    is_owner: false,
    emails: [],
    is_signed_in: false,
    gave_password: false,
    isBeyondLimit: false,
    isPersonalDomain,
  }

  function known(
    { settings, account_id: accountId }: Page,
    proved: Proved,
    session: SessionHolder | null,
  ) {
    const own = session === null ? [] : [session.account.email]
    return {
      ...stranger,
      session_id: session?.session_id ?? null,
      is_owner: session?.account.id === accountId,
      // Signing in confirmed the account's address; where it is asked for, no other counts.
      emails: settings.require_signin ? own : [...own, ...proved.emails],
      is_signed_in: session !== null,
      gave_password: proved.gave_password,
    }
  }

  return {
    /** Whoever is not signed in is known at once: the serving path waits for sessions alone. */
    of(
      request: Request,
      { page }: PublishedPage,
      nowS: number,
    ): VisitorIdentity | Promise<VisitorIdentity> {
      const cookies = request.headers.get('cookie')
      if (cookies === null) return stranger
      const mayBeSignedIn = mayHoldSession(cookies)
      if (!mayBeSignedIn && !gateCookies.mayHoldProof(cookies)) return stranger
      const emails = gateCookies.emailsIn(cookies, nowS)
      const proved = { emails, gave_password: gateCookies.hasPass(cookies, page, nowS) }
      return mayBeSignedIn
        ? findSession(request).then((session) => known(page, proved, session))
        : known(page, proved, null)
    },
    /** What a page loads has no cookies: it asks with what its own opening was granted. */
    async byGrant(grant: Claims | null): Promise<VisitorIdentity> {
      if (grant === null) return stranger
      const { session_id: sessionId } = grant
      if (sessionId !== null && !(await isSessionLive(sessionId))) return stranger
      return { ...stranger, ...grant }
    },
  }
}
export type Identities = ReturnType<typeof createIdentities>

export function grantOf(visitor: VisitorIdentity): Claims {
  const {
    emails,
    gave_password: gavePassword,
    is_signed_in: isSignedIn,
    is_owner: isOwner,
    session_id: sessionId,
  } = visitor
  return {
    emails,
    gave_password: gavePassword,
    is_signed_in: isSignedIn,
    is_owner: isOwner,
    session_id: sessionId,
  }
}
