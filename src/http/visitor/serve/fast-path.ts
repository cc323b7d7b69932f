import { decide, open } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage, Pages, PublishedPage } from '../../../features/pages/index.ts'
import { hourOf, type Views } from '../../../features/views/index.ts'
import type { Agent } from '../request/agents.ts'
import {
  hasConversations,
  hasVisits,
  isFrame,
  isPrefetch,
  needsShell,
  type OriginOf,
  parseTarget,
} from '../request/classify.ts'
import type { Identities, Identity } from '../request/identity.ts'
import { attachmentAsked, type Target } from '../request/paths.ts'
import type { ViewFacts } from '../request/view-facts.ts'
import type { Delivery } from '../responses/injection.ts'
import type { ContentResponses } from './content.ts'
import type { createLimitedView } from './limited-view.ts'
import { createPageFiles } from './page-files.ts'

export interface FastPathDeps {
  pages: Pick<Pages, 'cachedPage'>
  views: Pick<Views, 'countAtOnce'>
  identities: Pick<Identities, 'anonymous' | 'ofCookies'>
  content: Pick<ContentResponses, 'inMemory'>
  /** Counts and answers a view of a page with a view limit. */
  limitedView: ReturnType<typeof createLimitedView>
  viewFacts: Pick<ViewFacts, 'viewerOf' | 'linkFacts'>
  readAgent(userAgent: string): Agent
  originOf: OriginOf | null
  /** Whether a `Host` header names the host of one page. */
  isPageHost(host: string | null): boolean
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** How many parsed addresses are cached; longer ones are parsed each time. */
const MAX_ADDRESSES = 10_000
const MAX_ADDRESS_CHARS = 200
/** A file on the base host, in a window. */
const IN_WINDOW: Delivery = { isFramed: false, isOwnHost: false }

/** A file that the fast path can send. */
interface FastPathFile {
  file: ReleaseFile
  delivery: Delivery
  /** Whether a GET of it is a view. Otherwise it is a file of a deck that is not HTML. */
  isPage: boolean
}

/**
 * The fast path of most requests: answers a GET or HEAD of a single HTML page, or of a file of a
 * deck that is not HTML, without a shell or an origin of its own, if its response is in memory and
 * the visitor is not signed in. The general path (`serve.ts`) would give the same answer with more
 * work. It builds no response: it counts the view and clones a cached response. It waits only for
 * the count of a page with a view limit.
 *
 * @returns null for any other request, of which nothing has been counted then
 */
export function createFastPath(deps: FastPathDeps) {
  const { pages, views, identities, content, viewFacts, readAgent, originOf, nowMs } = deps
  const { limitedView } = deps
  const { anonymous } = identities
  /** The key is an address without its query. */
  const targets = new Map<string, Target>()
  const fileAt = createPageFiles(findFile)
  /** The last host that is not a page's own: on most servers, all requests have it. */
  let baseHost: string | null = null

  function isOnBaseHost(headers: Headers): boolean {
    const host = headers.get('host')
    if (host === baseHost) return true
    if (deps.isPageHost(host)) return false
    baseHost = host
    return true
  }

  /** @returns null unless the address is that of a page or of a file of it */
  function targetOf(url: string): Target | null {
    const question = url.indexOf('?')
    const address = question < 0 ? url : url.slice(0, question)
    const known = targets.get(address)
    if (known !== undefined) return known
    const target = address.startsWith('/') ? null : parseTarget(address)
    if (target === null || target.frameToken !== null) return null
    if (address.length <= MAX_ADDRESS_CHARS) {
      if (targets.size === MAX_ADDRESSES) targets.clear()
      targets.set(address, target)
    }
    return target
  }

  /** Who sent the request; null where a session may have to be looked up. */
  function identityOf(headers: Headers, { page }: PublishedPage, now: number): Identity | null {
    const cookies = headers.get('cookie')
    return cookies === null ? anonymous : identities.ofCookies(cookies, page, now)
  }

  return (request: Request): Response | Promise<Response> | null => {
    const { headers, method } = request
    if (method !== 'GET' && method !== 'HEAD') return null
    if (!isOnBaseHost(headers) || isSpecial(headers)) return null
    const target = targetOf(request.url)
    const published = target === null ? undefined : pages.cachedPage(target.slug)
    if (published === undefined) return null
    const { page, max_views: maxViews } = published
    // A request that is not a view is not counted, so counting cannot enforce the limit.
    if (maxViews !== null && method === 'HEAD') return null
    const now = nowMs()
    const identity = identityOf(headers, published, now)
    if (identity === null) return null
    const decision = decide(published.gate, identity.visitor, now)
    if (decision.outcome !== 'open') return null
    const publishedPage = open(published, decision)
    const file = publishedPage.release && fileAt(publishedPage, target!.path)
    if (!file || originOf?.(publishedPage, request)) return null
    // A link with `download` saves a file of a deck.
    if (!file.isPage && attachmentAsked(request.url) !== null) return null
    const agent = readAgent(headers.get('user-agent') ?? '')
    if (agent.isPreview) return null
    const cached = content.inMemory(request, publishedPage, file)
    if (cached === undefined) return null
    if (!file.isPage || method === 'HEAD') return cached.clone()
    const view = {
      limited: maxViews !== null,
      notify: false,
      hour: hourOf(now),
      viewer: viewFacts.viewerOf(request, { publishedPage, agent, visitor: identity.visitor }),
      facts: viewFacts.linkFacts(headers, null),
      sharedFacts: agent.facts,
    }
    if (maxViews !== null) return limitedView({ request, publishedPage, cached, view })
    return views.countAtOnce(page.id, view) ? cached.clone() : null
  }
}
export type FastPath = ReturnType<typeof createFastPath>

/** Whether a header changes the answer, or makes the request no view. */
function isSpecial(headers: Headers): boolean {
  return headers.has('service-worker') || isPrefetch(headers) || isFrame(headers)
}

/** @param path null for the page itself */
function findFile(publishedPage: OpenPage, path: string | null): FastPathFile | null {
  const { release, files } = publishedPage
  if (release.kind === 'bundle') {
    const file = publishedPage.max_views === null ? files.get(path ?? '') : undefined
    return file?.html === null ? { file, delivery: IN_WINDOW, isPage: false } : null
  }
  const file = path === null && canCountAtOnce(publishedPage) ? files.get(release.entry) : undefined
  return file?.html ? { file, delivery: IN_WINDOW, isPage: true } : null
}

/** Whether views of the page need neither the shell nor another write than their count. */
function canCountAtOnce(publishedPage: OpenPage): boolean {
  const { page, gate, max_views: maxViews } = publishedPage
  if (gate.notify_on_view || hasConversations(publishedPage) || needsShell(publishedPage)) {
    return false
  }
  return maxViews === null || (page.settings.access === 'link' && !hasVisits(publishedPage))
}
