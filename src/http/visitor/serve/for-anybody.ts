import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import { hasConversations, needsShell, type OriginOf, parseTarget } from '../request/classify.ts'

export interface ForAnybodyDeps {
  pages: Pick<Pages, 'cachedPage' | 'findPublished'>
  originOf: OriginOf | null
  isPageHost(host: string | null): boolean
}

/**
 * Whether a request is for a page that everybody may see in the same way, by somebody of whom it
 * proves nothing: then answering it writes nothing but counts. Resolves in the same turn in which
 * the page is in memory as it is now.
 */
export function createForAnybody({ pages, originOf, isPageHost }: ForAnybodyDeps) {
  function isForAnybody(publishedPage: PublishedPage, request: Request): boolean {
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
    return publishedPage !== undefined && isForAnybody(publishedPage, request)
  }
}
