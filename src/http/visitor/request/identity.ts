import { LRUCache } from 'lru-cache'
import { admittedEmail, type VisitorFacts } from '../../../features/access/index.ts'
import type { Links } from '../../../features/links/index.ts'
import {
  isPreviewToken,
  type Pages,
  type PreviewToken,
  type PublishedPage,
} from '../../../features/pages/index.ts'
import type { Viewers } from '../../../features/viewers/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Participant } from '../../../model/viewer.ts'
import type { ResolveSession, SessionPrincipal } from '../../kit/call-operation.ts'
import type { Cookies } from '../../kit/cookies.ts'
import type { GateCookies } from './gate-cookies.ts'
import type { Target } from './paths.ts'
import { type Claims, VISIT_S, type VisitTokens } from './visit-tokens.ts'

export interface IdentityDeps {
  gateCookies: GateCookies
  visitTokens: VisitTokens
  cookies: Pick<Cookies, 'mayHoldOurs' | 'mayHoldSession'>
  links: Pick<Links, 'isClosed'>
  pages: Pick<Pages, 'readPreview'>
  resolveSession: ResolveSession
  isSessionActive(sessionId: string): Promise<boolean>
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

interface Subject {
  target: Target
  page: Page
  nowMs: number
}

type GateProofs = Pick<
  VisitorIdentity,
  'emails' | 'gave_password' | 'agreed_version' | 'link_id' | 'link_browser'
>

/** The proofs in cookies other than a session. */
interface CookieProofs {
  gate: GateProofs
  /** The identity of a visitor who is not signed in. */
  identity: Identity
  untilMs: number
}

/** Continues without a promise where the value is there: each wait costs time. */
export function after<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Says who sends a request, as cookies and tokens prove it. Asynchronous only if a session or a
 * named link has to be looked up.
 */
export class Identities {
  readonly #deps: IdentityDeps
  readonly #stranger: VisitorIdentity
  /** The identity of a request without cookies and frame token. */
  readonly anonymous: Identity
  readonly #noProofs: CookieProofs
  readonly #proofs = createProofCache<CookieProofs>()

  constructor(deps: IdentityDeps) {
    this.#deps = deps
    this.#stranger = {
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
    }
    this.anonymous = {
      visitor: this.#stranger,
      hasFrameToken: false,
      isCountedVisit: false,
      startedMs: null,
      preview: null,
    }
    this.#noProofs = { gate: this.#stranger, identity: this.anonymous, untilMs: Infinity }
  }

  /** The sender of a request for a page. */
  of(request: Request, subject: Subject): Identity | Promise<Identity> {
    const { target, page } = subject
    return after(this.#beforeLink(request, subject), (identity) => {
      const isOpening = target.frameToken === null && !identity.isCountedVisit
      const visitor = this.#withLink(identity.visitor, page, isOpening)
      return visitor instanceof Promise
        ? visitor.then((withLink) => ({ ...identity, visitor: withLink }))
        : identity
    })
  }

  byClaims(claims: Claims | null, page: Page): VisitorIdentity | Promise<VisitorIdentity> {
    return after(this.#byToken(claims), (visitor) => this.#withLink(visitor, page, false))
  }

  #beforeLink(
    request: Request,
    { target: { frameToken }, page, nowMs }: Subject,
  ): Identity | Promise<Identity> {
    const { cookies: ours, visitTokens } = this.#deps
    if (frameToken !== null && isPreviewToken(frameToken)) {
      return this.#ofPreview(request, { text: frameToken, page, nowMs })
    }
    const cookies = request.headers.get('cookie')
    const proofs = this.#proofsIn(cookies, page, nowMs)
    if (frameToken === null && !(cookies && ours.mayHoldSession(cookies))) return proofs.identity
    const token = frameToken === null ? null : visitTokens.readFrameToken(frameToken, page, nowMs)
    const { startedMs } = proofs.identity
    // Browsers request addresses of gates, and of frames as a window, with cookies.
    const sender =
      token === null ? this.#bySession(request, page, proofs) : this.#byToken(token.claims)
    return after(
      sender,
      (visitor): Identity => ({
        visitor,
        hasFrameToken: token !== null,
        isCountedVisit: token?.isVisitCurrent === true || startedMs !== null,
        startedMs,
        preview: null,
      }),
    )
  }

  /** Reads a cookie header, apart from a session in it. */
  #proofsIn(cookies: string | null, page: Page, nowMs: number): CookieProofs {
    const { gateCookies, visitTokens, cookies: ours } = this.#deps
    if (cookies === null || !ours.mayHoldOurs(cookies)) return this.#noProofs
    return this.#proofs(cookies, page, nowMs, () => {
      const { untilMs, ...gate } = gateCookies.proofsIn(cookies, page, nowMs)
      const startedMs = visitTokens.visitStartMs(cookies, page, nowMs)
      const visitUntilMs = startedMs === null ? Infinity : startedMs + VISIT_S * 1000
      const visitor = this.#visitorOf(page, gate, null)
      const isCountedVisit = startedMs !== null
      const identity = { ...this.anonymous, visitor, isCountedVisit, startedMs }
      return { gate, identity, untilMs: Math.min(untilMs, visitUntilMs) }
    })
  }

  #visitorOf(page: Page, proofs: GateProofs, session: SessionPrincipal | null): VisitorIdentity {
    const accountEmails = session === null ? [] : [session.account.email]
    return {
      ...this.#stranger,
      session_id: session?.session_id ?? null,
      is_owner: session?.account.id === page.account_id,
      // Signing in confirmed the account's address. Where the page requires it, no other counts.
      emails: requiresSignIn(page) ? accountEmails : [...accountEmails, ...proofs.emails],
      is_signed_in: session !== null,
      gave_password: proofs.gave_password,
      link_id: proofs.link_id,
      link_browser: proofs.link_browser,
      agreed_version: proofs.agreed_version,
    }
  }

  #bySession(request: Request, page: Page, { gate, identity }: CookieProofs) {
    const { cookies: ours, resolveSession } = this.#deps
    if (!ours.mayHoldSession(request.headers.get('cookie') ?? '')) return identity.visitor
    return resolveSession(request).then((session) => this.#visitorOf(page, gate, session))
  }

  /**
   * Requests without cookies have claims in a token. If the claims depend on a session, it must
   * still exist: only that check is asynchronous.
   */
  #byToken(claims: Claims | null): VisitorIdentity | Promise<VisitorIdentity> {
    const stranger = this.#stranger
    if (claims === null) return stranger
    const { session_id: sessionId, link_id = null, link_browser = null } = claims
    const visitor = { ...stranger, ...claims, link_id, link_browser }
    if (sessionId === null) return visitor
    const isActive = this.#deps.isSessionActive(sessionId)
    return isActive.then((isLive) => (isLive ? visitor : stranger))
  }

  /**
   * The token of a preview proves the owner, as long as the session that made it lasts. In a
   * window, whose address people copy, the owner has to be signed in as well: frames in it and its
   * files come without cookies.
   */
  async #ofPreview(
    request: Request,
    { text, page, nowMs }: { text: string; page: Page; nowMs: number },
  ): Promise<Identity> {
    const preview = this.#deps.pages.readPreview(page, text)
    if (preview === null) return this.anonymous
    const { session_id } = preview
    const maker = await this.#byToken({ ...this.#stranger, is_owner: true, session_id })
    const visitor =
      maker.is_owner && isWindow(request)
        ? await this.#bySession(
            request,
            page,
            this.#proofsIn(request.headers.get('cookie'), page, nowMs),
          )
        : maker
    return { ...this.anonymous, visitor, hasFrameToken: true, preview }
  }

  /** The visitor with the state of the link that they came by. Without one, nothing is read. */
  #withLink(
    visitor: VisitorIdentity,
    { id }: Page,
    isOpening: boolean,
  ): VisitorIdentity | Promise<VisitorIdentity> {
    if (visitor.link_id === null) return visitor
    const isClosed = this.#deps.links.isClosed(id, visitor.link_id, isOpening)
    return isClosed.then((isLinkClosed) => ({ ...visitor, isLinkClosed }))
  }
}

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
  const first = admittedEmail(gate, facts)
  const others = facts.emails.filter((email) => email !== first)
  const emails = first === null ? others : [first, ...others]
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
