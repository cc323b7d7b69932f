import { decide, open } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { buildLargeResponse, buildResponse, requestedRange } from '../../kit/response.ts'
import { CLEARED, type OwnAnswers } from '../origins/answers.ts'
import { TICKET_PATH } from '../origins/send-on.ts'
import {
  type OwnRequest,
  pageAddress,
  type ServeVisit,
  type Visit,
  type Visits,
} from '../origins/visits.ts'
import { isNavigation, isPrefetch, isServiceWorker } from '../request/classify.ts'
import { REFUSALS } from '../request/content-headers.ts'
import { after, type VisitorIdentity } from '../request/identity.ts'
import { type ContentRequest, NO_AGENT } from '../request/page-request.ts'
import { resolveStatic, withQuery } from '../request/static-paths.ts'
import type { ShowFrameNotice } from '../shell/frame.ts'
import type { ContentResponses } from './content.ts'
import type { ServeDeps } from './serve.ts'

export interface ServeVisitDeps
  extends Pick<ServeDeps, 'pages' | 'views' | 'identities' | 'content' | 'sideCounting'> {
  visits: Visits
  answers: OwnAnswers
  showFrameNotice: ShowFrameNotice
  baseUrl: string
}

interface Visited extends OwnRequest {
  visit: Visit
  /** Decoded, without the leading slash. */
  path: string
}

/** The same, of a visitor whom the page's gate lets in now. */
interface Admitted extends Visited {
  publishedPage: OpenPage
  visitor: VisitorIdentity
}

/**
 * Serves a page's files on its own host. The access rule decides at each request. Nothing is
 * awaited for a page in memory without a limit, unless a session has to be looked up.
 */
export function createServeVisit(deps: ServeVisitDeps): ServeVisit {
  return (own, visit, path) => {
    if (isFromElsewhere(own.request)) return deps.answers.notLetIn(own.request)
    const { page, max_views: maxViews } = own.publishedPage
    const visited = { ...own, visit, path }
    const isChecked = maxViews !== null && !visit.isCurrent
    return after(deps.identities.byClaims(visit.claims, page), (claimant) => {
      const visitor = visit.isOfThisAccess ? claimant : { ...claimant, gave_password: false }
      return isChecked ? readLimit(deps, visited, visitor) : askGate(deps, visited, visitor)
    })
  }
}

async function readLimit(deps: ServeVisitDeps, visited: Visited, visitor: VisitorIdentity) {
  const isBeyondLimit = await deps.views.isLimitReached(visited.publishedPage.page.id)
  return askGate(deps, visited, { ...visitor, isBeyondLimit })
}

function askGate(
  deps: ServeVisitDeps,
  visited: Visited,
  visitor: VisitorIdentity,
): Response | Promise<Response> {
  const { publishedPage, visit, nowMs } = visited
  const decision = decide(publishedPage.gate, visitor, nowMs)
  if (decision.outcome !== 'open') return end(deps, visited)
  if (!visit.isOfThisAccess) return reopen(deps, visited)
  return after(deps.pages.contentOf(open(publishedPage, decision)), (openPage) =>
    respond(deps, { ...visited, publishedPage: openPage, visitor }),
  )
}

/** The visitor has lost access, so the browser has to delete its data of the page. */
function end({ answers, visits, baseUrl }: ServeVisitDeps, visited: Visited): Response {
  const { request, publishedPage, pathname, query, visit } = visited
  if (isServiceWorker(request.headers)) return answers.lastWorker(request)
  if (!isNavigation(request.headers) || visit.frameToken !== null) {
    return answers.notLetIn(request, CLEARED)
  }
  return answers.redirectTo(request, pageAddress(baseUrl, publishedPage, pathname + query), {
    headers: CLEARED,
    cookies: [visits.endedCookie],
  })
}

/** Redirects to the page's address, which has the browser's cookies and decides again. */
function reopen({ answers, baseUrl }: ServeVisitDeps, visited: Visited): Response {
  const { request, publishedPage, pathname, query } = visited
  if (isServiceWorker(request.headers)) return answers.lastWorker(request)
  if (!isNavigation(request.headers)) return answers.notLetIn(request)
  return answers.redirectTo(request, pageAddress(baseUrl, publishedPage, pathname + query))
}

function respond(deps: ServeVisitDeps, visited: Admitted): Response | Promise<Response> {
  const { content, sideCounting, answers, showFrameNotice } = deps
  const { request, publishedPage, query, visit, path } = visited
  const resource = resolveStatic(publishedPage, path)
  // Browsers request it by themselves; a failure would appear in the console of the page.
  const hasNoIcon = path === 'favicon.ico' && !publishedPage.files.has(path)
  if (hasNoIcon) return answers.noContent(request)
  if (resource.kind === 'nothing') {
    const isForFrame = request.headers.get('sec-fetch-dest') === 'iframe'
    if (isForFrame && visit.frameToken !== null) return showFrameNotice(request, true)
    return answers.notFound(request, 'This page has no file at this address.')
  }
  if (resource.kind === 'redirect') {
    const { location, status } = resource
    return answers.redirectTo(request, withQuery(location, query), { status })
  }
  const { file, status } = resource
  if (file.html !== null && isPrefetch(request.headers)) {
    return answers.notServed(request, REFUSALS.prefetch)
  }
  // Each document of a page with a view limit is sent once for a frame token.
  const isGivenByToken = visit.frameToken !== null && publishedPage.max_views !== null
  if (isGivenByToken && file.html !== null) {
    const { slug } = publishedPage.page
    const location = `/p/${slug}/~${visit.frameToken}${visited.pathname}${query}`
    return answers.redirectTo(request, location)
  }
  const isOver = visit.frameToken === null && file.html !== null && isStale(visit, file)
  if (isOver && isNavigation(request.headers)) return reopen(deps, visited)
  const contentRequest = contentRequestOf(deps, visited, file)
  sideCounting.served(contentRequest)
  const give = () => {
    if (status !== 200) return ownNotFound(content, contentRequest)
    const isWorker = isServiceWorker(request.headers)
    return isWorker ? ownWorker(content, contentRequest) : content.respond(contentRequest, [])
  }
  const mayBeOpening = file.html !== null && contentRequest.visitor.link_id !== null
  return mayBeOpening ? sideCounting.markOpened(contentRequest).then(give) : give()
}

/** The page's own `404.html`. */
async function ownNotFound(content: ContentResponses, contentRequest: ContentRequest) {
  const { body, headers } = await respondWhole(content, contentRequest)
  return buildResponse(null, { status: 404, headers, body })
}

/** In the first line of the script: listeners are called in their order, and lines are numbered. */
const LEAVES_TICKETS = Buffer.from(
  "self.addEventListener('fetch',(event)=>{" +
    `if(new URL(event.request.url).pathname==='${TICKET_PATH}')event.stopImmediatePropagation()});`,
)

/** The page's service worker. With what it has stored it would answer what starts a visit. */
async function ownWorker(content: ContentResponses, contentRequest: ContentRequest) {
  const { body, headers } = await respondWhole(content, contentRequest, 'accept-encoding')
  const etag = headers.get('etag')!.replace('"', '"~')
  const { file } = contentRequest.resource
  const sizeBytes = LEAVES_TICKETS.length + (file.original ?? file).size_bytes
  async function* pieces() {
    yield LEAVES_TICKETS
    yield* body ?? []
  }
  const response = await buildLargeResponse(contentRequest.request, {
    headers: { ...Object.fromEntries(headers), etag },
    etag,
    body: { sizeBytes, pieces },
  })
  // The browser has it already: nobody reads the file, which would stay open.
  if (response.body === null) await body?.cancel()
  return response
}

/** The whole file, also where the browser has it. */
function respondWhole(
  content: ContentResponses,
  contentRequest: ContentRequest,
  ...without: string[]
) {
  const { url, method } = contentRequest.request
  const headers = new Headers(contentRequest.request.headers)
  for (const name of ['if-none-match', 'range', 'if-range', ...without]) headers.delete(name)
  const request = new Request(url, { method, headers })
  const resource = { ...contentRequest.resource, range: null }
  return content.respond({ ...contentRequest, request, resource }, [])
}

function contentRequestOf(
  { content }: ServeVisitDeps,
  { request, publishedPage, query, visit, visitor, path, nowMs }: Admitted,
  file: ReleaseFile,
): ContentRequest {
  const isFramed = visit.frameToken !== null
  const kind = isFramed ? 'frame' : file.html === null ? 'asset' : 'document'
  return {
    request,
    publishedPage,
    target: { slug: publishedPage.page.slug, path, frameToken: null, query },
    resource: { kind, file, range: rangeOf(content, request, { publishedPage, file }) },
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

function rangeOf(
  content: ContentResponses,
  { headers }: Request,
  { publishedPage, file }: { publishedPage: OpenPage; file: ReleaseFile },
) {
  if (file.html !== null) return null
  const { size_bytes: sizeBytes } = file.original ?? file
  const etag = () => content.etagOf(publishedPage, file, true)
  return requestedRange(headers, { etag, sizeBytes })
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

/** Whether the view has ended, or was opened before the page collected responses. */
function isStale(visit: Visit, file: ReleaseFile): boolean {
  return !visit.isCurrent || (file.needs_runtime && visit.device === null)
}
