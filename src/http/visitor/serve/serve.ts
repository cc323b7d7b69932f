import {
  type Closed,
  type Decision,
  decide,
  open,
  type VisitorFacts,
} from '../../../features/access/index.ts'
import type { Links } from '../../../features/links/index.ts'
import {
  isPreviewToken,
  type OpenPage,
  type Pages,
  type PublishedPage,
} from '../../../features/pages/index.ts'
import { hourOf, type Views } from '../../../features/views/index.ts'
import type { Admission } from '../../../model/page/admission.ts'
import { AGREEMENT_NAME } from '../gates/agreement.ts'
import type { Gates } from '../gates/routes.ts'
import type { SendOn } from '../origins/send-on.ts'
import type { Panel } from '../panel/panel.ts'
import {
  type Arrival,
  classify,
  createAgentReader,
  createViewFacts,
  isContentRequest,
  type OriginOf,
  parseTarget,
  refusalOf,
  type ViewFactsDeps,
} from '../request/classify.ts'
import { type Identities, isWindow } from '../request/identity.ts'
import type { Answer, ContentRequest, MakeAnswer, PageRequest } from '../request/page-request.ts'
import { PICTURE_NAME, renewalOf } from '../request/paths.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Frames } from '../shell/frame.ts'
import type { OwnDocuments } from '../shell/response.ts'
import type { ContentResponses } from './content.ts'
import type { Notices } from './notices.ts'
import type { Pictures } from './pictures.ts'
import type { SideCounting } from './side-counts.ts'

export interface ServeDeps extends ViewFactsDeps {
  pages: Pages
  views: Views
  links: Pick<Links, 'isClosed'>
  identities: Identities
  visitTokens: VisitTokens
  gates: Gates
  notices: Notices
  pictures: Pictures
  content: ContentResponses
  markdown: MakeAnswer
  marked: MakeAnswer
  documents: OwnDocuments
  frames: Frames
  panel: Panel
  sideCounting: SideCounting
  originOf: OriginOf | null
  /** Null where no page has an origin of its own. */
  sendOn: SendOn | null
  /** Milliseconds since the epoch. */
  nowMs(): number
}

type Addressed = Pick<Arrival, 'request' | 'target' | 'isOwnHost'>

/** For what the request is: the page, or a preview of it. */
type AnyDecision = Decision | Decision<'preview'>

/** The states of pages whose limit a view has found reached: their counters are read first. */
type ExhaustedPages = WeakSet<PublishedPage>

/** Serves everything below `/p/`: asks the gate of the page, then responds to the request. */
export function createServe(deps: ServeDeps) {
  const { pages, views, identities, gates, notices, sideCounting, nowMs } = deps
  const readAgent = createAgentReader()
  const exhausted: ExhaustedPages = new WeakSet()
  const respond = createRespond(deps, exhausted)

  /**
   * Nothing is awaited for a page in memory but the count of a limited view: each wait costs time.
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
    const addressed = { request, target, isOwnHost }
    return cached === undefined ? load(addressed) : identify(addressed, cached)
  }

  async function load(addressed: Addressed): Promise<Response> {
    const { request, target } = addressed
    const page = await pages.findPublished(target.slug)
    return page === undefined ? notices.notFound(request) : identify(addressed, page)
  }

  /** Synchronous unless a session may have to be looked up. */
  function identify(
    { request, target, isOwnHost }: Addressed,
    publishedPage: PublishedPage,
  ): Response | Promise<Response> {
    const now = nowMs()
    const agent = readAgent(request.headers.get('user-agent') ?? '')
    const isAnonymous = target.frameToken === null && !request.headers.has('cookie')
    const identity = isAnonymous
      ? identities.anonymous
      : identities.of(request, { target, page: publishedPage.page, nowMs: now })
    if (!(identity instanceof Promise)) {
      return checkLimit({ request, target, isOwnHost, publishedPage, identity, agent, nowMs: now })
    }
    const arrival = { request, target, isOwnHost, publishedPage, agent, nowMs: now }
    return identity.then((sender) => checkLimit({ ...arrival, identity: sender }))
  }

  function checkLimit(arrival: Arrival): Response | Promise<Response> {
    const { publishedPage, identity } = arrival
    const mustCheck = needsLimit(arrival)
    if (mustCheck && (!mayCountFirst(arrival) || exhausted.has(publishedPage))) {
      return readLimit(arrival)
    }
    return askGate(arrival, identity.visitor, mustCheck)
  }

  async function readLimit(arrival: Arrival): Promise<Response> {
    const { publishedPage, identity } = arrival
    const isBeyondLimit = await views.isLimitReached(publishedPage.page.id)
    return askGate(arrival, { ...identity.visitor, isBeyondLimit }, false)
  }

  /**
   * The order of the steps is a security property: only what `decide` returns leads to the content
   * of the page, so all that comes before depends on none of it.
   *
   * @param mustCount whether the limit was not read, so that only a counted view may be answered
   */
  function askGate(
    arrival: Arrival,
    facts: VisitorFacts,
    mustCount: boolean,
  ): Response | Promise<Response> {
    const { request, target, publishedPage } = arrival
    const decision = decideOn(arrival, facts)
    const isForm = request.method === 'POST'
    if (!isForm && target.frameToken === '') {
      if (target.path === 'status') return gates.status(decision)
      if (target.path === PICTURE_NAME) return showPicture(arrival, facts)
    }
    if (decision.outcome === 'notice') {
      sideCounting.refused(request, arrival, decision, arrival.identity.visitor.link_id)
      return notices.closed(request, publishedPage, decision.notice)
    }
    if (isForm) return handleForm(arrival, decision)
    if (isForStub(arrival)) return notices.stub(request, publishedPage)
    if (target.frameToken === '' && target.path === AGREEMENT_NAME) {
      return giveAgreement(arrival, decision)
    }
    if (!isTokenFor(arrival)) return notices.notFound(request)
    if (decision.outcome === 'ask') {
      sideCounting.refused(request, arrival, decision, arrival.identity.visitor.link_id)
      return refuse(arrival, decision)
    }
    const openPage = contentOf(arrival, decision)
    const respondWith = (loaded: OpenPage) =>
      respond(arrival, loaded, mustCount) ?? readLimit(arrival)
    if (!(openPage instanceof Promise)) return respondWith(openPage)
    return openPage.then((loaded) => (loaded ? respondWith(loaded) : notices.notFound(request)))
  }

  async function showPicture(arrival: Arrival, { isBeyondLimit }: VisitorFacts): Promise<Response> {
    const { request, publishedPage, nowMs: now } = arrival
    const nobody = { ...identities.anonymous.visitor, isBeyondLimit }
    const answer = await deps.pictures.answer(request, publishedPage, { nobody, nowMs: now })
    return answer ?? notices.notFound(request)
  }

  async function giveAgreement(arrival: Arrival, decision: AnyDecision): Promise<Response> {
    const { request, publishedPage } = arrival
    const file = await gates.agreementFile(request, publishedPage, decision)
    return file ?? notices.notFound(request)
  }

  /** The gate. A frame address opened as a window leads to it at the page's own. */
  function refuse(
    arrival: Arrival,
    ask: Extract<Closed, { outcome: 'ask' }>,
  ): Response | Promise<Response> {
    const { request, target, identity, publishedPage } = arrival
    const isPreview = identity.preview !== null
    if (target.frameToken !== null && isWindow(request) && !isPreview) {
      return notices.redirect(request, publishedPage, { location: `/p/${target.slug}` })
    }
    const gate = { publishedPage, ask, visitor: identity.visitor, path: target.path ?? '' }
    return gates.show(request, gate, isPreview)
  }

  function contentOf(
    { publishedPage, identity }: Arrival,
    admission: Admission | Admission<'preview'>,
  ): OpenPage | Promise<OpenPage | null> {
    if (admission.purpose === 'view') return pages.contentOf(open(publishedPage, admission))
    return pages.openPreview(open(publishedPage, admission), identity.preview!)
  }

  function handleForm(
    { request, publishedPage, target, identity }: Arrival,
    decision: Exclude<AnyDecision, { outcome: 'notice' }>,
  ) {
    if (decision.outcome === 'ask') {
      const gate = { ask: decision, visitor: identity.visitor, path: target.path ?? '' }
      return gates.submit(request, { publishedPage, ...gate })
    }
    const location = `/p/${target.slug}`
    return notices.redirect(request, publishedPage, { location, status: 303 })
  }

  return serve
}

/** Responds with what the gate has opened. A view is counted before. */
function createRespond(deps: ServeDeps, exhausted: ExhaustedPages) {
  const { pages, views, links, visitTokens, notices, content, documents } = deps
  const { frames, panel, sideCounting, originOf, sendOn } = deps
  const viewFacts = createViewFacts(deps)
  const rules = { etagOf: content.etagOf, originOf }

  /**
   * @param mustCount whether only a counted view may be answered
   * @returns null where the limit has to be read first
   */
  function respond(
    arrival: Arrival,
    openPage: OpenPage,
    mustCount: boolean,
  ): Response | Promise<Response> | null {
    const { request, target, isOwnHost, identity, agent, nowMs: now } = arrival
    // Written out: a spread takes longer, and every view passes here.
    const pageRequest = classify({
      request,
      target,
      isOwnHost,
      publishedPage: openPage,
      identity,
      agent,
      nowMs: now,
      rules,
    })
    const { asked } = pageRequest
    if (mustCount && pageRequest.counts !== 'view') return null
    if (asked.kind === 'redirect') return notices.redirect(request, openPage, asked)
    if (asked.kind === 'frame_renewal') return frames.renew(pageRequest)
    if (asked.kind === 'viewer_renewal') {
      return panel.renewViewer(request, pageRequest) ?? notices.notFound(request)
    }
    if (!isContentRequest(pageRequest)) return noFile(request, pageRequest)
    if (asked.kind === 'frame') return giveFrame(request, pageRequest)
    return give(request, pageRequest)
  }

  /** What is made of a file is made before the view is counted: a failure uses up none. */
  function give(request: Request, pageRequest: ContentRequest) {
    const { shape } = pageRequest
    if (shape === 'markdown' || shape === 'marked') {
      return deps[shape](request, pageRequest).then((made) =>
        made instanceof Response ? made : countAndShow(request, pageRequest, made),
      )
    }
    return countAndShow(request, pageRequest)
  }

  async function giveFrame(request: Request, pageRequest: ContentRequest) {
    await sideCounting.opened(pageRequest)
    const mayGive = await frames.mayGive(request, pageRequest)
    if (!mayGive) return frames.sentBefore(request, pageRequest)
    return give(request, pageRequest)
  }

  function countAndShow(
    request: Request,
    pageRequest: ContentRequest,
    answer?: Answer,
  ): Response | Promise<Response> {
    if (pageRequest.counts !== 'view') {
      sideCounting.served(request, pageRequest)
      return show(request, pageRequest, answer)
    }
    const isCounted = count(request, pageRequest)
    if (isCounted === true) return show(request, pageRequest, answer)
    return Promise.resolve(isCounted).then((isGranted) =>
      isGranted ? show(request, pageRequest, answer) : refuseView(request, pageRequest),
    )
  }

  function show(
    request: Request,
    pageRequest: ContentRequest,
    answer: Answer | undefined,
  ): Response | Promise<Response> {
    const { shape, startsVisit, nowMs: now } = pageRequest
    const { page } = pageRequest.publishedPage
    const cookies = startsVisit
      ? visitTokens.visitCookies(request.headers.get('cookie'), page, now)
      : NO_COOKIES
    if (shape === 'own_host' && sendOn) return sendOn(request, pageRequest, cookies)
    if (shape === 'shell') return documents.shell(request, pageRequest, cookies)
    if (shape === 'viewer') return documents.viewer(request, pageRequest, cookies)
    return answer?.(cookies) ?? content.respond(request, pageRequest, cookies)
  }

  function noFile(request: Request, { target, publishedPage, ownHost }: PageRequest) {
    const isInShell = target.frameToken !== null && !publishedPage.isPreview
    const isForFrame = isInShell && request.headers.get('sec-fetch-dest') === 'iframe'
    return isForFrame ? frames.notice(request, ownHost !== null) : notices.notFound(request)
  }

  /** Counts the view before the first byte of the content is sent. */
  function count(request: Request, pageRequest: PageRequest): boolean | Promise<boolean> {
    const { page, plan } = pageRequest.publishedPage
    return views.count(page.id, {
      limited: plan.counting.limited,
      notify: plan.counting.notify,
      linkId: pageRequest.visitor.link_id ?? undefined,
      hour: hourOf(pageRequest.nowMs),
      viewer: viewFacts.viewerOf(request, pageRequest),
      facts: viewFacts.factsOf(request, pageRequest),
      sharedFacts: pageRequest.agent.facts,
    })
  }

  /** A view was refused by its limit, or its page was deleted after it was found. */
  async function refuseView(request: Request, pageRequest: PageRequest) {
    const { publishedPage, target } = pageRequest
    if ((await pages.findPublished(target.slug)) === undefined) return notices.notFound(request)
    const { page } = publishedPage
    const { link_id: linkId } = pageRequest.visitor
    if (linkId !== null && (await links.isClosed(page.id, linkId, true))) {
      sideCounting.refused(request, pageRequest, LINK_CLOSED, linkId)
      return notices.closed(request, publishedPage, LINK_CLOSED.notice)
    }
    exhausted.add(publishedPage)
    sideCounting.refused(request, pageRequest, BEYOND_LIMIT, linkId)
    return notices.closed(request, publishedPage, BEYOND_LIMIT.notice)
  }

  return respond
}

const NO_COOKIES: readonly string[] = []
const BEYOND_LIMIT = { outcome: 'notice', notice: 'view_limit' } as const
const LINK_CLOSED = { outcome: 'notice', notice: 'link_closed' } as const

function decideOn({ publishedPage, identity, nowMs }: Arrival, facts: VisitorFacts): AnyDecision {
  const { gate } = publishedPage
  return identity.preview === null
    ? decide(gate, facts, nowMs)
    : decide(gate, facts, nowMs, 'preview')
}

/**
 * Whether an address has no token, or one that leads on. One that does not hold is like a missing
 * file, except in a window, which goes to the page's own address.
 */
function isTokenFor({ request, target, identity }: Arrival): boolean {
  const { frameToken } = target
  if (frameToken === null || identity.hasFrameToken) return true
  if (renewalOf(request, target) !== null) return true
  return isWindow(request) && !isPreviewToken(frameToken)
}

/** A counted visit continues. The panel's token says whether its view was counted. */
function needsLimit({ request, target, publishedPage, identity }: Arrival): boolean {
  if (publishedPage.max_views === null || identity.isCountedVisit) return false
  return renewalOf(request, target) !== 'viewer_renewal'
}

/**
 * Whether the request is probably a view, whose count enforces the limit, of a page that shows no
 * gate: the limit comes before that, and before what preview agents get.
 */
function mayCountFirst({ request, target, publishedPage, agent }: Arrival): boolean {
  if (request.method !== 'GET' || target.frameToken !== null || agent.isPreview) return false
  return publishedPage.gate.is_open
}

/** Preview agents get no content of pages that are gated or have a view limit, and no draft. */
function isForStub({ agent, publishedPage, identity }: Arrival): boolean {
  if (!agent.isPreview) return false
  if (identity.preview !== null) return true
  const { gate, max_views: maxViews } = publishedPage
  return gate.access !== 'private' && (!gate.is_open || maxViews !== null)
}
