import type { Pages } from '../../../features/pages/index.ts'
import { type LoggedRoute, type LoggedRouteOf, UNKNOWN_ROUTE } from '../../kit/logged-route.ts'
import { parseTarget } from './classify.ts'
import type { Target } from './paths.ts'

/** The routes of published pages, as the log names them. Their parameters are never logged. */
export const PAGE_ROUTES = {
  page: '/p/:slug',
  file: '/p/:slug/:path',
  /** Forms of gates, and renewals. */
  action: '/p/:slug/~/:action',
  frame: '/p/:slug/~:token/:path',
  ownHost: '{page}/:path',
} as const

export interface PageRouteDeps {
  pages: Pick<Pages, 'cachedPage'>
  /** The page of a host of its own: null for another host, '' for one of no page. */
  pageIdIn(host: string | null): string | null
}

/** Names the route of a request for a page, with the page's id in place of its slug. */
export function createPageRoute({ pages, pageIdIn }: PageRouteDeps): LoggedRouteOf {
  return ({ url, headers }: Request): LoggedRoute => {
    const ownPageId = pageIdIn(headers.get('host'))
    if (ownPageId) return { route: PAGE_ROUTES.ownHost, page_id: ownPageId }
    const target = ownPageId === null ? parseTarget(url) : null
    if (target === null) return UNKNOWN_ROUTE
    const pageId = pages.cachedPage(target.slug)?.page.id
    return { route: routeOf(target), ...(pageId !== undefined && { page_id: pageId }) }
  }
}

function routeOf({ path, frameToken }: Target): string {
  if (frameToken === '') return PAGE_ROUTES.action
  if (frameToken !== null) return PAGE_ROUTES.frame
  return path === null || path === '' ? PAGE_ROUTES.page : PAGE_ROUTES.file
}
