import { type Decision, decide } from '../../../features/access/index.ts'
import { isPreviewToken, type Pages, type PublishedPage } from '../../../features/pages/index.ts'
import { hourOf, type Views } from '../../../features/views/index.ts'
import type { Gates } from '../gates/routes.ts'
import type { SendOn } from '../origins/send-on.ts'
import type { GiveViewerRenewal } from '../panel/viewer-renewal.ts'
import {
  type ClassifyInput,
  type ClassifyRules,
  classify,
  isContentRequest,
  type OriginOf,
  parseTarget,
  refusalOf,
} from '../request/classify.ts'
import type { FrameDocuments } from '../request/frame-documents.ts'
import type { Identities, Identity } from '../request/identity.ts'
import type { ContentRequest, PageRequest } from '../request/page-request.ts'
import type { Target } from '../request/paths.ts'
import type { ViewFacts } from '../request/view-facts.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { ShowFrameNotice } from '../shell/frame-notice.ts'
import type { FrameRenewal } from '../shell/frame-renewal.ts'
import type { Shell } from '../shell/response.ts'
import type { Viewer } from '../viewer/response.ts'
import type { ContentResponses } from './content.ts'
import type { Notices } from './notices.ts'
import type { PreviewResponses, PreviewTarget } from './preview.ts'
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
  preview: PreviewResponses
  viewFacts: ViewFacts
  sideCounting: SideCounting
  readAgent: ClassifyRules['readAgent']
  originOf: OriginOf | null
  /** Null where no page has an origin of its own. */
  sendOn: SendOn | null
  /** Milliseconds since the epoch. */
  nowMs(): number
}

type AskedOf = Pick<ClassifyInput, 'request' | 'target' | 'isOwnHost'>

/** Serves everything below `/p/`: classifies a request for a page, then responds to it. */
export function createServe(deps: ServeDeps) {
  const { pages, views, identities, visitTokens, gates, notices, content, shell, viewer } = deps
  const { frameDocuments, frameRenewal, viewerRenewal, viewFacts } = deps
  const { sideCounting, readAgent, originOf, sendOn, nowMs } = deps
  const rules = { readAgent, etagOf: content.etagOf, originOf }

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
    if (cached === undefined) return find(asked)
    const isAnonymous = target.frameToken === null && !request.headers.has('cookie')
    return isAnonymous
      ? respondTo(asked, cached, { identity: identities.anonymous, now: nowMs() })
      : identify(asked, cached)
  }

  async function find(asked: AskedOf): Promise<Response> {
    const found = await pages.findPublished(asked.target.slug)
    return found === undefined ? notices.notFound(asked.request) : identify(asked, found)
  }

  /** Synchronous where a cookie proves that a password was given: such views are frequent. */
  function identify(asked: AskedOf, found: PublishedPage): Response | Promise<Response> {
    const { request, target } = asked
    if (isPreview(target)) return deps.preview(request, found, target)
    const now = nowMs()
    const identity = identities.of(request, { target, page: found.page, nowMs: now })
    return identity instanceof Promise
      ? identity.then((known) => respondTo(asked, found, { identity: known, now }))
      : respondTo(asked, found, { identity, now })
  }

  function respondTo(
    { request, target, isOwnHost }: AskedOf,
    found: PublishedPage,
    { identity, now }: { identity: Identity; now: number },
  ): Response | Promise<Response> {
    const respondWith = (publishedPage: PublishedPage) => {
      const input = { request, target, isOwnHost, publishedPage, identity, nowMs: now, rules }
      return respond(request, classify(input))
    }
    // Owners see the draft of a page that is not published.
    const isDraft = identity.visitor.is_owner && found.release === null
    return isDraft ? pages.draftOf(found).then(respondWith) : respondWith(found)
  }

  /**
   * The order of the steps is a security property: the gate comes before anything that shows
   * content.
   */
  function respond(request: Request, pageRequest: PageRequest): Response | Promise<Response> {
    const { visitor, publishedPage } = pageRequest
    if (!pageRequest.checksLimit) return admit(request, pageRequest, visitor)
    return isLimitReached(publishedPage.page.id).then((isBeyondLimit) =>
      admit(request, pageRequest, isBeyondLimit ? { ...visitor, isBeyondLimit } : visitor),
    )
  }

  function admit(
    request: Request,
    pageRequest: PageRequest,
    facts: Parameters<typeof decide>[1],
  ): Response | Promise<Response> {
    const { publishedPage, asked, shape } = pageRequest
    const decision = decide(publishedPage.gate, facts, pageRequest.nowMs)
    if (asked.kind === 'gate_status') return gates.status(decision)
    if (decision.outcome === 'notice') {
      sideCounting.refused(request, pageRequest, decision)
      return notices.closed(request, publishedPage, decision.notice)
    }
    if (asked.kind === 'form_action') return handleForm(request, pageRequest, decision)
    if (shape === 'stub') return notices.stub(request, publishedPage)
    if (decision.outcome === 'ask' && !pageRequest.isUngated) {
      sideCounting.refused(request, pageRequest, decision)
      return gates.show(request, gateOf(pageRequest, decision))
    }
    if (asked.kind === 'redirect') return notices.redirect(request, publishedPage, asked)
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

  function noFile(request: Request, { target, isUngated, ownHost }: PageRequest) {
    const hasFrameToken = Boolean(target.frameToken) && !isUngated
    const isForFrame = hasFrameToken && request.headers.get('sec-fetch-dest') === 'iframe'
    return isForFrame ? deps.showFrameNotice(request, ownHost !== null) : notices.notFound(request)
  }

  function handleForm(request: Request, pageRequest: PageRequest, decision: Decision) {
    const { publishedPage, target } = pageRequest
    if (decision.outcome === 'ask') return gates.submit(request, gateOf(pageRequest, decision))
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

  async function isLimitReached(pageId: string): Promise<boolean> {
    const counter = (await views.countersOf([pageId])).get(pageId)
    return counter === undefined || counter.views >= (counter.max_views ?? Infinity)
  }

  return serve
}

function isPreview(target: Target): target is PreviewTarget {
  return target.frameToken !== null && isPreviewToken(target.frameToken)
}

const NO_COOKIES: readonly string[] = []
const BEYOND_LIMIT = { outcome: 'notice', notice: 'view_limit' } as const

function gateOf(
  { publishedPage, target }: PageRequest,
  ask: Extract<Decision, { outcome: 'ask' }>,
) {
  return { publishedPage, ask, path: target.path ?? '' }
}
