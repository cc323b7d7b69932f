import { LRUCache } from 'lru-cache'
import { admittedEmail, type VisitorFacts } from '../../../features/access/index.ts'
import {
  isPreviewToken,
  type Pages,
  type PreviewToken,
  type PublishedPage,
} from '../../../features/pages/index.ts'
import type { SessionHolder } from '../../../features/sessions/index.ts'
import type { Viewers } from '../../../features/viewers/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Participant } from '../../../model/viewer.ts'
import type { GateCookies } from './gate-cookies.ts'
import type { Target } from './paths.ts'
import { type Claims, VISIT_S, type VisitTokens } from './visit-tokens.ts'

export interface IdentityDeps {
  gateCookies: GateCookies
  visitTokens: VisitTokens
  isPersonalDomain(domain: string): boolean
  /** Whether a Cookie header may contain any cookie of ours. */
  mayHoldOurs(cookies: string): boolean
  /** Whether a Cookie header may contain a session; without one, no session is looked up. */
  mayHoldSession(cookies: string): boolean
  findSession(request: Request): Promise<SessionHolder | null>
  isSessionLive(sessionId: string): Promise<boolean>
  isLinkClosed(pageId: string, linkId: string, isOpening: boolean): Promise<boolean>
  readPreview: Pages['readPreview']
}

/** The visitor, as far as cookies or a frame token prove who it is. */
export interface VisitorIdentity extends VisitorFacts {
  session_id: string | null
  /** The named link that the visitor came by. It says whose link it is, and not who came. */
  link_id: string | null
  /** The browser that came by it, as its cookie of this page says. */
  link_browser: string | null
}

/** The verified facts about the sender of a request. */
export interface Identity {
  visitor: VisitorIdentity
  /** Whether the address has a valid frame token. */
  hasFrameToken: boolean
  /** Whether the request belongs to a visit that was counted before. */
  isCountedVisit: boolean
  /** When that visit began, in milliseconds since the epoch; null without a cookie of it. */
  startedMs: number | null
  /** The token of a preview address, if it is valid. */
  preview: PreviewToken | null
}

type ByCookie = Pick<
  VisitorIdentity,
  'emails' | 'gave_password' | 'agreed_version' | 'link_id' | 'link_browser'
>

interface Asked {
  target: Target
  page: Page
  nowMs: number
}

/** The proofs in cookies other than a session. */
interface Proved {
  gate: ByCookie
  /** The identity of a visitor who is not signed in. */
  identity: Identity
  /** Milliseconds since the epoch. */
  untilMs: number
}

export function createIdentities(deps: IdentityDeps) {
  const { gateCookies, visitTokens, isPersonalDomain } = deps
  const { mayHoldOurs, mayHoldSession, findSession, isSessionLive, readPreview } = deps
  const { isLinkClosed } = deps
  const stranger: VisitorIdentity = {
    session_id: null,
    link_id: null,
    link_browser: null,
    is_owner: false,
    emails: [],
    is_signed_in: false,
    gave_password: false,
    agreed_version: null,
    isBeyondLimit: false,
    isLinkClosed: false,
    isPersonalDomain,
  }
  const anonymous: Identity = {
    visitor: stranger,
    hasFrameToken: false,
    isCountedVisit: false,
    startedMs: null,
    preview: null,
  }

  function visitorOf(page: Page, proved: ByCookie, session: SessionHolder | null): VisitorIdentity {
    const accountEmails = session === null ? [] : [session.account.email]
    return {
      ...stranger,
      session_id: session?.session_id ?? null,
      is_owner: session?.account.id === page.account_id,
      // Signing in confirmed the account's address. Where the page requires it, no other counts.
      emails: requiresSignIn(page) ? accountEmails : [...accountEmails, ...proved.emails],
      is_signed_in: session !== null,
      gave_password: proved.gave_password,
      link_id: proved.link_id,
      link_browser: proved.link_browser,
      agreed_version: proved.agreed_version,
    }
  }

  const nothing: Proved = { gate: stranger, identity: anonymous, untilMs: Infinity }
  const proofs = createProofCache<Proved>()

  /** Reads a cookie header, apart from a session in it. */
  function provedBy(cookies: string | null, page: Page, nowMs: number): Proved {
    if (cookies === null || !mayHoldOurs(cookies)) return nothing
    return proofs(cookies, page, nowMs, () => {
      const { untilMs, ...gate } = gateCookies.proofsIn(cookies, page, nowMs)
      const startedMs = visitTokens.visitStartMs(cookies, page, nowMs)
      const visitUntilMs = startedMs === null ? Infinity : startedMs + VISIT_S * 1000
      const visitor = visitorOf(page, gate, null)
      const isCountedVisit = startedMs !== null
      const identity = { ...anonymous, visitor, isCountedVisit, startedMs }
      return { gate, identity, untilMs: Math.min(untilMs, visitUntilMs) }
    })
  }

  /** Asynchronous only if a session may have to be looked up. */
  function byCookies(request: Request, page: Page, { gate, identity }: Proved) {
    if (!mayHoldSession(request.headers.get('cookie') ?? '')) return identity.visitor
    return findSession(request).then((session) => visitorOf(page, gate, session))
  }

  /**
   * Requests without cookies have claims in a token. If the claims depend on a session, it must
   * still exist: only that check is asynchronous.
   */
  function claimedBy(claims: Claims | null): VisitorIdentity | Promise<VisitorIdentity> {
    if (claims === null) return stranger
    const { session_id: sessionId } = claims
    const { link_id = null, link_browser = null } = claims
    const claimed = { ...stranger, ...claims, link_id, link_browser }
    if (sessionId === null) return claimed
    return isSessionLive(sessionId).then((isLive) => (isLive ? claimed : stranger))
  }

  /**
   * The token of a preview proves the owner, as long as the session that made it lasts. In a
   * window, whose address people copy, the owner has to be signed in as well: frames in it and its
   * files come without cookies.
   */
  async function ofPreview(
    request: Request,
    { text, page, nowMs }: { text: string; page: Page; nowMs: number },
  ): Promise<Identity> {
    const preview = readPreview(page, text)
    if (preview === null) return anonymous
    const { session_id: sessionId } = preview
    const maker = await claimedBy({ ...stranger, is_owner: true, session_id: sessionId })
    const isShown = maker.is_owner && isWindow(request)
    const visitor = isShown
      ? await byCookies(request, page, provedBy(request.headers.get('cookie'), page, nowMs))
      : maker
    return { ...anonymous, visitor, hasFrameToken: true, preview }
  }

  /** Asynchronous only if a session may have to be looked up. */
  function beforeLink(
    request: Request,
    { target, page, nowMs }: Asked,
  ): Identity | Promise<Identity> {
    const { frameToken } = target
    if (frameToken !== null && isPreviewToken(frameToken)) {
      return ofPreview(request, { text: frameToken, page, nowMs })
    }
    const cookies = request.headers.get('cookie')
    const proved = provedBy(cookies, page, nowMs)
    if (frameToken === null && !(cookies && mayHoldSession(cookies))) return proved.identity
    const token = frameToken === null ? null : visitTokens.readFrameToken(frameToken, page, nowMs)
    const isFrameVisit = token?.isVisitCurrent === true
    const { startedMs } = proved.identity
    const identityOf = (visitor: VisitorIdentity): Identity => ({
      visitor,
      hasFrameToken: token !== null,
      isCountedVisit: isFrameVisit || startedMs !== null,
      startedMs,
      preview: null,
    })
    // Browsers request addresses of gates, and of frames as a window, with cookies.
    const visitor = token === null ? byCookies(request, page, proved) : claimedBy(token.claims)
    return visitor instanceof Promise ? visitor.then(identityOf) : identityOf(visitor)
  }

  /** The visitor with the state of the link that they came by. Without one, nothing is read. */
  function withLink(
    visitor: VisitorIdentity,
    page: Page,
    isOpening: boolean,
  ): VisitorIdentity | Promise<VisitorIdentity> {
    if (visitor.link_id === null) return visitor
    const closed = isLinkClosed(page.id, visitor.link_id, isOpening)
    return closed.then((isClosed) => ({ ...visitor, isLinkClosed: isClosed }))
  }

  /** Asynchronous only if a session or a named link has to be looked up. */
  function of(request: Request, asked: Asked): Identity | Promise<Identity> {
    const add = (identity: Identity): Identity | Promise<Identity> => {
      const isOpening = asked.target.frameToken === null && !identity.isCountedVisit
      const visitor = withLink(identity.visitor, asked.page, isOpening)
      if (!(visitor instanceof Promise)) return identity
      return visitor.then((known) => ({ ...identity, visitor: known }))
    }
    const identity = beforeLink(request, asked)
    return identity instanceof Promise ? identity.then(add) : add(identity)
  }

  /** The visitor that a token claims, on a page. */
  function byClaims(claims: Claims | null, page: Page): VisitorIdentity | Promise<VisitorIdentity> {
    const claimed = claimedBy(claims)
    if (!(claimed instanceof Promise)) return withLink(claimed, page, false)
    return claimed.then((visitor) => withLink(visitor, page, false))
  }

  return {
    /** The identity of a request without cookies and frame token. */
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
    agreed_version: visitor.agreed_version,
    is_signed_in: visitor.is_signed_in,
    is_owner: visitor.is_owner,
    session_id: visitor.session_id,
    link_id: visitor.link_id,
    link_browser: visitor.link_browser,
  }
}

/** Whether a browser says that it shows the answer in a window or tab, under its address. */
export function isWindow({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'document'
}

interface ParticipantParts {
  publishedPage: PublishedPage
  /** The verified facts about the visitor, whom the gate admits. */
  facts: VisitorFacts
  /** The random id of the browser. */
  device: string
}

/** The participant of a page's conversations. The address that the gate admits comes first. */
export function participantOf(
  viewers: Viewers,
  { publishedPage: { page, gate }, facts, device }: ParticipantParts,
): Participant {
  const admitted = admittedEmail(gate, facts)
  const others = facts.emails.filter((email) => email !== admitted)
  const emails = admitted === null ? others : [admitted, ...others]
  return viewers.participantOf(page, { isOwner: facts.is_owner, emails, device })
}

/** The size of a cache, in characters of cookies. */
const MAX_CHARS = 4 * 1024 * 1024
/** A longer header is read each time. */
const MAX_HEADER_CHARS = 4096
/** The size of an entry without its header. */
const ENTRY_CHARS = 200

/** Milliseconds since the epoch. */
interface Ending {
  /** When the first proof in it expires. */
  untilMs: number
}

interface Entry<T> extends Pick<Page, 'id' | 'revision' | 'access_epoch'> {
  proof: T
}

/**
 * Caches the proofs in a `Cookie` header for a page, by its exact bytes: parsing it and verifying
 * its signatures takes 10 µs. An entry ends when a proof in it expires, and with every write to the
 * page, such as a new access epoch. It says who a visitor is, not what the visitor may open: that
 * is decided at each request.
 */
export function createProofCache<T extends Ending>() {
  const cache = new LRUCache<string, Entry<T>>({
    maxSize: MAX_CHARS,
    sizeCalculation: (_, cookies) => cookies.length + ENTRY_CHARS,
  })
  return (cookies: string, page: Page, nowMs: number, read: () => T): T => {
    const entry = cache.get(cookies)
    if (entry !== undefined && isOf(entry, page) && nowMs < entry.proof.untilMs) return entry.proof
    const proof = read()
    const { id, revision, access_epoch } = page
    if (cookies.length <= MAX_HEADER_CHARS)
      cache.set(cookies, { id, revision, access_epoch, proof })
    return proof
  }
}

function isOf({ id, revision, access_epoch }: Entry<unknown>, page: Page): boolean {
  return id === page.id && revision === page.revision && access_epoch === page.access_epoch
}
