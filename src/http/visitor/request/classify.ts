import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import { type ByteRange, parseRange } from '../../kit/ranges.ts'
import { isFrame, isNavigation, isPrefetch, isServiceWorker, wantsHtml } from './agents.ts'
import { claimsOf, type Identity, type VisitorIdentity } from './identity.ts'
import { isPreviewAgent } from './preview-agents.ts'
import { cleanPath, resolveTarget, type Target } from './target.ts'
import type { Claims } from './visit-tokens.ts'

/** What a request asks for. */
export type Asked =
  | AskedContent
  | { kind: 'form_action'; action: string }
  | { kind: 'redirect'; location: string }
  | { kind: 'nothing' }

export interface AskedContent {
  /**
   * `document`: HTML at its own address. `file`: the PDF or image that is the page. `asset`:
   * another file of a deck. `frame`: any file by frame token. `download`: the page's file as an
   * attachment.
   */
  kind: 'document' | 'file' | 'asset' | 'frame' | 'download'
  file: ReleaseFile
  /** The part of the file that is asked for; null for all of it. */
  range: ByteRange | 'unsatisfiable' | null
}

/** One request for a page: what it asks for, by whom, what it counts as, in which form. */
export interface PageRequest {
  readonly publishedPage: PublishedPage
  readonly target: Target
  readonly asked: Asked
  readonly visitor: VisitorIdentity
  /** What the visitor has proved, for the tokens that the answer carries; null behind no gate. */
  readonly claims: Claims | null
  /** `part-of-visit`: belongs to a visit that was counted before. */
  readonly counts: 'view' | 'part-of-visit' | 'none'
  /** Begins a visit: the requests that follow from this browser are part of it. */
  readonly startsVisit: boolean
  /** The view limit is checked before the gate; otherwise counting the view enforces it. */
  readonly checksLimit: boolean
  /** `stub`: link-preview tags without content, for preview agents. */
  readonly shape: 'direct' | 'shell' | 'viewer' | 'stub'
  /** The answer says nothing about the page's content, so it is given without asking the gate. */
  readonly isUngated: boolean
  /** Milliseconds since the epoch. */
  readonly nowMs: number
}

export interface ContentRequest extends PageRequest {
  readonly asked: AskedContent
}

export interface ClassifyInput {
  request: Request
  target: Target
  publishedPage: PublishedPage
  identity: Identity
  nowMs: number
  /** The ETag that a file is sent with, for `If-Range`. */
  etagOf(publishedPage: PublishedPage, file: ReleaseFile): string
  /** Each page has its own origin, which only the shell can lead a browser to. */
  hasOrigins: boolean
}

/** A request that is refused whichever page it is for. */
export type Refused = 'method' | 'service_worker' | 'prefetch'

export function refusalOf({ method, headers }: Request, target: Target | null): Refused | null {
  const isForm = method === 'POST' && target?.frameToken === ''
  if (method !== 'GET' && method !== 'HEAD' && !isForm) return 'method'
  if (isServiceWorker(headers)) return 'service_worker'
  return isPrefetch(headers) ? 'prefetch' : null
}

/** Decides what a request is, before anything is answered. Pure. */
export function classify(input: ClassifyInput): PageRequest {
  const { target, publishedPage, identity, nowMs } = input
  const { visitor, isCountedVisit } = identity
  const { page, max_views: maxViews } = publishedPage
  const isGated = page.settings.access !== 'link'
  const isAgent = isPreviewAgent(input.request.headers)
  const { asked, isUngated } = whatIsAsked(input)
  const isView = !isAgent && !visitor.is_owner && isViewOf(input, asked)
  return {
    publishedPage,
    target,
    asked,
    visitor,
    claims: isGated || visitor.is_owner ? claimsOf(visitor) : null,
    counts: isView ? 'view' : isCountedVisit ? 'part-of-visit' : 'none',
    startsVisit: isView && !isCountedVisit && hasVisits(publishedPage),
    // Behind no gate, the count that follows enforces the limit itself.
    checksLimit: maxViews !== null && !isCountedVisit && (!isView || isGated),
    shape: isAgent && hidesFromAgents(publishedPage) ? 'stub' : shapeOf(input, asked),
    isUngated,
    nowMs,
  }
}

export function isContentRequest(pageRequest: PageRequest): pageRequest is ContentRequest {
  return 'file' in pageRequest.asked
}

/** Whether the page's files are requested one by one after the view that was counted. */
export function hasVisits({ release, max_views: maxViews }: PublishedPage): boolean {
  return release?.kind === 'bundle' || (maxViews !== null && release?.file_name != null)
}

function whatIsAsked(input: ClassifyInput): { asked: Asked; isUngated: boolean } {
  const { request, target, publishedPage, identity } = input
  const { path, frameToken } = target
  if (request.method === 'POST') {
    return { asked: { kind: 'form_action', action: path ?? '' }, isUngated: true }
  }
  if (frameToken !== null && request.headers.get('sec-fetch-dest') === 'document') {
    // A frame address opened as a window leads to the page's own address.
    const location = cleanPath(publishedPage, target)
    return { asked: { kind: 'redirect', location }, isUngated: true }
  }
  // An invalid or expired frame token answers 404, so it cannot be told from a missing file.
  if (frameToken !== null && !identity.hasFrameToken) {
    return { asked: { kind: 'nothing' }, isUngated: true }
  }
  const resource = resolveTarget(publishedPage, target)
  if (resource.kind !== 'file') return { asked: resource, isUngated: false }
  const { file } = resource
  const kind = contentKind(input, file)
  return { asked: { kind, file, range: rangeOf(input, file, kind) }, isUngated: false }
}

function contentKind({ target, publishedPage }: ClassifyInput, file: ReleaseFile) {
  const { page, release } = publishedPage
  if (target.frameToken === null) {
    if (file.html !== null) return 'document'
    return release!.kind === 'single' ? 'file' : 'asset'
  }
  const asksDownload = release!.file_name !== null && target.query === '?download'
  return asksDownload && !page.settings.download_disabled ? 'download' : 'frame'
}

/** The viewer is sent whole, and HTML too: a part of it is not the view that was counted. */
function rangeOf(input: ClassifyInput, file: ReleaseFile, kind: AskedContent['kind']) {
  if (file.html !== null) return null
  const { headers } = input.request
  const header = headers.get('range')
  if (header === null || (kind === 'file' && wantsHtml(headers))) return null
  const ifRange = headers.get('if-range')
  const isSame = ifRange === null || ifRange === input.etagOf(input.publishedPage, file)
  return isSame ? parseRange(header, file.size_bytes) : null
}

/**
 * Whether the request opens the page's document, and not as part of a visit that was counted.
 * Frames and later parts of a file belong to a view that was counted elsewhere, except behind a
 * view limit, where only a visit proves that.
 */
function isViewOf({ request, publishedPage, identity }: ClassifyInput, asked: Asked): boolean {
  if (request.method !== 'GET') return false
  if (asked.kind !== 'document' && asked.kind !== 'file') return false
  const isLimited = publishedPage.max_views !== null
  const { isCountedVisit } = identity
  const { range } = asked
  if (publishedPage.release!.kind === 'bundle' && isCountedVisit) return false
  if (range === 'unsatisfiable') return false
  if (range !== null && range.start > 0) return isLimited && !isCountedVisit
  return isLimited || !isFrame(request.headers)
}

/** Preview agents get no content of pages that are gated or have a view limit. */
function hidesFromAgents({ page, max_views: maxViews }: PublishedPage): boolean {
  const { access } = page.settings
  return access !== 'private' && (access !== 'link' || maxViews !== null)
}

function shapeOf(input: ClassifyInput, asked: Asked): 'direct' | 'shell' | 'viewer' {
  const { headers } = input.request
  if (asked.kind === 'file') return wantsHtml(headers) ? 'viewer' : 'direct'
  if (asked.kind !== 'document') return 'direct'
  const { publishedPage, identity, hasOrigins } = input
  const mayNeedShell = identity.visitor.is_owner || hasOrigins || needsShell(publishedPage)
  return mayNeedShell && isNavigation(headers) ? 'shell' : 'direct'
}

/** Whether the page needs the shell: for conversations, storage, or files that carry no cookie. */
function needsShell({ page, release, max_views: maxViews }: PublishedPage): boolean {
  const {
    access,
    allow_comments: allowComments,
    collect_approvals: collectApprovals,
    collect_votes: collectVotes,
  } = page.settings
  if (allowComments || collectApprovals || collectVotes || release!.uses_storage) return true
  return release!.kind === 'bundle' && (access !== 'link' || maxViews !== null)
}
