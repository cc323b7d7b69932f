import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { PageCookies } from './page-cookies.ts'

type Framed = Pick<PublishedPage, 'page' | 'max_views'>

/** Everything that a visitor loads of a page within this time belongs to the same view. */
export const VISIT_S = 30 * 60
export const FRAME_TOKEN_S = 12 * 60 * 60

/**
 * A visitor's proofs for a gate. Frame tokens contain them, sealed, and the gate decides again by
 * them at every request.
 */
export interface Claims {
  emails: readonly string[]
  gave_password: boolean
  is_signed_in: boolean
  is_owner: boolean
  /** The session that the claims depend on: they end with it. */
  session_id: string | null
}

export interface VisitTokenDeps {
  secrets: Secrets
  pageCookies: PageCookies
}

/** Signed tokens, bound to a page and its access epoch: the visit cookie and the frame token. */
export function createVisitTokens({ secrets, pageCookies }: VisitTokenDeps) {
  const boundTo = ({ id, access_epoch: accessEpoch }: Page) => [id, String(accessEpoch)]

  /** @param token `v1.{expires}.{payload}.{signature}`, or without a payload */
  function readToken(
    purpose: string,
    token: string,
    { page, nowMs }: { page: Page; nowMs: number },
  ) {
    const [version, expires = '', ...rest] = token.split('.')
    const signature = rest.pop() ?? ''
    const payload = rest.join('.')
    const expiresS = Number(expires)
    if (version !== 'v1' || !Number.isInteger(expiresS) || expiresS * 1000 <= nowMs) return null
    // Refuses an empty payload, whose signature would equal that of no payload.
    if (payload === '' && rest.length > 0) return null
    const isOurs = secrets.verify(signature, purpose, ...boundTo(page), expires, payload)
    return isOurs ? { expiresS, payload } : null
  }
  function signToken(purpose: string, page: Page, expiresS: number, payload = ''): string {
    const signature = secrets.sign(purpose, ...boundTo(page), String(expiresS), payload)
    return ['v1', expiresS, ...(payload === '' ? [] : [payload]), signature].join('.')
  }

  return {
    /** The `Set-Cookie` lines by which later requests belong to this visit. */
    visitCookies(sent: string | null, page: Page, nowMs: number): string[] {
      const value = signToken('visit', page, secondsOf(nowMs) + VISIT_S)
      return pageCookies.build('visit', page, { value, ageS: VISIT_S, sent })
    },
    /** The start of the counted visit, in milliseconds since the epoch; null without one. */
    visitStartMs(cookies: string | null, page: Page, nowMs: number): number | null {
      for (const value of pageCookies.valuesOf(cookies, 'visit', page)) {
        const token = readToken('visit', value, { page, nowMs })
        if (token !== null) return (token.expiresS - VISIT_S) * 1000
      }
      return null
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
    frameToken(
      { page, max_views: maxViews }: Framed,
      nowMs: number,
      claims: Claims | null,
    ): string {
      // Sealing makes each token different, as documents behind a view limit need.
      const isPlain = claims === null && maxViews === null
      const sealed = isPlain ? '' : secrets.seal('grant', page.id, JSON.stringify(claims))
      return signToken('cap', page, secondsOf(nowMs) + FRAME_TOKEN_S, sealed)
    },
    /** The claims of a valid frame token, and whether its visit has not ended. */
    readFrameToken(text: string, page: Page, nowMs: number) {
      const token = readToken('cap', text, { page, nowMs })
      if (token === null) return null
      const { expiresS, payload } = token
      const claims =
        payload === ''
          ? null
          : (JSON.parse(secrets.open('grant', page.id, payload)) as Claims | null)
      return { claims, isVisitCurrent: (expiresS - FRAME_TOKEN_S + VISIT_S) * 1000 > nowMs }
    },
  }
}
export type VisitTokens = ReturnType<typeof createVisitTokens>

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}
