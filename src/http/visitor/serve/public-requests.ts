import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import { hasConversations, needsShell, type OriginOf, parseTarget } from '../request/classify.ts'

export interface PublicRequestDeps {
  pages: Pick<Pages, 'cachedPage' | 'findPublished'>
  originOf: OriginOf | null
  isPageHost(host: string | null): boolean
}

/**
 * Whether a request without cookies is for a page that everybody may see and sees alike. Answering
 * it then writes nothing but counts. Resolves in the turn of the event loop in which the page is
 * known to be in memory and current.
 */
export function createPublicRequestCheck({ pages, originOf, isPageHost }: PublicRequestDeps) {
  function isPublic(publishedPage: PublishedPage, request: Request): boolean {
    const { page, release, max_views: maxViews, gate } = publishedPage
    if (release === null || page.settings.access !== 'link' || maxViews !== null) return false
    if (gate.notify_on_view || hasConversations(publishedPage)) return false
    return !needsShell(publishedPage) && !originOf?.(publishedPage, request)
  }

  return async (request: Request): Promise<boolean> => {
    const { method, headers, url } = request
    if ((method !== 'GET' && method !== 'HEAD') || headers.has('cookie')) return false
    const target = isPageHost(headers.get('host')) ? null : parseTarget(url)
    if (target === null || target.frameToken !== null) return false
    if (pages.cachedPage(target.slug) === undefined) await pages.findPublished(target.slug)
    const publishedPage = pages.cachedPage(target.slug)
    return publishedPage !== undefined && isPublic(publishedPage, request)
  }
}
