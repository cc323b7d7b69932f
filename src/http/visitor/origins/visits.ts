import type { PublishedPage } from '../../../features/pages/index.ts'
import { createThrottles } from '../../../features/throttles/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Services } from '../../../platform/services.ts'
import { sealedToken } from '../../../platform/signed-token.ts'
import { cookieFlags, cookiePrefix, cookiesNamed } from '../../kit/cookies.ts'
import { createProofCache } from '../request/identity.ts'
import type { PageRequest } from '../request/page-request.ts'
import { type Claims, FRAME_TOKEN_S, VISIT_S, type VisitTokens } from '../request/visit-tokens.ts'

/** How long a browser may take from the page's address to its own host. */
const TICKET_MS = 60_000
/** The window is longer than a ticket is valid. The count applies with rate limits off, too. */
const ONCE = { name: 'origin-ticket', count: 1, windowS: 10 * 60 }

/**
 * The claims with which a browser was admitted at the page's address. Sealed in tickets and
 * cookies.
 */
interface Sealed {
  access_epoch: number
  claims: Claims | null
  device: string | null
  started_ms: number
}

/** The visit that a request to a page's own host belongs to. */
export interface Visit {
  claims: Claims | null
  /** The browser's id, for pages that collect responses. */
  device: string | null
  startedMs: number
  /** Whether the visit was counted as a view and has not ended. */
  isCurrent: boolean
  /** Whether the access of the page has not changed since. */
  isOfThisAccess: boolean
  /** The token of the frame in a document of ours; null for a window of the page. */
  frameToken: string | null
}

/** A request for a page's own host. */
export interface OwnRequest {
  request: Request
  publishedPage: PublishedPage
  /** With its `?`, or ''. */
  query: string
  pathname: string
  nowMs: number
}

/** @param path decoded, without the leading slash */
export type ServeVisit = (
  own: OwnRequest,
  visit: Visit,
  path: string,
) => Response | Promise<Response>

/** The address on the base host of an address on the page's own. */
export function pageAddress(baseUrl: string, { page }: PublishedPage, path: string): string {
  return `${baseUrl}/p/${page.slug}${path.replace(/^\/(?=\?|$)/, '')}`
}

export interface VisitsDeps extends Pick<Services, 'secrets' | 'database' | 'clock'> {
  visitTokens: VisitTokens
  /** Whether the hosts are reached by https. */
  isHttps: boolean
}

type NewVisit = Pick<PageRequest, 'claims' | 'nowMs' | 'startedMs'> & { device: string | null }

/**
 * Visits of pages on their own hosts. A one-use ticket takes a visit from the base host to the
 * page's, where a cookie holds it. Both are sealed, and bound to the page and its access epoch.
 */
export function createVisits({ secrets, visitTokens, database, clock, isHttps }: VisitsDeps) {
  const uses = createThrottles({ database, clock, isOn: true })
  const windows = createProofCache<{ sealed: Sealed | null; untilMs: number }>()
  const flags = cookieFlags(isHttps)
  const topCookie = `${cookiePrefix(isHttps)}own`
  /** Browsers also accept a partitioned cookie with this name on http://….localhost. */
  const frameCookie = `${cookiePrefix(isHttps)}frame`

  const endMs = ({ started_ms }: Sealed) => started_ms + FRAME_TOKEN_S * 1000
  const cookieValues = sealedToken<Sealed>(secrets, 'origin-visit', endMs)
  const tickets = sealedToken<Sealed & { made_ms: number }>(
    secrets,
    'origin-ticket',
    ({ made_ms }) => made_ms + TICKET_MS,
  )

  /** There may be values that another host has set, so each is tried. */
  function readWindow(cookies: string, page: Page, nowMs: number) {
    for (const value of cookiesNamed(cookies, topCookie)) {
      const sealed = cookieValues.read(page.id, value, nowMs)
      if (sealed !== null) return { sealed, untilMs: endMs(sealed) }
    }
    return { sealed: null, untilMs: Infinity }
  }

  return {
    /** The ticket of a visit that was admitted, and counted if it is a view. */
    ticket(page: Page, { claims, device, startedMs, nowMs }: NewVisit): string {
      const { access_epoch } = page
      const times = { started_ms: startedMs, made_ms: nowMs }
      return tickets.make(page.id, { access_epoch, claims, device, ...times })
    },
    /** @returns the cookie of the visit; null for a ticket that is not valid, or was used before */
    async redeem(page: Page, ticket: string, nowMs: number): Promise<string | null> {
      const content = tickets.read(page.id, ticket, nowMs)
      if (content === null || content.access_epoch !== page.access_epoch) return null
      const nonce = ticket.split('.')[1]!
      if (!(await uses.consume(ONCE, nonce)).isAllowed) return null
      const { made_ms: _, ...visit } = content
      const value = cookieValues.make(page.id, visit)
      const ageS = FRAME_TOKEN_S - Math.floor((nowMs - visit.started_ms) / 1000)
      return `${topCookie}=${value}; Max-Age=${Math.max(0, ageS)}; Path=/; ${flags}`
    },
    inWindow(cookies: string | null, page: Page, nowMs: number): Visit | null {
      if (cookies === null || !cookies.includes(topCookie)) return null
      const { sealed } = windows(cookies, page, nowMs, () => readWindow(cookies, page, nowMs))
      if (sealed === null) return null
      const { claims, device, started_ms: startedMs } = sealed
      const isCurrent = startedMs + VISIT_S * 1000 > nowMs
      const isOfThisAccess = sealed.access_epoch === page.access_epoch
      return { claims, device, startedMs, isCurrent, isOfThisAccess, frameToken: null }
    },
    /** The visit of a frame in a document of ours. */
    inFrame(cookies: string | null, page: Page, nowMs: number): Visit | null {
      for (const frameToken of cookiesNamed(cookies, frameCookie)) {
        const token = visitTokens.readFrameToken(frameToken, page, nowMs)
        if (token === null) continue
        const { claims, isVisitCurrent: isCurrent } = token
        const isOfThisAccess = true
        return { claims, device: null, startedMs: nowMs, isCurrent, isOfThisAccess, frameToken }
      }
      return null
    },
    /** For browsers with partitioned cookies, which alone can store the cookies of a frame. */
    frameCookie: (frameToken: string): string =>
      `${frameCookie}=${frameToken}; Path=/; Max-Age=${FRAME_TOKEN_S}; HttpOnly; Secure; ` +
      'SameSite=None; Partitioned',
    endedCookie: `${topCookie}=; Path=/; Max-Age=0; ${flags}`,
  }
}
export type Visits = ReturnType<typeof createVisits>
