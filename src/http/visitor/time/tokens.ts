import { newBrowser } from '../../kit/cookies.ts'
import type { ContentRequest } from '../request/page-request.ts'
import type { ViewerTokens } from '../request/viewer-tokens.ts'

/**
 * Makes the tokens by which our documents report the time of their view: one for each counted view,
 * and none for the owner or a browser that asks not to be tracked. It is made
 * from a new random id, so that no cookie is needed.
 */
export function createTimeTokens(viewerTokens: ViewerTokens) {
  return {
    of(request: Request, { publishedPage, counts, claims, nowMs }: ContentRequest): string {
      if (counts !== 'view' || refusesMeasuring(request)) return ''
      return viewerTokens.viewerToken(publishedPage.page, { device: newBrowser(), claims, nowMs })
    },
  }
}
export type TimeTokens = ReturnType<typeof createTimeTokens>

/** Whether the visitor's browser asks not to be tracked. */
export function refusesMeasuring({ headers }: Request): boolean {
  return headers.get('dnt') === '1' || headers.get('sec-gpc') === '1'
}
