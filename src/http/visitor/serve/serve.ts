import { type Closed, type Decision, decide, open } from '../../../features/access/index.ts'
import type { Links } from '../../../features/links/index.ts'
import { isPreviewToken, type OpenPage, type PublishedPage } from '../../../features/pages/index.ts'
import { hourOf } from '../../../features/views/index.ts'
import type { Admission } from '../../../model/page/admission.ts'
import { type Form, readForm } from '../../kit/body.ts'
import { AGREEMENT_NAME } from '../gates/agreement.ts'
import type { GateDeps, Gates } from '../gates/routes.ts'
import type { SendOn } from '../origins/send-on.ts'
import type { Panel } from '../panel/panel.ts'
import type { AdmitDeps } from '../request/admit.ts'
import {
  type ClassifyInput,
  classify,
  createAgentReader,
  createViewFacts,
  isContentRequest,
  type OriginOf,
  parseTarget,
  refusalOf,
  type ViewFactsDeps,
} from '../request/classify.ts'
import { after, isWindow } from '../request/identity.ts'
import type { Answer, ContentRequest, MakeAnswer, PageRequest } from '../request/page-request.ts'
import { PICTURE_NAME, renewalOf } from '../request/paths.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Frames } from '../shell/frame.ts'
import type { OwnDocuments } from '../shell/response.ts'
import type { ContentResponses } from './content.ts'
import type { Notices } from './notices.ts'
import type { Pictures } from './pictures.ts'
import type { SideCounting } from './side-counts.ts'

export interface ServeDeps
  extends ViewFactsDeps,
    Pick<GateDeps, 'bodyReader'>,
    Pick<AdmitDeps, 'pages' | 'views' | 'identities' | 'nowMs'> {
  links: Pick<Links, 'isClosed'>
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
}

/** A request that has come to the gate of a page. */
interface Arrival extends Omit<ClassifyInput, 'publishedPage' | 'rules'> {
  publishedPage: PublishedPage
  /** Whether the view limit was not read, so that only a counted view may be answered. */
  mustCount?: boolean
  /** The form of a gate, once all of it has arrived. */
  form: Promise<Form> | undefined
}
type Addressed = Pick<Arrival, 'request' | 'target' | 'isOwnHost' | 'form'>

/** For what the request is: the page, or a preview of it. */
type AnyDecision = Decision | Decision<'preview'>

interface Serving extends ServeDeps {
  readAgent: ReturnType<typeof createAgentReader>
  viewFacts: ReturnType<typeof createViewFacts>
  rules: ClassifyInput['rules']
  /** The states of pages whose limit a view has found reached: their counters are read first. */
  exhausted: WeakSet<PublishedPage>
}

/** Serves everything below `/p/`: asks the gate of the page, then responds to the request. */
export function createServe(deps: ServeDeps) {
  const serving: Serving = {
    ...deps,
    readAgent: createAgentReader(),
    viewFacts: createViewFacts(deps),
    rules: { etagOf: deps.content.etagOf, originOf: deps.originOf },
    exhausted: new WeakSet(),
  }
  /** @param isOwnHost for an address with a frame token on the page's own host */
  return (request: Request, isOwnHost = false) => serve(serving, request, isOwnHost)
}

/** Nothing is awaited for a page in memory but the count of a limited view: a wait costs time. */
function serve(serving: Serving, request: Request, isOwnHost: boolean) {
  const { bodyReader, notices } = serving
  if (request.method === 'OPTIONS') return notices.preflight()
  const target = parseTarget(request.url)
  const reason = refusalOf(request, target)
  if (reason !== null) return notices.refused(request, reason)
  if (target === null) return notices.notFound(request)
  const form = request.method === 'POST' ? readForm(request, bodyReader) : undefined
  const addressed = { request, target, isOwnHost, form }
  if (form === undefined) return find(serving, addressed)
  // The page may be closed while the form arrives.
  return form.catch(() => {}).then(() => find(serving, addressed))
}

function find(serving: Serving, addressed: Addressed): Response | Promise<Response> {
  const { pages, notices } = serving
  const { request, target } = addressed
  const cached = pages.cachedPage(target.slug)
  if (cached !== undefined) return identify(serving, addressed, cached)
  return pages
    .findPublished(target.slug)
    .then((page) => (page ? identify(serving, addressed, page) : notices.notFound(request)))
}

/** Synchronous unless a session may have to be looked up. */
function identify(
  serving: Serving,
  { request, target, isOwnHost, form }: Addressed,
  publishedPage: PublishedPage,
): Response | Promise<Response> {
  const { identities, readAgent } = serving
  const nowMs = serving.nowMs()
  const agent = readAgent(request.headers.get('user-agent') ?? '')
  const { anonymous: identity } = identities
  const arrival = { request, target, isOwnHost, form, publishedPage, identity, agent, nowMs }
  const isAnonymous = target.frameToken === null && !request.headers.has('cookie')
  if (isAnonymous) return checkLimit(serving, arrival)
  const sender = identities.of(request, { target, page: publishedPage.page, nowMs })
  return after(sender, (person) => checkLimit(serving, { ...arrival, identity: person }))
}

function checkLimit(serving: Serving, arrival: Arrival): Response | Promise<Response> {
  if (!needsLimit(arrival)) return askGate(serving, arrival)
  const isReadFirst = !mayCountFirst(arrival) || serving.exhausted.has(arrival.publishedPage)
  return isReadFirst
    ? readLimit(serving, arrival)
    : askGate(serving, { ...arrival, mustCount: true })
}

async function readLimit(serving: Serving, arrival: Arrival): Promise<Response> {
  const { publishedPage, identity } = arrival
  const isBeyondLimit = await serving.views.isLimitReached(publishedPage.page.id)
  const visitor = { ...identity.visitor, isBeyondLimit }
  return askGate(serving, { ...arrival, identity: { ...identity, visitor }, mustCount: false })
}

/**
 * The order of the steps is a security property: only what `decide` returns leads to the content
 * of the page, so all that comes before depends on none of it.
 */
function askGate(serving: Serving, arrival: Arrival): Response | Promise<Response> {
  const { gates, notices, sideCounting } = serving
  const { request, target, form, publishedPage, identity } = arrival
  const decision = decideOn(arrival)
  const isOfService = target.frameToken === ''
  if (form === undefined && isOfService) {
    if (target.path === 'status') return gates.status(decision)
    if (target.path === PICTURE_NAME) return showPicture(serving, arrival)
  }
  if (decision.outcome === 'notice') {
    sideCounting.refused(arrival, decision, identity.visitor.link_id)
    return notices.closed(request, publishedPage, decision.notice)
  }
  if (form !== undefined) return handleForm(serving, { ...arrival, form }, decision)
  if (isForStub(arrival)) return notices.stub(request, publishedPage)
  if (isOfService && target.path === AGREEMENT_NAME) {
    const file = gates.agreementFile(request, publishedPage, decision)
    return file.then((response) => response ?? notices.notFound(request))
  }
  if (!isTokenFor(arrival)) return notices.notFound(request)
  if (decision.outcome === 'ask') {
    sideCounting.refused(arrival, decision, identity.visitor.link_id)
    return showGate(serving, arrival, decision)
  }
  const openPage = contentOf(serving, arrival, decision)
  if (!(openPage instanceof Promise)) return respond(serving, arrival, openPage)
  return openPage.then((page) =>
    page ? respond(serving, arrival, page) : notices.notFound(request),
  )
}

async function showPicture(
  { identities, pictures, notices }: Serving,
  { request, publishedPage, identity, nowMs }: Arrival,
): Promise<Response> {
  const { isBeyondLimit } = identity.visitor
  const nobody = { ...identities.anonymous.visitor, isBeyondLimit }
  const answer = await pictures.answer(request, publishedPage, { nobody, nowMs })
  return answer ?? notices.notFound(request)
}

/** The gate. A frame address opened as a window leads to it at the page's own. */
function showGate(
  { notices, gates }: Serving,
  { request, target, identity, publishedPage }: Arrival,
  ask: Extract<Closed, { outcome: 'ask' }>,
): Response | Promise<Response> {
  const isPreview = identity.preview !== null
  if (target.frameToken !== null && isWindow(request) && !isPreview) {
    return notices.redirect(request, publishedPage, { location: `/p/${target.slug}` })
  }
  const gate = { publishedPage, ask, visitor: identity.visitor, path: target.path ?? '' }
  return gates.show(request, gate, isPreview)
}

function contentOf(
  { pages }: Serving,
  { publishedPage, identity }: Arrival,
  admission: Admission | Admission<'preview'>,
): OpenPage | Promise<OpenPage | null> {
  if (admission.purpose === 'view') return pages.contentOf(open(publishedPage, admission))
  return pages.openPreview(open(publishedPage, admission), identity.preview!)
}

function handleForm(
  { gates, notices }: Serving,
  { request, form, publishedPage, target, identity }: Arrival & { form: Promise<Form> },
  decision: Exclude<AnyDecision, { outcome: 'notice' }>,
): Response | Promise<Response> {
  if (decision.outcome === 'ask') {
    const gate = { ask: decision, visitor: identity.visitor, path: target.path ?? '' }
    return gates.submit(request, form, { publishedPage, ...gate })
  }
  const location = `/p/${target.slug}`
  return notices.redirect(request, publishedPage, { location, status: 303 })
}

/** Responds with what the gate has opened. A view is counted before. */
function respond(
  serving: Serving,
  arrival: Arrival,
  openPage: OpenPage,
): Response | Promise<Response> {
  const { notices, frames, panel, rules } = serving
  const { request, target, isOwnHost, identity, agent, nowMs } = arrival
  // Written out: a spread takes longer, and every view passes here.
  const pageRequest = classify({
    request,
    target,
    isOwnHost,
    publishedPage: openPage,
    identity,
    agent,
    nowMs,
    rules,
  })
  const { resource } = pageRequest
  if (arrival.mustCount && pageRequest.counts !== 'view') return readLimit(serving, arrival)
  if (resource.kind === 'redirect') return notices.redirect(request, openPage, resource)
  if (resource.kind === 'frame_renewal') return frames.renew(pageRequest)
  if (resource.kind === 'viewer_renewal') {
    return panel.renewViewer(pageRequest) ?? notices.notFound(request)
  }
  if (!isContentRequest(pageRequest)) return noFile(serving, pageRequest)
  if (resource.kind === 'frame') return giveFrame(serving, pageRequest)
  return give(serving, pageRequest)
}

/** What is made of a file is made before the view is counted: a failure uses up none. */
function give(serving: Serving, pageRequest: ContentRequest): Response | Promise<Response> {
  const { shape } = pageRequest
  if (shape !== 'markdown' && shape !== 'marked') return countAndShow(serving, pageRequest)
  return serving[shape](pageRequest).then((answer) =>
    answer instanceof Response ? answer : countAndShow(serving, pageRequest, answer),
  )
}

async function giveFrame(serving: Serving, pageRequest: ContentRequest): Promise<Response> {
  const { sideCounting, frames } = serving
  await sideCounting.markOpened(pageRequest)
  const mayGive = await frames.mayGive(pageRequest)
  return mayGive ? give(serving, pageRequest) : frames.sentBefore(pageRequest)
}

function countAndShow(
  serving: Serving,
  pageRequest: ContentRequest,
  answer?: Answer,
): Response | Promise<Response> {
  if (pageRequest.counts !== 'view') {
    serving.sideCounting.served(pageRequest)
    return show(serving, pageRequest, answer)
  }
  const isCounted = count(serving, pageRequest)
  if (isCounted === true) return show(serving, pageRequest, answer)
  return Promise.resolve(isCounted).then((isGranted) =>
    isGranted ? show(serving, pageRequest, answer) : refuseView(serving, pageRequest),
  )
}

function show(
  { visitTokens, sendOn, documents, content }: Serving,
  pageRequest: ContentRequest,
  answer: Answer | undefined,
): Response | Promise<Response> {
  const { request, shape, startsVisit, nowMs } = pageRequest
  const { page } = pageRequest.publishedPage
  const cookies = startsVisit
    ? visitTokens.visitCookies(request.headers.get('cookie'), page, nowMs)
    : NO_COOKIES
  if (shape === 'own_host' && sendOn) return sendOn(pageRequest, cookies)
  if (shape === 'shell') return documents.shell(pageRequest, cookies)
  if (shape === 'viewer') return documents.viewer(pageRequest, cookies)
  return answer?.(cookies) ?? content.respond(pageRequest, cookies)
}

function noFile({ frames, notices }: Serving, pageRequest: PageRequest) {
  const { request, target, publishedPage, ownHost } = pageRequest
  const isInShell = target.frameToken !== null && !publishedPage.isPreview
  const isForFrame = isInShell && request.headers.get('sec-fetch-dest') === 'iframe'
  return isForFrame ? frames.notice(request, ownHost !== null) : notices.notFound(request)
}

/** Counts the view before the first byte of the content is sent. */
function count(
  { views, viewFacts }: Serving,
  pageRequest: PageRequest,
): boolean | Promise<boolean> {
  const { page, plan } = pageRequest.publishedPage
  return views.count(page.id, {
    limited: plan.counting.limited,
    notify: plan.counting.notify,
    linkId: pageRequest.visitor.link_id ?? undefined,
    hour: hourOf(pageRequest.nowMs),
    viewer: viewFacts.viewerOf(pageRequest),
    facts: viewFacts.factsOf(pageRequest),
    sharedFacts: pageRequest.agent.facts,
  })
}

/** A view was refused by its limit, or its page was deleted after it was read. */
async function refuseView(serving: Serving, pageRequest: PageRequest): Promise<Response> {
  const { pages, notices, links, sideCounting, exhausted } = serving
  const { request, publishedPage, target, visitor } = pageRequest
  if ((await pages.findPublished(target.slug)) === undefined) return notices.notFound(request)
  const { link_id: linkId } = visitor
  const isClosed = linkId !== null && (await links.isClosed(publishedPage.page.id, linkId, true))
  if (!isClosed) exhausted.add(publishedPage)
  const decision = isClosed ? LINK_CLOSED : BEYOND_LIMIT
  sideCounting.refused(pageRequest, decision, linkId)
  return notices.closed(request, publishedPage, decision.notice)
}

const NO_COOKIES: readonly string[] = []
const BEYOND_LIMIT = { outcome: 'notice', notice: 'view_limit' } as const
const LINK_CLOSED = { outcome: 'notice', notice: 'link_closed' } as const

function decideOn({ publishedPage: { gate }, identity, nowMs }: Arrival): AnyDecision {
  const { visitor, preview } = identity
  return preview === null ? decide(gate, visitor, nowMs) : decide(gate, visitor, nowMs, 'preview')
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
