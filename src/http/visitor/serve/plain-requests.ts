import { decide } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
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

export interface PlainRequestDeps {
  pages: Pick<Pages, 'cachedPage'>
  views: Pick<Views, 'countAtOnce'>
  identities: Pick<Identities, 'anonymous' | 'ofCookies'>
  content: Pick<ContentResponses, 'inMemory'>
  /** Answers a plain view of a page with a limit. */
  limitedView: ReturnType<typeof createLimitedView>
  viewFacts: Pick<ViewFacts, 'viewerOf' | 'linkFacts'>
  readAgent(userAgent: string): Agent
  originOf: OriginOf | null
  /** Whether a `Host` header names the host of one page. */
  isPageHost(host: string | null): boolean
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** Addresses that were asked for, which are parsed once; longer ones each time. */
const MAX_ADDRESSES = 10_000
const MAX_ADDRESS_CHARS = 200
/** As a window opens a file on the base host. */
const AT_ITS_ADDRESS: Delivery = { isFramed: false, isOwnHost: false }

/** A file whose requests are plain. */
interface PlainFile {
  file: ReleaseFile
  delivery: Delivery
  /** A GET of it is a view: it is the page. Otherwise it is a file of a deck that is no HTML. */
  isPage: boolean
}

/**
 * Answers what most requests are, and what the general path (`serve.ts`) would answer in the same
 * way with more work: a GET or HEAD of a single HTML page, or of a file of a deck that is no HTML,
 * without a shell or an origin of its own, whose response is in memory, by somebody who is not
 * signed in. It makes no response of its own: it counts, and clones one that is kept. Only a view
 * of a page with a limit waits, until it is counted.
 *
 * @returns null for any other request, of which nothing is counted then
 */
export function createPlainRequests(deps: PlainRequestDeps) {
  const { pages, views, identities, content, viewFacts, readAgent, originOf, nowMs } = deps
  const { limitedView } = deps
  const { anonymous } = identities
  /** By address without its query. */
  const targets = new Map<string, Target>()
  /** By path, null for the page itself. */
  const files = new WeakMap<PublishedPage, Map<string | null, PlainFile | null>>()
  /** The last host that was not one of a page: all requests of most servers have it. */
  let baseHost: string | null = null

  function isOnBaseHost(headers: Headers): boolean {
    const host = headers.get('host')
    if (host === baseHost) return true
    if (deps.isPageHost(host)) return false
    baseHost = host
    return true
  }

  /** @returns null for an address that is not that of a page or a file of it */
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

  function fileAt(publishedPage: PublishedPage, { path }: Target): PlainFile | null {
    let known = files.get(publishedPage)
    if (known === undefined) {
      known = new Map()
      files.set(publishedPage, known)
    }
    const file = known.get(path)
    if (file !== undefined) return file
    const found = plainFileAt(publishedPage, path)
    // There is no end of paths that the page has no file at.
    if (found !== null || path === null) known.set(path, found)
    return found
  }

  /** Who asks; null where a session may have to be looked up. */
  function identityOf(headers: Headers, { page }: PublishedPage, now: number): Identity | null {
    const cookies = headers.get('cookie')
    return cookies === null ? anonymous : identities.ofCookies(cookies, page, now)
  }

  return (request: Request): Response | Promise<Response> | null => {
    const { headers, method } = request
    if (method !== 'GET' && method !== 'HEAD') return null
    if (!isOnBaseHost(headers) || isSpecial(headers)) return null
    const target = targetOf(request.url)
    const publishedPage = target === null ? undefined : pages.cachedPage(target.slug)
    const plain = publishedPage && fileAt(publishedPage, target!)
    if (!publishedPage || !plain || originOf?.(publishedPage, request)) return null
    const { page, gate, max_views: maxViews } = publishedPage
    // What is no view does not enforce the limit by itself.
    if (maxViews !== null && method === 'HEAD') return null
    const now = nowMs()
    const identity = identityOf(headers, publishedPage, now)
    if (identity === null || decide(gate, identity.visitor, now).outcome !== 'open') return null
    // A link with `download` saves a file of a deck.
    if (!plain.isPage && attachmentAsked(request.url) !== null) return null
    const agent = readAgent(headers.get('user-agent') ?? '')
    if (agent.isPreview) return null
    const kept = content.inMemory(request, publishedPage, plain)
    if (kept === undefined) return null
    if (!plain.isPage || method === 'HEAD') return kept.clone()
    const view = {
      limited: maxViews !== null,
      notify: false,
      hour: hourOf(now),
      viewer: viewFacts.viewerOf(request, { publishedPage, agent, visitor: identity.visitor }),
      facts: viewFacts.linkFacts(headers, null),
      sharedFacts: agent.facts,
    }
    if (maxViews !== null) return limitedView({ request, publishedPage, kept, view })
    return views.countAtOnce(page.id, view) ? kept.clone() : null
  }
}
export type PlainRequests = ReturnType<typeof createPlainRequests>

/** Whether a header makes the answer another one, or no view. */
function isSpecial(headers: Headers): boolean {
  return headers.has('service-worker') || isPrefetch(headers) || isFrame(headers)
}

/** @param path null for the page itself */
function plainFileAt(publishedPage: PublishedPage, path: string | null): PlainFile | null {
  const { release, files } = publishedPage
  if (release === null) return null
  if (release.kind === 'bundle') {
    const file = publishedPage.max_views === null ? files.get(path ?? '') : undefined
    return file?.html === null ? { file, delivery: AT_ITS_ADDRESS, isPage: false } : null
  }
  const file = path === null && hasPlainViews(publishedPage) ? files.get(release.entry) : undefined
  return file?.html ? { file, delivery: AT_ITS_ADDRESS, isPage: true } : null
}

function hasPlainViews(publishedPage: PublishedPage): boolean {
  const { page, gate, max_views: maxViews } = publishedPage
  if (gate.notify_on_view || hasConversations(publishedPage) || needsShell(publishedPage)) {
    return false
  }
  return maxViews === null || (page.settings.access === 'link' && !hasVisits(publishedPage))
}
