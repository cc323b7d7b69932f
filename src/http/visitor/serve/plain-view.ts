import { decide } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'
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
import type { Identities } from '../request/identity.ts'
import type { ViewFacts } from '../request/view-facts.ts'
import type { ContentResponses } from './content.ts'
import type { createLimitedView } from './limited-view.ts'

export interface PlainViewDeps {
  pages: Pick<Pages, 'cachedPage'>
  views: Pick<Views, 'countAtOnce'>
  identities: Pick<Identities, 'anonymous'>
  content: Pick<ContentResponses, 'inMemory'>
  /** Answers such a view of a page with a limit. */
  limitedView: ReturnType<typeof createLimitedView>
  viewFacts: Pick<ViewFacts, 'strangerOf' | 'linkFacts'>
  readAgent(userAgent: string): Agent
  originOf: OriginOf | null
  /** Whether a `Host` header names the host of one page. */
  isPageHost(host: string | null): boolean
  /** Whether a `Cookie` header may hold a cookie of ours. */
  mayHoldOurs(cookies: string): boolean
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** The addresses of pages that were viewed, which are parsed once; longer ones each time. */
const MAX_ADDRESSES = 10_000
const MAX_ADDRESS_CHARS = 200

/**
 * Answers the view that most requests are, and that the general path (`serve.ts`) would answer in
 * the same way with more work: a GET of a single HTML page without a gate, a shell or an origin of
 * its own, whose response is in memory, by a person or program of whom the request proves nothing.
 * It makes no response of its own: it counts, and clones the one that is kept. Only a view of a
 * page with a limit waits, until it is counted.
 *
 * @returns null for any other request, of which nothing is counted then
 */
export function createPlainView(deps: PlainViewDeps) {
  const { pages, views, identities, content, viewFacts, readAgent, originOf, nowMs } = deps
  const { limitedView } = deps
  const slugs = new Map<string, string>()
  /** The file of a page with plain views; null for another page. */
  const files = new WeakMap<PublishedPage, ReleaseFile | null>()
  /** The last host that was not one of a page: all requests of most servers have it. */
  let baseHost: string | null = null

  function isOnBaseHost(headers: Headers): boolean {
    const host = headers.get('host')
    if (host === baseHost) return true
    if (deps.isPageHost(host)) return false
    baseHost = host
    return true
  }

  /** @returns null for an address that is not that of a page itself */
  function slugIn(url: string): string | null {
    const question = url.indexOf('?')
    const address = question < 0 ? url : url.slice(0, question)
    const known = slugs.get(address)
    if (known !== undefined) return known
    const target = address.startsWith('/') ? null : parseTarget(address)
    if (target === null || target.path !== null) return null
    if (address.length <= MAX_ADDRESS_CHARS) {
      if (slugs.size === MAX_ADDRESSES) slugs.clear()
      slugs.set(address, target.slug)
    }
    return target.slug
  }

  function fileOf(publishedPage: PublishedPage): ReleaseFile | null {
    let file = files.get(publishedPage)
    if (file === undefined) {
      file = plainFileOf(publishedPage)
      files.set(publishedPage, file)
    }
    return file
  }

  return (request: Request): Response | Promise<Response> | null => {
    const { headers } = request
    if (request.method !== 'GET' || !isOnBaseHost(headers) || isSpecial(headers)) return null
    const cookies = headers.get('cookie')
    if (cookies !== null && deps.mayHoldOurs(cookies)) return null
    const slug = slugIn(request.url)
    const publishedPage = slug === null ? undefined : pages.cachedPage(slug)
    const file = publishedPage && fileOf(publishedPage)
    if (!publishedPage || !file || originOf?.(publishedPage, request)) return null
    const { page, gate } = publishedPage
    if (decide(gate, identities.anonymous.visitor, nowMs()).outcome !== 'open') return null
    const agent = readAgent(headers.get('user-agent') ?? '')
    if (agent.isPreview) return null
    const kept = content.inMemory(request, publishedPage, file)
    if (kept === undefined) return null
    const isLimited = publishedPage.max_views !== null
    const view = {
      limited: isLimited,
      notify: false,
      viewer: viewFacts.strangerOf(request, agent),
      facts: viewFacts.linkFacts(headers, null),
      sharedFacts: agent.facts,
    }
    if (isLimited) return limitedView({ request, publishedPage, kept, view })
    return views.countAtOnce(page.id, view) ? kept.clone() : null
  }
}
export type PlainView = ReturnType<typeof createPlainView>

/** Whether a header makes the answer another one, or no view. HTML is sent whole for any range. */
function isSpecial(headers: Headers): boolean {
  return (
    headers.has('if-none-match') ||
    headers.has('service-worker') ||
    isPrefetch(headers) ||
    isFrame(headers)
  )
}

function plainFileOf(publishedPage: PublishedPage): ReleaseFile | null {
  const { page, release, files } = publishedPage
  if (release?.kind !== 'single' || page.settings.access !== 'link') return null
  if (publishedPage.gate.notify_on_view || hasConversations(publishedPage)) return null
  if (hasVisits(publishedPage)) return null
  const file = needsShell(publishedPage) ? undefined : files.get(release.entry)
  return file?.html ? file : null
}
