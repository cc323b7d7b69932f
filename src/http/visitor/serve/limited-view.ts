import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'

export interface LimitedViewDeps {
  views: Pick<Views, 'count'>
  /** Answers any request in the general way, and counts it. */
  serve(request: Request): Response | Promise<Response>
}

/** A plain view of a page with a view limit. */
export interface LimitedView {
  request: Request
  publishedPage: PublishedPage
  /** The response that is kept for it. */
  kept: Response
  view: Parameters<Views['count']>[1]
}

/**
 * Answers plain views of pages with a view limit, once the transaction that counts them is on the
 * disk. Where the limit leaves none, the general path finds out why and says so.
 */
export function createLimitedView({ views, serve }: LimitedViewDeps) {
  /** Their limit was reached, so that one transaction a request is enough. */
  const closed = new WeakSet<PublishedPage>()

  return ({ request, publishedPage, kept, view }: LimitedView): Promise<Response> | null => {
    if (closed.has(publishedPage)) return null
    const isCounted = Promise.resolve(views.count(publishedPage.page.id, view))
    return isCounted.then((isGranted) => {
      if (isGranted) return kept.clone()
      closed.add(publishedPage)
      return serve(request)
    })
  }
}
