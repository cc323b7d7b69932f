import type { Viewers } from '../../../features/viewers/index.ts'
import { type Conversation, TOKEN_HEADER, type ViewerRenewal } from '../../../model/conversation.ts'
import { refuse } from '../../../model/errors.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { jsonResponse, refusalResponse } from '../../kit/json-response.ts'
import { claimsOf } from '../request/identity.ts'
import type { PageRequest } from '../request/page-request.ts'
import { participantOf } from '../request/participants.ts'
import type { ViewerTokens } from '../request/viewer-tokens.ts'
import { conversationsOf, panelViewerOf } from './panel.ts'

export interface ViewerRenewalDeps {
  conversations: readonly Conversation[]
  viewers: Viewers
  viewerTokens: ViewerTokens
  cookies: Cookies
}

/**
 * Returns the panel's current viewer and a new token: an address may have been confirmed or an
 * account signed in since the page was opened. The gate has admitted the visitor again.
 */
export function createViewerRenewal(deps: ViewerRenewalDeps) {
  const { conversations, viewers, viewerTokens, cookies } = deps

  /**
   * The start of the view that the new token belongs to. Behind a view limit, a token is renewed
   * only for a view that was counted, and its expiry stays the same.
   *
   * @returns null where no view was counted
   */
  function viewedAtMs(request: Request, device: string, pageRequest: PageRequest): number | null {
    const { publishedPage, visitor, counts, nowMs } = pageRequest
    if (publishedPage.max_views === null) return nowMs
    const token = viewerTokens.readPanelToken(request.headers.get(TOKEN_HEADER) ?? '', nowMs)
    const isOwn = token?.page_id === publishedPage.page.id && token.device === device
    if (token !== null && isOwn) return token.given_s * 1000
    return counts === 'part-of-visit' || visitor.is_owner ? nowMs : null
  }

  /** @returns null for a page without conversations */
  return (request: Request, pageRequest: PageRequest): Response | null => {
    const { publishedPage, visitor } = pageRequest
    if (conversationsOf(conversations, publishedPage).length === 0) return null
    const { id: device, cookie } = cookies.browserFor(request)
    const viewedMs = viewedAtMs(request, device, pageRequest)
    if (viewedMs === null) return refusalResponse(notCounted())
    const claims = claimsOf(visitor)
    const participant = participantOf(viewers, { publishedPage, facts: visitor, device })
    const body: ViewerRenewal = {
      token: viewerTokens.panelToken(publishedPage.page, { device, claims, nowMs: viewedMs }),
      viewer: panelViewerOf(participant),
    }
    return jsonResponse(200, body, cookie === null ? {} : { 'set-cookie': cookie })
  }
}
export type GiveViewerRenewal = ReturnType<typeof createViewerRenewal>

function notCounted() {
  return refuse.forbidden('stale', 'This page was opened too long ago. Reload it.')
}
