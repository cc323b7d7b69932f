import { type Closed, open, type VisitorFacts } from '../../../features/access/index.ts'
import type { OpenPage, Pages, PublishedPage } from '../../../features/pages/index.ts'
import { hourOf, type Views } from '../../../features/views/index.ts'
import type { Admission } from '../../../model/page/admission.ts'
import type { Gates } from '../gates/routes.ts'
import type { SendOn } from '../origins/send-on.ts'
import type { GiveViewerRenewal } from '../panel/viewer-renewal.ts'
import type { Agent } from '../request/agents.ts'
import {
  type AnyDecision,
  type Arrival,
  checksLimit,
  decideOn,
  isForStub,
  isTokenFor,
} from '../request/arrival.ts'
import {
  classify,
  isContentRequest,
  type OriginOf,
  parseTarget,
  refusalOf,
} from '../request/classify.ts'
import type { FrameDocuments } from '../request/frame-documents.ts'
import type { Identities, Identity } from '../request/identity.ts'
import type { ContentRequest, PageRequest } from '../request/page-request.ts'
import type { ViewFacts } from '../request/view-facts.ts'
import { isLimitReached } from '../request/view-limit.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import { isWindow } from '../request/window.ts'
import type { ShowFrameNotice } from '../shell/frame-notice.ts'
import type { FrameRenewal } from '../shell/frame-renewal.ts'
import type { Shell } from '../shell/response.ts'
import type { Viewer } from '../viewer/response.ts'
import type { ContentResponses } from './content.ts'
import type { Notices } from './notices.ts'
import type { SideCounting } from './side-counts.ts'

export interface ServeDeps {
  pages: Pages
  views: Views
  identities: Identities
  visitTokens: VisitTokens
  gates: Gates
  notices: Notices
  content: ContentResponses
  shell: Shell
  frameDocuments: FrameDocuments
  frameRenewal: FrameRenewal
  showFrameNotice: ShowFrameNotice
  viewer: Viewer
  viewerRenewal: GiveViewerRenewal
  viewFacts: ViewFacts
  sideCounting: SideCounting
  readAgent(userAgent: string): Agent
  originOf: OriginOf | null
  /** Null where no page has an origin of its own. */
  sendOn: SendOn | null
  /** Milliseconds since the epoch. */
  nowMs(): number
}

type Asked = Pick<Arrival, 'request' | 'target' | 'isOwnHost'>

/** Serves everything below `/p/`: asks the gate of the page, then responds to the request. */
export function createServe(deps: ServeDeps) {
  const { pages, views, identities, visitTokens, gates, notices, content, shell, viewer } = deps
  const { frameDocuments, frameRenewal, viewerRenewal, viewFacts } = deps
  const { sideCounting, readAgent, originOf, sendOn, nowMs } = deps
  const rules = { etagOf: content.etagOf, originOf }

  /**
   * Nothing is awaited before the count of a view whose page is in memory: each wait costs time.
   *
   * @param isOwnHost for an address with a frame token on the page's own host
   */
  function serve(request: Request, isOwnHost = false): Response | Promise<Response> {
    if (request.method === 'OPTIONS') return notices.preflight()
    const target = parseTarget(request.url)
    const refused = refusalOf(request, target)
    if (refused !== null) return notices.refused(request, refused)
    if (target === null) return notices.notFound(request)
    const cached = pages.cachedPage(target.slug)
    const asked = { request, target, isOwnHost }
    return cached === undefined ? find(asked) : identify(asked, cached)
  }

  async function find(asked: Asked): Promise<Response> {
    const found = await pages.findPublished(asked.target.slug)
    return found === undefined ? notices.notFound(asked.request) : identify(asked, found)
  }

  /** Synchronous where a cookie proves that a password was given: such views are frequent. */
  function identify(asked: Asked, publishedPage: PublishedPage): Response | Promise<Response> {
    const { request, target, isOwnHost } = asked
    const now = nowMs()
    const agent = readAgent(request.headers.get('user-agent') ?? '')
    const isAnonymous = target.frameToken === null && !request.headers.has('cookie')
    const identity = isAnonymous
      ? identities.anonymous
      : identities.of(request, { target, page: publishedPage.page, nowMs: now })
    const arrive = (known: Identity) =>
      checkLimit({ request, target, isOwnHost, publishedPage, identity: known, agent, nowMs: now })
    return identity instanceof Promise ? identity.then(arrive) : arrive(identity)
  }

  function checkLimit(arrival: Arrival): Response | Promise<Response> {
    const { visitor } = arrival.identity
    if (!checksLimit(arrival)) return askGate(arrival, visitor)
    return isLimitReached(views, arrival.publishedPage).then((isBeyondLimit) =>
      askGate(arrival, isBeyondLimit ? { ...visitor, isBeyondLimit } : visitor),
    )
  }

  /**
   * The order of the steps is a security property: only what `decide` returns leads to the content
   * of the page, so all that comes before depends on none of it.
   */
  function askGate(arrival: Arrival, facts: VisitorFacts): Response | Promise<Response> {
    const { request, target, publishedPage } = arrival
    const decision = decideOn(arrival, facts)
    const isForm = request.method === 'POST'
    if (!isForm && target.frameToken === '' && target.path === 'status') {
      return gates.status(decision)
    }
    if (decision.outcome === 'notice') {
      sideCounting.refused(request, arrival, decision)
      return notices.closed(request, publishedPage, decision.notice)
    }
    if (isForm) return handleForm(arrival, decision)
    if (isForStub(arrival)) return notices.stub(request, publishedPage)
    if (!isTokenFor(arrival)) return notices.notFound(request)
    if (decision.outcome === 'ask') {
      sideCounting.refused(request, arrival, decision)
      return refuse(arrival, decision)
    }
    const openPage = contentOf(arrival, decision)
    return openPage instanceof Promise
      ? openPage.then((loaded) => (loaded ? respond(arrival, loaded) : notices.notFound(request)))
      : respond(arrival, openPage)
  }

  /** The gate. A frame address opened as a window leads to it at the page's own. */
  function refuse(arrival: Arrival, ask: Extract<Closed, { outcome: 'ask' }>): Response {
    const { request, target, identity, publishedPage } = arrival
    const isPreview = identity.preview !== null
    if (target.frameToken !== null && isWindow(request) && !isPreview) {
      return notices.redirect(request, publishedPage, { location: `/p/${target.slug}` })
    }
    return gates.show(request, { publishedPage, ask, path: target.path ?? '', isPreview })
  }

  function contentOf(
    { publishedPage, identity }: Arrival,
    admission: Admission | Admission<'preview'>,
  ): OpenPage | Promise<OpenPage | null> {
    if (admission.purpose === 'view') return pages.contentOf(open(publishedPage, admission))
    return pages.openPreview(open(publishedPage, admission), identity.preview!)
  }

  function respond(arrival: Arrival, openPage: OpenPage): Response | Promise<Response> {
    const { request } = arrival
    const pageRequest = classify({ ...arrival, publishedPage: openPage, rules })
    const { asked } = pageRequest
    if (asked.kind === 'redirect') return notices.redirect(request, openPage, asked)
    if (asked.kind === 'frame_renewal') return frameRenewal.give(pageRequest)
    if (asked.kind === 'viewer_renewal') {
      return viewerRenewal(request, pageRequest) ?? notices.notFound(request)
    }
    if (!isContentRequest(pageRequest)) return noFile(request, pageRequest)
    if (asked.kind === 'frame') return giveFrame(request, pageRequest)
    return countAndShow(request, pageRequest)
  }

  async function giveFrame(request: Request, pageRequest: ContentRequest): Promise<Response> {
    const mayGive = await frameDocuments.mayGive(request, pageRequest)
    if (!mayGive) return frameRenewal.given(request, pageRequest)
    return countAndShow(request, pageRequest)
  }

  function countAndShow(
    request: Request,
    pageRequest: ContentRequest,
  ): Response | Promise<Response> {
    if (pageRequest.counts !== 'view') {
      sideCounting.served(request, pageRequest)
      return show(request, pageRequest)
    }
    const isCounted = count(request, pageRequest)
    if (isCounted === true) return show(request, pageRequest)
    return Promise.resolve(isCounted).then((isGranted) =>
      isGranted ? show(request, pageRequest) : refuseView(request, pageRequest),
    )
  }

  function show(request: Request, pageRequest: ContentRequest): Response | Promise<Response> {
    const { publishedPage, shape, startsVisit, nowMs: now } = pageRequest
    const sent = request.headers.get('cookie')
    const { page } = publishedPage
    const cookies = startsVisit ? visitTokens.visitCookies(sent, page, now) : NO_COOKIES
    if (shape === 'own_host' && sendOn) return sendOn(request, pageRequest, cookies)
    if (shape === 'shell') return shell(request, pageRequest, cookies)
    if (shape === 'viewer') return viewer(request, pageRequest, cookies)
    return content.respond(request, pageRequest, cookies)
  }

  function noFile(request: Request, { target, publishedPage, ownHost }: PageRequest) {
    const isInShell = target.frameToken !== null && !publishedPage.isPreview
    const isForFrame = isInShell && request.headers.get('sec-fetch-dest') === 'iframe'
    return isForFrame ? deps.showFrameNotice(request, ownHost !== null) : notices.notFound(request)
  }

  function handleForm(
    { request, publishedPage, target }: Arrival,
    decision: Exclude<AnyDecision, { outcome: 'notice' }>,
  ) {
    if (decision.outcome === 'ask') {
      return gates.submit(request, { publishedPage, ask: decision, path: target.path ?? '' })
    }
    const location = `/p/${target.slug}`
    return notices.redirect(request, publishedPage, { location, status: 303 })
  }

  /** Counts the view before the first byte of the content is sent. */
  function count(request: Request, pageRequest: PageRequest): boolean | Promise<boolean> {
    const { page, max_views: maxViews, gate } = pageRequest.publishedPage
    return views.count(page.id, {
      limited: maxViews !== null,
      notify: gate.notify_on_view,
      hour: hourOf(pageRequest.nowMs),
      viewer: viewFacts.viewerOf(request, pageRequest),
      facts: viewFacts.factsOf(request, pageRequest),
      sharedFacts: pageRequest.agent.facts,
    })
  }

  /** A view was refused by its limit, or its page was deleted after it was found. */
  async function refuseView(request: Request, pageRequest: PageRequest) {
    const { publishedPage, target } = pageRequest
    const isThere = (await pages.findPublished(target.slug)) !== undefined
    if (!isThere) return notices.notFound(request)
    sideCounting.refused(request, pageRequest, BEYOND_LIMIT)
    return notices.closed(request, publishedPage, BEYOND_LIMIT.notice)
  }

  return serve
}

const NO_COOKIES: readonly string[] = []
const BEYOND_LIMIT = { outcome: 'notice', notice: 'view_limit' } as const
