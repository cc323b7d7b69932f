import type { VisitorFacts } from '../../../features/access/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { expiringToken, sealedToken, secondsOf } from '../../../platform/signed-token.ts'
import { accessOf, type PageCookies } from './gate-cookies.ts'

type Framed = Pick<PublishedPage, 'page' | 'max_views'>

/** Everything that a visitor loads of a page within this time belongs to the same view. */
export const VISIT_S = 30 * 60
export const FRAME_TOKEN_S = 12 * 60 * 60

/**
 * A visitor's proofs for a gate. Frame tokens contain them, sealed, and the gate decides again by
 * them at every request.
 */
export interface Claims extends Omit<VisitorFacts, 'isBeyondLimit' | 'isLinkClosed'> {
  /** The session that the claims depend on: they end with it. */
  session_id: string | null
  /** Tokens of earlier versions do not have it. */
  link_id?: string | null
  link_browser?: string | null
}

export interface VisitTokenDeps {
  secrets: Secrets
  pageCookies: PageCookies
}

/** Signed tokens, bound to a page and its access epoch: the visit cookie and the frame token. */
export function createVisitTokens({ secrets, pageCookies }: VisitTokenDeps) {
  const visits = pageCookies('visit', { subjectOf: accessOf, ageS: VISIT_S, hasPayload: true })
  const frames = expiringToken(secrets, 'cap', { hasPayload: true })
  const grants = sealedToken<Claims | null>(secrets, 'grant')

  return {
    /** The `Set-Cookie` lines by which later requests belong to this visit. */
    visitCookies: (cookies: string | null, page: Page, nowMs: number) =>
      visits.lines(cookies, page, nowMs),
    /** The start of the counted visit, in milliseconds since the epoch; null without one. */
    visitStartMs(cookies: string | null, page: Page, nowMs: number): number | null {
      const visit = visits.read(cookies, page, nowMs)
      return visit && visit.untilMs - VISIT_S * 1000
    },
    /**
     * The path below which a frame reads this page's published files, and nothing else, for 12
     * hours: `/p/{slug}/~{frameToken}/`.
     *
     * @param claims null where the page has no gate
     */
    framePath(publishedPage: Framed, nowMs: number, claims: Claims | null): string {
      return `/p/${publishedPage.page.slug}/~${this.frameToken(publishedPage, nowMs, claims)}/`
    },
    frameToken({ page, max_views }: Framed, nowMs: number, claims: Claims | null): string {
      // Sealing makes each token different, as documents behind a view limit need.
      const isPlain = claims === null && max_views === null
      const payload = isPlain ? '' : grants.make(page.id, claims)
      return frames.make(accessOf(page), secondsOf(nowMs) + FRAME_TOKEN_S, payload)
    },
    /** The claims of a valid frame token, and whether its visit has not ended. */
    readFrameToken(text: string, page: Page, nowMs: number) {
      const token = frames.read(accessOf(page), text, nowMs)
      if (token === null) return null
      const { expiresS, payload } = token
      const claims = payload === '' ? null : grants.read(page.id, payload, nowMs)
      return { claims, isVisitCurrent: (expiresS - FRAME_TOKEN_S + VISIT_S) * 1000 > nowMs }
    },
  }
}
export type VisitTokens = ReturnType<typeof createVisitTokens>
