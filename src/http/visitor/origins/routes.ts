import { LRUCache } from 'lru-cache'
import { isPreviewToken, type PublishedPage } from '../../../features/pages/index.ts'
import { MERMAID_PATH } from '../../../model/markdown/source.ts'
import { atMost } from '../../../platform/lru.ts'
import { buildResponse } from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'
import { isNavigation, isServiceWorker, parseTarget } from '../request/classify.ts'
import { isWindow } from '../request/identity.ts'
import { decodePath } from '../request/paths.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { OwnAnswers } from './answers.ts'
import type { Origins } from './hosts.ts'
import { TICKET_PATH } from './send-on.ts'
import { type OwnRequest, pageAddress, type ServeVisit, type Visit, type Visits } from './visits.ts'

/** A browser that uses so many tickets within this time and still sends no cookie stores none. */
const MAX_TICKETS = 3
const TICKETS_MS = 10_000
const MAX_CLIENTS = 10_000
/** The path at which the frame of a document of ours starts: `/~/frame/{frameToken}/{path}`. */
const FRAME_PATH = /^\/~\/(frame|framed)\/([\w.-]+)\/(.*)$/s
/** Statuses of the serving path whose response is content, or leads to it. */
const CONTENT_STATUSES = new Set([200, 206, 304, 307, 404, 410, 416])

export interface OriginDeps extends Pick<GateDeps, 'pages' | 'baseUrl' | 'addressOf' | 'nowMs'> {
  origins: Origins
  visits: Visits
  visitTokens: VisitTokens
  serveVisit: ServeVisit
  answers: OwnAnswers
  /** The serving path of the base host, for addresses with a frame token. */
  serveFrame(request: Request): Response | Promise<Response>
}

/**
 * The hosts that each page has to itself. They serve a page's published files, at the root, to
 * browsers that were let in on the base host, and nothing else: no gate, no app, no API.
 *
 * @returns a handler that gives null for a request to any other host
 */
export function originRoutes(deps: OriginDeps) {
  const { origins, pages, visits, serveVisit, baseUrl, addressOf, nowMs } = deps
  const { redirectTo, notFound, notLetIn, cookiesOff, wrongMethod, lastWorker } = deps.answers
  const { enterFrame, byFrameToken } = createFrameRoutes(deps)
  /** How many tickets each client of a page took without sending a cookie. */
  const tickets = new LRUCache<string, number>({ ...atMost(MAX_CLIENTS), ttl: TICKETS_MS })

  /** Nothing is awaited for a page in memory: each wait costs time. */
  function respond(request: Request, pageId: string): Response | Promise<Response> {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return wrongMethod(request)
    if (pageId === '') return notFound(request)
    const cached = pages.cachedPageById(pageId)
    if (cached !== undefined) return route(request, cached)
    return pages
      .findPublishedById(pageId)
      .then((page) => (page ? route(request, page) : notFound(request)))
  }

  function route(request: Request, publishedPage: PublishedPage): Response | Promise<Response> {
    const { pathname, query } = partsOf(request.url)
    const own = { request, publishedPage, pathname, query, nowMs: nowMs() }
    if (pathname === TICKET_PATH) return takeTicket(own)
    if (pathname === MERMAID_PATH) return redirectTo(request, baseUrl + MERMAID_PATH)
    if (pathname.startsWith('/~/')) return enterFrame(own)
    return (pathname.startsWith('/p/') ? byFrameToken(own) : null) ?? byVisit(own)
  }

  function byVisit(own: OwnRequest): Response | Promise<Response> {
    const { request, pathname } = own
    const path = decodePath(pathname.slice(1))
    if (path === null) return notFound(request)
    const visit = visitOf(own)
    if (visit === null) return withoutVisit(own, path)
    return serveVisit(own, visit, path)
  }

  /** Windows have a cookie of their own, which frames of other sites do not send. */
  function visitOf({ request, publishedPage: { page }, nowMs: now }: OwnRequest): Visit | null {
    const cookies = request.headers.get('cookie')
    if (cookies === null) return null
    const inWindow = () => visits.inWindow(cookies, page, now)
    const inFrame = () => visits.inFrame(cookies, page, now)
    const dest = request.headers.get('sec-fetch-dest')
    if (dest === 'document') return inWindow()
    const isInWindow = dest === null && isNavigation(request.headers)
    return isInWindow ? (inWindow() ?? inFrame()) : (inFrame() ?? inWindow())
  }

  function withoutVisit(own: OwnRequest, path: string): Response | Promise<Response> {
    const { request, publishedPage, pathname, query } = own
    if (isOfOpenPage(own)) return serveVisit(own, strangerAt(own.nowMs), path)
    if (isServiceWorker(request.headers)) return lastWorker(request)
    if (!isNavigation(request.headers)) return notLetIn(request)
    if ((tickets.get(clientOf(own)) ?? 0) >= MAX_TICKETS) return cookiesOff(request)
    return redirectTo(request, pageAddress(baseUrl, publishedPage, pathname + query))
  }

  /** Exchanges the ticket for a cookie, once. A window that was here before returns to its path. */
  async function takeTicket(own: OwnRequest): Promise<Response> {
    const { request, publishedPage, query, nowMs: now } = own
    if (request.method !== 'GET' || !isNavigation(request.headers)) return notLetIn(request)
    const { page } = publishedPage
    const parameters = new URLSearchParams(query)
    const to = ownAddress(parameters.get('to'))
    const cookie = await visits.redeem(page, parameters.get('ticket') ?? '', now)
    const hasVisit = visits.inWindow(request.headers.get('cookie'), page, now) !== null
    if (cookie !== null) {
      // A browser that has one keeps cookies, also when it loses this one as its access ends.
      tickets.set(clientOf(own), hasVisit ? 0 : (tickets.get(clientOf(own)) ?? 0) + 1)
      return redirectTo(request, to, { cookies: [cookie] })
    }
    return redirectTo(request, hasVisit ? to : pageAddress(baseUrl, publishedPage, to))
  }

  function clientOf({ request, publishedPage }: OwnRequest): string {
    const agent = request.headers.get('user-agent')
    return `${publishedPage.page.id} ${addressOf(request)} ${agent}`
  }

  return (request: Request): Response | Promise<Response> | null => {
    const pageId = origins.pageIdIn(request.headers.get('host'))
    return pageId === null ? null : respond(request, pageId)
  }
}

/** The frames of documents of ours, which come with a frame token in their address. */
function createFrameRoutes({ visits, visitTokens, answers, serveFrame, baseUrl }: OriginDeps) {
  const { redirectTo, notServed, notFound } = answers

  async function asFrame(request: Request, token: string): Promise<Response> {
    const { status, headers, body } = await serveFrame(request)
    const isContent = CONTENT_STATUSES.has(status) && headers.has('origin-agent-cluster')
    const location = headers.get('location')
    if (!isContent && location === null) {
      const isNothing = status === 403 || status === 404
      return isNothing ? notFound(request) : notServed(request, { status })
    }
    const own = new Headers(headers)
    const isClean = location !== null && parseTarget(baseUrl + location)?.frameToken === null
    if (isClean) own.set('location', baseUrl + location)
    if (request.headers.get('sec-fetch-dest') === 'iframe' && status === 200) {
      own.append('set-cookie', visits.frameCookie(token))
    }
    return buildResponse(null, { status, headers: own, body })
  }

  return {
    /**
     * Gives the frame of a document of ours a cookie, so that the page stands at the root. A
     * browser that does not keep it gets the page below its frame token.
     */
    enterFrame({ request, publishedPage, pathname, query, nowMs }: OwnRequest): Response {
      const [, step, token = '', path = ''] = FRAME_PATH.exec(pathname) ?? []
      const to = `${path}${query}`
      const { page, max_views: maxViews } = publishedPage
      if (visitTokens.readFrameToken(token, page, nowMs) === null) return notFound(request)
      if (isWindow(request)) {
        return redirectTo(request, pageAddress(baseUrl, publishedPage, `/${to}`))
      }
      const visit = visits.inFrame(request.headers.get('cookie'), page, nowMs)
      if (visit?.frameToken === token) return redirectTo(request, ownAddress(`/${to}`))
      const isSecondTry = step === 'framed' || maxViews !== null
      if (isSecondTry) return redirectTo(request, `/p/${page.slug}/~${token}/${to}`)
      const cookies = [visits.frameCookie(token)]
      return redirectTo(request, `/~/framed/${token}/${to}`, { cookies })
    },
    /** Null for a path without a frame token, or with that of a preview. */
    byFrameToken({ request, publishedPage }: OwnRequest): Promise<Response> | null {
      const target = parseTarget(request.url)
      const token = target?.frameToken
      // A preview is for frames of the app, in the sandbox of the base host.
      if (!token || target.slug !== publishedPage.page.slug || isPreviewToken(token)) return null
      return asFrame(request, token)
    },
  }
}

/**
 * Browsers request an app's manifest without cookies, and all that the service worker of a frame
 * needs without its partitioned cookie. So a page that anybody may open gives its files to requests
 * of its own, as it gives them to programs at its address. Navigations need a visit, to be counted.
 */
function isOfOpenPage({ request, publishedPage }: OwnRequest): boolean {
  const { gate, max_views: maxViews } = publishedPage
  const isOpen = gate.is_open && maxViews === null
  const isOwn = request.headers.get('sec-fetch-site') === 'same-origin'
  return isOpen && isOwn && !isNavigation(request.headers)
}

/** It gets documents as a frame does: what a window loads has the cookie of its visit. */
function strangerAt(nowMs: number): Visit {
  const visit = { claims: null, device: null, startedMs: nowMs, frameToken: '' }
  return { ...visit, isCurrent: true, isOfThisAccess: true }
}

/** An address on the same host, whatever the path is. */
function ownAddress(path: string | null): string {
  const own = 'http://own.invalid'
  const url = path?.startsWith('/') ? URL.parse(path, own) : null
  if (url === null || url.origin !== own) return '/'
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search
}

function partsOf(url: string): { pathname: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const question = url.indexOf('?', start)
  if (question < 0) return { pathname: url.slice(start), query: '' }
  return { pathname: url.slice(start, question), query: url.slice(question) }
}
