import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'

export interface LimitedViewDeps {
  views: Pick<Views, 'count'>
  /** The general path, which answers and counts any request. */
  serve(request: Request): Response | Promise<Response>
}

/** A view of a page with a view limit, on the fast path. */
export interface LimitedView {
  request: Request
  publishedPage: PublishedPage
  /** The cached response. */
  cached: Response
  view: Parameters<Views['count']>[1]
}

/**
 * Answers views of pages with a view limit on the fast path, after the transaction that counts them
 * is durable. Once the limit is reached, the general path answers and says why.
 */
export function createLimitedView({ views, serve }: LimitedViewDeps) {
  /** Pages whose limit is reached: only the general path asks the database about them. */
  const closed = new WeakSet<PublishedPage>()

  return ({ request, publishedPage, cached, view }: LimitedView): Promise<Response> | null => {
    if (closed.has(publishedPage)) return null
    const isCounted = Promise.resolve(views.count(publishedPage.page.id, view))
    return isCounted.then((isGranted) => {
      if (isGranted) return cached.clone()
      closed.add(publishedPage)
      return serve(request)
    })
  }
}
