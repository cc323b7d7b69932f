import type { VisitorFacts } from '../../../features/access/index.ts'
import type { SessionHolder } from '../../../features/sessions/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { GateCookies } from './gate-cookies.ts'
import type { Target } from './paths.ts'
import type { Claims, VisitTokens } from './visit-tokens.ts'

export interface IdentityDeps {
  gateCookies: GateCookies
  visitTokens: VisitTokens
  isPersonalDomain(domain: string): boolean
  /** Whether a Cookie header may hold a session; without one, no session is looked up. */
  mayHoldSession(cookies: string): boolean
  findSession(request: Request): Promise<SessionHolder | null>
  isSessionLive(sessionId: string): Promise<boolean>
}

/** Who the visitor is, as far as their cookies or a frame token prove it. */
export interface VisitorIdentity extends VisitorFacts {
  session_id: string | null
}

/** What a request proves about its sender. */
export interface Identity {
  visitor: VisitorIdentity
  /** The address has a frame token, and it is valid. */
  hasFrameToken: boolean
  /** The request belongs to a visit that was counted before. */
  isCountedVisit: boolean
  /** When that visit began, in milliseconds since the epoch; null without a cookie of it. */
  startedMs: number | null
}

export function createIdentities(deps: IdentityDeps) {
  const { gateCookies, visitTokens, isPersonalDomain } = deps
  const { mayHoldSession, findSession, isSessionLive } = deps
  const stranger: VisitorIdentity = {
    session_id: null,
    is_owner: false,
    emails: [],
    is_signed_in: false,
    gave_password: false,
    isBeyondLimit: false,
    isPersonalDomain,
  }
  const anonymous: Identity = {
    visitor: stranger,
    hasFrameToken: false,
    isCountedVisit: false,
    startedMs: null,
  }

  function visitorOf(
    page: Page,
    proved: Pick<VisitorFacts, 'emails' | 'gave_password'>,
    session: SessionHolder | null,
  ): VisitorIdentity {
    const accountEmails = session === null ? [] : [session.account.email]
    return {
      ...stranger,
      session_id: session?.session_id ?? null,
      is_owner: session?.account.id === page.account_id,
      // Signing in confirmed the account's address. Where the page requires it, no other counts.
      emails: requiresSignIn(page) ? accountEmails : [...accountEmails, ...proved.emails],
      is_signed_in: session !== null,
      gave_password: proved.gave_password,
    }
  }

  /** Waits only where a session may have to be looked up. */
  function byCookies(
    request: Request,
    page: Page,
    nowMs: number,
  ): VisitorIdentity | Promise<VisitorIdentity> {
    const cookies = request.headers.get('cookie') ?? ''
    const mayBeSignedIn = mayHoldSession(cookies)
    if (!mayBeSignedIn && !gateCookies.mayHoldProof(cookies)) return stranger
    const emails = gateCookies.emailsIn(cookies, nowMs)
    const proved = { emails, gave_password: gateCookies.hasPass(cookies, page, nowMs) }
    if (!mayBeSignedIn) return visitorOf(page, proved, null)
    return findSession(request).then((session) => visitorOf(page, proved, session))
  }

  /** Requests without cookies carry claims in a token. A session they rest on must still exist. */
  async function byClaims(claims: Claims | null): Promise<VisitorIdentity> {
    if (claims === null) return stranger
    const { session_id: sessionId } = claims
    if (sessionId !== null && !(await isSessionLive(sessionId))) return stranger
    return { ...stranger, ...claims }
  }

  function of(
    request: Request,
    { target, page, nowMs }: { target: Target; page: Page; nowMs: number },
  ): Identity | Promise<Identity> {
    const { frameToken } = target
    const token = frameToken === null ? null : visitTokens.readFrameToken(frameToken, page, nowMs)
    // An empty token is that of the gate's own addresses, which the browser asks with its cookies.
    const hasCookies = frameToken === null || frameToken === ''
    const isFrameVisit = token?.isVisitCurrent === true
    const startedMs = visitTokens.visitStartMs(request.headers.get('cookie'), page, nowMs)
    const identityOf = (visitor: VisitorIdentity): Identity => ({
      visitor,
      hasFrameToken: token !== null,
      isCountedVisit: isFrameVisit || startedMs !== null,
      startedMs,
    })
    const visitor = hasCookies ? byCookies(request, page, nowMs) : byClaims(token?.claims ?? null)
    return visitor instanceof Promise ? visitor.then(identityOf) : identityOf(visitor)
  }

  return {
    /** Of a request that has neither cookies nor a frame token. */
    anonymous,
    of,
    byClaims,
  }
}
export type Identities = ReturnType<typeof createIdentities>

/** Whether only the address of a signed-in account counts. No other access level has that rule. */
export function requiresSignIn({ settings }: Page): boolean {
  return settings.access === 'people' && settings.require_signin
}

/** The part of an identity that tokens carry. */
export function claimsOf(visitor: VisitorIdentity): Claims {
  return {
    emails: visitor.emails,
    gave_password: visitor.gave_password,
    is_signed_in: visitor.is_signed_in,
    is_owner: visitor.is_owner,
    session_id: visitor.session_id,
  }
}
