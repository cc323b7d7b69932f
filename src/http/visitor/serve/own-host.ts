import { decide, open } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage, Pages } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'
import { buildResponse, requestedRange } from '../../kit/response.ts'
import { CLEARED, type OwnAnswers } from '../origins/answers.ts'
import {
  type OwnRequest,
  pageAddress,
  type ServeVisit,
  type Visit,
  type Visits,
} from '../origins/visits.ts'
import { isNavigation, isServiceWorker } from '../request/classify.ts'
import type { Identities, VisitorIdentity } from '../request/identity.ts'
import { type ContentRequest, NO_AGENT } from '../request/page-request.ts'
import { resolveStatic } from '../request/static-paths.ts'
import type { ShowFrameNotice } from '../shell/frame.ts'
import type { ContentResponses } from './content.ts'
import type { SideCounting } from './side-counts.ts'

export interface ServeVisitDeps {
  pages: Pages
  views: Views
  identities: Identities
  visits: Visits
  content: ContentResponses
  sideCounting: SideCounting
  answers: OwnAnswers
  showFrameNotice: ShowFrameNotice
  baseUrl: string
}

/** A request of a visit. */
interface Visited extends OwnRequest {
  visit: Visit
  /** Decoded, without the leading slash. */
  path: string
}

/** The same, of a visitor whom the page's gate lets in now. */
interface Admitted extends Visited {
  publishedPage: OpenPage
  visitor: ContentRequest['visitor']
}

/**
 * Serves a page's files on its own host. The access rule decides at each request. Nothing is
 * awaited for a page in memory without a limit, unless a session has to be looked up.
 */
export function createServeVisit(deps: ServeVisitDeps): ServeVisit {
  const { pages, views, identities, visits, content, sideCounting, baseUrl } = deps
  const { redirectTo, notFound, notLetIn, noContent, lastWorker } = deps.answers

  /** The visitor has lost access, so the browser has to delete its data of the page. */
  function ended({ request, publishedPage, pathname, query, visit }: Visited): Response {
    if (isServiceWorker(request.headers)) return lastWorker(request)
    if (!isNavigation(request.headers) || visit.frameToken !== null) {
      return notLetIn(request, CLEARED)
    }
    return redirectTo(request, pageAddress(baseUrl, publishedPage, pathname + query), {
      headers: CLEARED,
      cookies: [visits.endedCookie],
    })
  }

  /** Redirects to the page's address, which has the browser's cookies and decides again. */
  function reopen({ request, publishedPage, pathname, query }: Visited): Response {
    if (isServiceWorker(request.headers)) return lastWorker(request)
    if (!isNavigation(request.headers)) return notLetIn(request)
    return redirectTo(request, pageAddress(baseUrl, publishedPage, pathname + query))
  }

  function respond(visited: Admitted): Response | Promise<Response> {
    const { request, publishedPage, query, visit, path } = visited
    const resource = resolveStatic(publishedPage, path)
    // Browsers request it by themselves; a failure would appear in the console of the page.
    const hasNoIcon = path === 'favicon.ico' && !publishedPage.files.has(path)
    if (hasNoIcon) return noContent(request)
    if (resource.kind === 'nothing') {
      const isForFrame = request.headers.get('sec-fetch-dest') === 'iframe'
      if (isForFrame && visit.frameToken !== null) return deps.showFrameNotice(request, true)
      return notFound(request, 'This page has no file at this address.')
    }
    if (resource.kind === 'redirect') {
      const { location, status: code } = resource
      return redirectTo(request, withQuery(location, query), { status: code })
    }
    const { file, status } = resource
    const isDocument = file.html !== null && isForWindow(request)
    // Each document of a page with a view limit is sent once for a frame token.
    const isGivenByToken = visit.frameToken !== null && publishedPage.max_views !== null
    if (isGivenByToken && file.html !== null) {
      const { slug } = publishedPage.page
      return redirectTo(request, `/p/${slug}/~${visit.frameToken}${visited.pathname}${query}`)
    }
    const isOver = visit.frameToken === null && isDocument && isStale(visit, file)
    if (isOver && isNavigation(request.headers)) return reopen(visited)
    const contentRequest = contentRequestOf(visited, file)
    sideCounting.served(request, contentRequest)
    const give = () =>
      status === 200
        ? content.respond(request, contentRequest, [])
        : ownNotFound(request, contentRequest)
    const mayBeOpening = file.html !== null && contentRequest.visitor.link_id !== null
    return mayBeOpening ? sideCounting.opened(contentRequest).then(give) : give()
  }

  /** The page's own `404.html`, without ranges. */
  async function ownNotFound(request: Request, contentRequest: ContentRequest): Promise<Response> {
    const whole = new Headers(request.headers)
    for (const name of ['if-none-match', 'range', 'if-range']) whole.delete(name)
    const { url, method } = request
    const asked = { ...contentRequest.asked, range: null }
    const given = new Request(url, { method, headers: whole })
    const { body, headers } = await content.respond(given, { ...contentRequest, asked }, [])
    return buildResponse(null, { status: 404, headers, body })
  }

  function contentRequestOf(
    { request, publishedPage, query, visit, visitor, path, nowMs }: Admitted,
    file: ReleaseFile,
  ): ContentRequest {
    const isFramed = visit.frameToken !== null
    const kind = isFramed ? 'frame' : file.html === null ? 'asset' : 'document'
    return {
      publishedPage,
      target: { slug: publishedPage.page.slug, path, frameToken: null, query },
      asked: { kind, file, range: rangeOf(request, publishedPage, file) },
      visitor,
      claims: visit.claims,
      counts: 'part-of-visit',
      startsVisit: false,
      agent: NO_AGENT,
      shape: 'direct',
      origin: null,
      ownHost: { device: visit.device },
      startedMs: visit.startedMs,
      nowMs,
    }
  }

  function rangeOf({ headers }: Request, publishedPage: OpenPage, file: ReleaseFile) {
    if (file.html !== null) return null
    const { size_bytes: sizeBytes } = file.original ?? file
    return requestedRange(headers, {
      etag: () => content.etagOf(publishedPage, file, true),
      sizeBytes,
    })
  }

  function askGate(visited: Visited, visitor: VisitorIdentity): Response | Promise<Response> {
    const { publishedPage, visit, nowMs } = visited
    const decision = decide(publishedPage.gate, visitor, nowMs)
    if (decision.outcome !== 'open') return ended(visited)
    if (!visit.isOfThisAccess) return reopen(visited)
    const openPage = pages.contentOf(open(publishedPage, decision))
    return openPage instanceof Promise
      ? openPage.then((loaded) => respond({ ...visited, publishedPage: loaded, visitor }))
      : respond({ ...visited, publishedPage: openPage, visitor })
  }

  async function readLimit(visited: Visited, visitor: VisitorIdentity): Promise<Response> {
    const isBeyondLimit = await views.isLimitReached(visited.publishedPage.page.id)
    return askGate(visited, { ...visitor, isBeyondLimit })
  }

  return (own, visit, path) => {
    if (isFromElsewhere(own.request)) return notLetIn(own.request)
    const visited = { ...own, visit, path }
    const isChecked = own.publishedPage.max_views !== null && !visit.isCurrent
    const arrive = (claimed: VisitorIdentity) => {
      const visitor = visit.isOfThisAccess ? claimed : { ...claimed, gave_password: false }
      return isChecked ? readLimit(visited, visitor) : askGate(visited, visitor)
    }
    const claimed = identities.byClaims(visit.claims, own.publishedPage.page)
    return claimed instanceof Promise ? claimed.then(arrive) : arrive(claimed)
  }
}
/**
 * Whether a document of another host sent the request, even of another page: the hosts of pages are
 * one site, so browsers send this page's cookie with each other's requests. Navigations may come
 * from anywhere; the headers of documents say who may frame them.
 */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== 'same-site' && site !== 'cross-site') return false
  return headers.get('sec-fetch-mode') !== 'navigate'
}

/** The query of a request goes with it, unless the address has one. */
function withQuery(location: string, query: string): string {
  const [address = '', ...fragment] = location.split('#')
  return [address.includes('?') ? address : address + query, ...fragment].join('#')
}

/** Whether the view has ended, or was opened before the page collected responses. */
function isStale(visit: Visit, file: ReleaseFile): boolean {
  return !visit.isCurrent || (file.needs_runtime && visit.device === null)
}

function isForWindow(request: Request): boolean {
  return request.headers.get('sec-fetch-dest') === 'document' || isNavigation(request.headers)
}
