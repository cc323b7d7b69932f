import { LRUCache } from 'lru-cache'
import { admittedEmail } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import type { Fact, Viewer } from '../../../features/views/index.ts'
import { isOfService } from '../../../model/page-name.ts'
import { readUserAgent } from '../../../model/user-agent.ts'
import { prefersMarkdown } from '../../kit/encodings.ts'
import { requestedRange } from '../../kit/response.ts'
import type { Refused } from './content-headers.ts'
import { claimsOf, type Identity, isWindow } from './identity.ts'
import { countryOf, hostOf } from './link-facts.ts'
import type {
  Agent,
  ContentRequest,
  ContentResource,
  PageRequest,
  Resource,
} from './page-request.ts'
import {
  cleanPath,
  decodePath,
  FILE_QUERY,
  isSaved,
  type PathResource,
  renewalOf,
  resolvePath,
  type Target,
} from './paths.ts'
import { isPreviewAgent } from './preview-agents.ts'
import { resolveInFrame, staticDocument } from './static-paths.ts'

const SLUG = /^[a-z0-9][a-z0-9-]{2,62}$/

/**
 * Parses the URL that Bun has normalized, never the raw request line: other parts of the server
 * would read its dot segments differently.
 *
 * @returns null for an address that no page can have
 */
export function parseTarget(url: string): Target | null {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const question = url.indexOf('?', start)
  const pathname = question < 0 ? url.slice(start) : url.slice(start, question)
  const query = question < 0 ? '' : url.slice(question)
  if (!pathname.startsWith('/p/')) return null
  const slash = pathname.indexOf('/', 3)
  const slug = slash < 0 ? pathname.slice(3) : pathname.slice(3, slash)
  if (!SLUG.test(slug)) return null
  if (slash < 0) return { slug, path: null, frameToken: null, query }
  const rest = decodePath(pathname.slice(slash + 1))
  if (rest === null) return null
  if (!isOfService(rest)) return { slug, path: rest, frameToken: null, query }
  const end = rest.indexOf('/')
  if (end < 0) return null
  return { slug, path: rest.slice(end + 1), frameToken: rest.slice(1, end), query }
}

export function refusalOf({ method, headers }: Request, target: Target | null): Refused | null {
  if (method === 'POST') return target?.frameToken === '' ? null : 'form'
  if (method !== 'GET' && method !== 'HEAD') return 'method'
  if (isServiceWorker(headers)) return 'service_worker'
  return isPrefetch(headers) ? 'prefetch' : null
}

/** The origin of its own that a page has in the requesting browser; null if it has none. */
export type OriginOf = (publishedPage: OpenPage, request: Request) => string | null

/** A request that the gate has let in. */
export interface ClassifyInput {
  request: Request
  target: Target
  /** Whether the request is for the page's own host. */
  isOwnHost: boolean
  publishedPage: OpenPage
  identity: Identity
  agent: Agent
  nowMs: number
  rules: {
    /** The ETag that a file is sent with, for `If-Range`. */
    etagOf(publishedPage: OpenPage, file: ReleaseFile, isOwnHost?: boolean): string
    /** Null where no page has an origin of its own. */
    originOf: OriginOf | null
  }
}

/** Classifies a request that the gate has let in, before it is answered. Pure. */
export function classify(input: ClassifyInput): PageRequest {
  const { request, target, publishedPage, identity, agent, nowMs, rules } = input
  const { visitor, isCountedVisit } = identity
  const { plan } = publishedPage
  const origin = rules.originOf === null ? null : rules.originOf(publishedPage, request)
  const resource = resourceOf(input, origin)
  const shape = shapeOf(input, resource, origin)
  const isOfVisit = shape === 'own_host' && isCountedVisit
  const isView = !agent.isPreview && !visitor.is_owner && !isOfVisit && isViewOf(input, resource)
  const needsRenewal = plan.counting.limited && shape === 'shell'
  // Whether requests by token are another's than anybody's.
  const needsClaims = plan.isGated || plan.isMarked || visitor.is_owner || visitor.link_id !== null
  return {
    request,
    publishedPage,
    target,
    resource,
    visitor,
    claims: needsClaims ? claimsOf(visitor) : null,
    counts: isView ? 'view' : isCountedVisit ? 'part-of-visit' : 'none',
    startsVisit:
      isView && !isCountedVisit && (plan.hasVisits || needsRenewal || shape === 'own_host'),
    agent,
    shape,
    origin,
    ownHost: input.isOwnHost ? { device: null } : null,
    startedMs: identity.startedMs ?? nowMs,
    nowMs,
  }
}

export function isContentRequest(pageRequest: PageRequest): pageRequest is ContentRequest {
  return 'file' in pageRequest.resource
}

function resourceOf(input: ClassifyInput, origin: string | null): Resource {
  const { request, target, publishedPage } = input
  const renewal = target.frameToken === '' ? renewalOf(request, target) : null
  if (renewal !== null) {
    const isAllowed = renewal === 'frame_renewal' ? mayRenew(input) : mayRenewViewer(input)
    return { kind: isAllowed ? renewal : 'nothing' }
  }
  if (target.frameToken !== null && isWindow(request) && !publishedPage.isPreview) {
    // A frame address opened as a window leads to the page's own address.
    return { kind: 'redirect', location: cleanPath(publishedPage, target) }
  }
  if (target.frameToken === '') return { kind: 'nothing' }
  const document = isForOwnHost(input, origin)
    ? staticDocument(publishedPage, target.path ?? '')
    : null
  if (document !== null && (document.html !== null || !isInShell(input))) {
    return { kind: 'document', file: document, range: null }
  }
  const resource = ofOwnFrame(input) ?? atPath(publishedPage, target)
  if (resource.kind !== 'file') return resource
  const { file } = resource
  const kind = contentKind(input, file)
  return { kind, file, range: rangeOf(input, file, kind) }
}

/** Whether a person's browser requests a page that has an origin of its own there. */
function isForOwnHost({ request, target, agent }: ClassifyInput, origin: string | null): boolean {
  if (origin === null || target.frameToken !== null || agent.isPreview) return false
  return request.method === 'GET' && isNavigation(request.headers)
}

/** Only a counted visit continues: otherwise the new frame token would be an uncounted view. */
function mayRenew({ request, publishedPage, identity }: ClassifyInput): boolean {
  const { isCountedVisit, visitor } = identity
  const isVisit = isCountedVisit || visitor.is_owner
  return isVisit && isSameOrigin(request) && publishedPage.max_views !== null
}

/** A draft that its owner looks at has no conversation. */
function mayRenewViewer({ request, publishedPage }: ClassifyInput): boolean {
  return isSameOrigin(request) && publishedPage.gate.is_published
}

/** Whether a document of ours sent the request, as far as the browser says. */
function isSameOrigin({ headers }: Request): boolean {
  return (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin'
}

function ofOwnFrame({ request, publishedPage, target, isOwnHost }: ClassifyInput) {
  const isOwnFrame = isOwnHost && target.frameToken !== null
  return isOwnFrame ? resolveInFrame(publishedPage, target, isFrame(request.headers)) : null
}

function atPath(publishedPage: OpenPage, target: Target): PathResource {
  const { release, plan, isPreview } = publishedPage
  const { path, frameToken } = target
  const isPageItself = path === null && frameToken === null
  // The viewer of a preview is at its root.
  const isViewer = isPreview && path === '' && release.file_name !== null
  const file = isPageItself || isViewer ? plan.entry : null
  return file === null ? resolvePath(publishedPage, target) : { kind: 'file', file }
}

function contentKind({ target, publishedPage }: ClassifyInput, file: ReleaseFile) {
  const { page, release } = publishedPage
  if (target.query !== '' && isSaved(release, file, target)) return 'download'
  if (target.frameToken === null) {
    if (file.html !== null) return 'document'
    return release.kind === 'single' ? 'file' : 'asset'
  }
  const asksDownload = release.file_name !== null && target.query === '?download'
  return asksDownload && !page.settings.download_disabled ? 'download' : 'frame'
}

/** The viewer and HTML are always sent completely: a part would not be the counted view. */
function rangeOf(input: ClassifyInput, file: ReleaseFile, kind: ContentResource['kind']) {
  const { request, publishedPage, rules, isOwnHost } = input
  if (file.html !== null || !request.headers.has('range')) return null
  if (kind === 'file' && asksViewer(input)) return null
  // Copies are sent whole, since one that is made again may be of another hour.
  if (isMarked(input)) return null
  return requestedRange(request.headers, {
    etag: () => rules.etagOf(publishedPage, file, isOwnHost),
    // A page's own host sends the original file.
    sizeBytes: ((isOwnHost && file.original) || file).size_bytes,
  })
}

/**
 * Whether the request opens the page's document, and not as part of a visit that was counted.
 * Frames and later parts of a file belong to a view that was counted elsewhere, except behind a
 * view limit, where only a visit proves that.
 */
function isViewOf(
  { request, publishedPage, identity }: ClassifyInput,
  resource: Resource,
): boolean {
  if (request.method !== 'GET') return false
  if (resource.kind !== 'document' && resource.kind !== 'file') return false
  const isLimited = publishedPage.max_views !== null
  const { isCountedVisit } = identity
  const { range } = resource
  if (publishedPage.release.kind === 'bundle' && isCountedVisit) return false
  if (range === 'unsatisfiable') return false
  if (range !== null && range.start > 0) return isLimited && !isCountedVisit
  return isLimited || !isFrame(request.headers)
}

/**
 * Whether a browser gets the page in the shell wherever it could be without. Of a named link, the
 * shell's request for the page says that a browser shows it, and not a scanner of mails.
 */
function isInShell({ identity: { visitor }, publishedPage: { plan } }: ClassifyInput): boolean {
  return visitor.is_owner || plan.isFramed || visitor.link_id !== null
}

function shapeOf(
  input: ClassifyInput,
  resource: Resource,
  origin: string | null,
): PageRequest['shape'] {
  const { request, agent, publishedPage } = input
  const { plan } = publishedPage
  if (showsViewer(input, resource)) return 'viewer'
  if (isMarked(input)) return 'marked'
  if (resource.kind === 'document' && !input.isOwnHost && asksMarkdown(input)) return 'markdown'
  const isFramed = isInShell(input)
  // Most pages are like this, and most visitors.
  if (!isFramed && !plan.needsShell && origin === null) return 'direct'
  if (agent.isPreview || resource.kind !== 'document' || !isNavigation(request.headers)) {
    return 'direct'
  }
  if (isFramed) return 'shell'
  if (isForOwnHost(input, origin)) return 'own_host'
  return plan.needsShell ? 'shell' : 'direct'
}

/** A file that says whose it is: everybody but the owner gets no other, however it is asked for. */
function isMarked({ publishedPage: { plan }, identity }: ClassifyInput): boolean {
  return plan.isMarked && !identity.visitor.is_owner
}

/** Only where the type is named: browsers accept anything, and agents of chats look for tags. */
function asksMarkdown({ request, agent }: ClassifyInput): boolean {
  const accept = agent.isPreview ? null : request.headers.get('accept')
  return accept !== null && /text\/markdown/i.test(accept) && prefersMarkdown(accept)
}

function showsViewer(input: ClassifyInput, resource: Resource): boolean {
  const { publishedPage, target } = input
  if (publishedPage.isPreview) return resource.kind === 'frame' && target.path === ''
  return resource.kind === 'file' && asksViewer(input)
}

/** Preview agents get the viewer's tags with any `Accept`. */
function asksViewer({ request, agent, target }: ClassifyInput): boolean {
  return wantsHtml(request.headers) || (agent.isPreview && target.query !== FILE_QUERY)
}

/** A service worker would still serve a page after the page has closed. */
export function isServiceWorker(headers: Headers): boolean {
  return headers.get('service-worker') === 'script'
}

/** A prefetched copy would be shown later, uncounted and perhaps after the link has closed. */
export function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose')
  return purpose !== null && /prefetch|prerender/i.test(purpose)
}

export function wantsHtml(headers: Headers): boolean {
  return (headers.get('accept') ?? '').includes('text/html')
}

export function isFrame(headers: Headers): boolean {
  const dest = headers.get('sec-fetch-dest')
  return dest !== null && /^(?:iframe|frame|embed|object|fencedframe)$/.test(dest)
}

/**
 * Whether a person's browser navigates a window or tab to the address. Over plain HTTP, browsers
 * send no `Sec-Fetch-*` headers to hosts other than localhost.
 */
export function isNavigation(headers: Headers): boolean {
  const dest = headers.get('sec-fetch-dest')
  if (dest !== null) return dest === 'document'
  if (headers.has('sec-fetch-mode') || headers.has('sec-fetch-site')) return false
  return wantsHtml(headers) && (headers.get('user-agent') ?? '').startsWith('Mozilla/5.0')
}

export interface ViewFactsDeps {
  baseUrl: string
  /** How many proxies are trusted. Without one, any visitor could name a country. */
  trustProxy: number
  /** The address or network of a client. */
  addressOf(request: Request): string
}

const NO_FACTS: readonly Fact[] = []

/** Reads the facts of a view from the request. Its address and `User-Agent` are not stored. */
export function createViewFacts({ baseUrl, trustProxy, addressOf }: ViewFactsDeps) {
  const ownHost = new URL(baseUrl).hostname

  return {
    viewerOf({ request, publishedPage, visitor, agent }: PageRequest): Viewer {
      const { page, gate } = publishedPage
      const email = admittedEmail(gate, visitor)
      return {
        address: addressOf(request),
        program: agent.text,
        confirmed: email === null ? null : { email, manifestId: page.published_id },
      }
    },
    /** The facts of the request without those of its agent. */
    factsOf({ request, publishedPage, resource, shape }: PageRequest): readonly Fact[] {
      const { headers } = request
      const referer = headers.get('referer')
      const referrer = referer === null ? null : hostOf(referer)
      const country = trustProxy === 0 ? null : countryOf(headers)
      // In the shell, the frame's request for the file counts it.
      const isSent = shape === 'direct' || shape === 'markdown'
      const isOfDeck = publishedPage.release.kind === 'bundle' && isSent
      const file = isOfDeck && 'file' in resource ? resource.file.path : null
      if (referrer === null && country === null && file === null) return NO_FACTS
      const facts: Fact[] = []
      if (referrer !== null && referrer !== ownHost) facts.push(['referrer', referrer])
      if (country !== null) facts.push(['country', country])
      if (file !== null) facts.push(['file', file])
      return facts
    },
  }
}

/** The size of the cache of agents. */
const MAX_CHARS = 1024 * 1024

/**
 * Reads `User-Agent` headers. The last ones are cached: a look-up takes 0.05 µs, the expression for
 * preview agents alone 2.5 to 5 µs for a browser's header.
 */
export function createAgentReader(): (text: string) => Agent {
  const lists = new Map<string, readonly Fact[]>()

  function factsOf(text: string): readonly Fact[] {
    const { device, browser } = readUserAgent(text)
    const key = `${device} ${browser}`
    const cached = lists.get(key)
    if (cached !== undefined) return cached
    const facts: Fact[] = []
    if (device !== null) facts.push(['device', device])
    if (browser !== null) facts.push(['browser', browser])
    lists.set(key, facts)
    return facts
  }

  const cache = new LRUCache<string, Agent>({
    maxSize: MAX_CHARS,
    sizeCalculation: (_, text) => text.length + 100,
  })

  function add(text: string): Agent {
    const agent = { text, isPreview: isPreviewAgent(text), facts: factsOf(text) }
    cache.set(text, agent)
    return agent
  }
  // Not `memo`, which copies its options at each call.
  return (text) => cache.get(text) ?? add(text)
}
