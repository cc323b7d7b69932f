import { decide } from '../../../features/access/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import type { Origins } from '../origins/hosts.ts'
import type { Visit, Visits } from '../origins/visits.ts'
import { NO_AGENT } from '../request/agents.ts'
import type { Identities } from '../request/identity.ts'
import type { AskedContent } from '../request/page-request.ts'
import { decodePath } from '../request/paths.ts'
import { resolveStatic } from '../request/static-paths.ts'
import type { Delivery } from '../responses/injection.ts'
import type { ContentResponses } from './content.ts'
import { isFromElsewhere } from './own-host.ts'
import type { SideCounting } from './side-counts.ts'

export interface PlainOnHostDeps {
  pages: Pick<Pages, 'cachedPageById'>
  origins: Origins
  visits: Pick<Visits, 'inWindow' | 'mayHoldFrame'>
  identities: Pick<Identities, 'byClaims'>
  content: Pick<ContentResponses, 'inMemory'>
  sideCounting: Pick<SideCounting, 'served'>
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** Of one page: an app answers any path of its own. */
const MAX_PATHS = 1000
/** To a window of the page. */
const ON_ITS_HOST: Delivery = { isFramed: false, isOwnHost: true }

/**
 * Answers most requests for the hosts of pages, and as the general path (`own-host.ts`) would with
 * more work: a GET or HEAD of a file of a page without a view limit, whose response is in memory,
 * by the cookie of a window's visit that rests on no session. Each time it is decided who may open
 * the page.
 *
 * @returns null for any other request, of which nothing is counted then
 */
export function createPlainOnHost(deps: PlainOnHostDeps) {
  const { pages, origins, visits, identities, content, sideCounting, nowMs } = deps
  /** By path as it is in the URL. */
  const files = new WeakMap<PublishedPage, Map<string, AskedContent>>()

  function fileAt(publishedPage: PublishedPage, url: string): AskedContent | null {
    const pathname = pathnameOf(url)
    let known = files.get(publishedPage)
    if (known === undefined) {
      known = new Map()
      files.set(publishedPage, known)
    }
    const file = known.get(pathname)
    if (file !== undefined) return file
    const found = fileOf(publishedPage, pathname)
    if (found !== null && known.size < MAX_PATHS) known.set(pathname, found)
    return found
  }

  /** The visit of the window that asks, where no other cookie goes first. */
  function visitOf({ headers }: Request, { page }: PublishedPage, now: number): Visit | null {
    const cookies = headers.get('cookie')
    if (cookies === null) return null
    if (visits.mayHoldFrame(cookies) && headers.get('sec-fetch-dest') !== 'document') return null
    return visits.inWindow(cookies, page, now)
  }

  return (request: Request): Response | null => {
    const { headers, method, url } = request
    const pageId = origins.pageIdIn(headers.get('host'))
    if (!pageId || (method !== 'GET' && method !== 'HEAD') || url.startsWith('/')) return null
    const publishedPage = pages.cachedPageById(pageId)
    if (publishedPage === undefined || publishedPage.max_views !== null) return null
    const now = nowMs()
    const visit = isFromElsewhere(request) ? null : visitOf(request, publishedPage, now)
    if (!visit?.isOfThisAccess || (visit.claims && visit.claims.session_id !== null)) return null
    const visitor = identities.byClaims(visit.claims)
    if (visitor instanceof Promise) return null
    if (decide(publishedPage.gate, visitor, now).outcome !== 'open') return null
    const asked = fileAt(publishedPage, url)
    // A document of a visit that is over is another view.
    if (asked === null || (asked.kind === 'document' && !visit.isCurrent)) return null
    const { file } = asked
    const kept = content.inMemory(request, publishedPage, { file, delivery: ON_ITS_HOST })
    if (kept === undefined) return null
    if (asked.kind === 'document') {
      sideCounting.served(request, {
        ...{ publishedPage, asked, shape: 'direct', visitor, agent: NO_AGENT },
      })
    }
    return kept.clone()
  }
}

function fileOf(publishedPage: PublishedPage, pathname: string): AskedContent | null {
  if (pathname.startsWith('/~') || pathname.startsWith('/p/')) return null
  const path = decodePath(pathname.slice(1))
  const resource = path === null ? null : resolveStatic(publishedPage, path)
  if (resource?.kind !== 'file' || resource.status !== 200) return null
  const { file } = resource
  return { kind: file.html === null ? 'asset' : 'document', file, range: null }
}

function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const question = url.indexOf('?', start)
  return question < 0 ? url.slice(start) : url.slice(start, question)
}
