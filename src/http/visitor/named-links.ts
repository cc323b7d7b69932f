import { decide } from '../../features/access/index.ts'
import type { Links } from '../../features/links/index.ts'
import { LIMITS } from '../../features/throttles/index.ts'
import { Refusal } from '../../model/errors.ts'
import { redirectTo } from '../kit/response.ts'
import type { GateDeps } from './gates/routes.ts'
import { refusalOf } from './request/classify.ts'
import type { Identities } from './request/identity.ts'
import type { Notices } from './serve/notices.ts'

export interface NamedLinkDeps
  extends Pick<
    GateDeps,
    'pages' | 'throttles' | 'gateCookies' | 'analytics' | 'addressOf' | 'nowMs'
  > {
  links: Links
  identities: Pick<Identities, 'anonymous'>
  notices: Notices
}

/** The token leaves no trace in the page, in its host's log or in that of another site. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Leads from `/l/{token}` to the page, and gives the browser the name of the link. It changes and
 * counts nothing: the page's gate decides, as for everybody.
 */
export function createNamedLinks(deps: NamedLinkDeps) {
  const { links, pages, throttles, gateCookies, analytics, notices, addressOf, nowMs } = deps
  const { identities } = deps

  /** Each try counts before it is looked up, as with passwords; a link that there is, does not. */
  async function find(request: Request, token: string) {
    const address = addressOf(request)
    await throttles.assert(LIMITS.unknown_link, address)
    const link = await links.findByToken(token)
    const publishedPage = link && (await pages.findPublishedById(link.page_id))
    if (publishedPage === undefined) return null
    await throttles.refund(LIMITS.unknown_link, address)
    return { link: link!, publishedPage }
  }

  return async (request: Request, token: string): Promise<Response> => {
    const reason = refusalOf(request, null)
    if (reason !== null) return notices.refused(request, reason)
    const result = await find(request, token).catch((err) => {
      if (err instanceof Refusal && err.kind === 'rateLimited') return err
      throw err
    })
    if (result === null) return notices.notFound(request)
    if (result instanceof Refusal) return notices.tooManyTries(request, result)
    const { link, publishedPage } = result
    const { page, gate } = publishedPage
    const isLinkClosed = links.stateOf(link) !== 'active'
    const decision = decide(gate, { ...identities.anonymous.visitor, isLinkClosed }, nowMs())
    if (isLinkClosed && decision.outcome === 'notice') {
      if (request.method === 'GET') analytics.countRefusal(page.id, 'link_closed', link.id)
      return notices.closed(request, publishedPage, decision.notice)
    }
    const cookies = gateCookies.linkCookies(request, page, link.id, nowMs())
    return redirectTo(request, { location: `/p/${page.slug}`, headers: HEADERS, cookies })
  }
}
