import { decide, open } from '../../../features/access/index.ts'
import type { OpenPage, Pages, PublishedPage } from '../../../features/pages/index.ts'
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
import { createPageFiles } from './page-files.ts'
import type { SideCounting } from './side-counts.ts'

export interface OwnHostFastPathDeps {
  pages: Pick<Pages, 'cachedPageById'>
  origins: Origins
  visits: Pick<Visits, 'inWindow' | 'mayHoldFrame'>
  identities: Pick<Identities, 'byClaims'>
  content: Pick<ContentResponses, 'inMemory'>
  sideCounting: Pick<SideCounting, 'served'>
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** A file on the page's own host, in a window. */
const IN_OWN_WINDOW: Delivery = { isFramed: false, isOwnHost: true }

/**
 * The fast path of pages' own hosts: answers a GET or HEAD of a file whose response is in memory,
 * by the cookie of a window's visit that does not depend on a session. The general path
 * (`own-host.ts`) would give the same answer with more work. The page may have no view limit. The
 * access rule decides at each request.
 *
 * @returns null for any other request, of which nothing has been counted then
 */
export function createOwnHostFastPath(deps: OwnHostFastPathDeps) {
  const { pages, origins, visits, identities, content, sideCounting, nowMs } = deps
  const fileAt = createPageFiles(fileOf)

  /** The visit in the window's cookie. Null where the cookie of a frame may take precedence. */
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
    const published = pages.cachedPageById(pageId)
    if (published === undefined || published.max_views !== null) return null
    const now = nowMs()
    const visit = isFromElsewhere(request) ? null : visitOf(request, published, now)
    if (!visit?.isOfThisAccess || (visit.claims && visit.claims.session_id !== null)) return null
    const visitor = identities.byClaims(visit.claims)
    if (visitor instanceof Promise) return null
    const decision = decide(published.gate, visitor, now)
    if (decision.outcome !== 'open') return null
    const publishedPage = open(published, decision)
    if (publishedPage.release === null) return null
    const asked = fileAt(publishedPage, pathnameOf(url))
    // A document after the end of a visit is another view.
    if (asked === null || (asked.kind === 'document' && !visit.isCurrent)) return null
    const { file } = asked
    const cached = content.inMemory(request, publishedPage, { file, delivery: IN_OWN_WINDOW })
    if (cached === undefined) return null
    if (asked.kind === 'document') {
      sideCounting.served(request, {
        ...{ publishedPage, asked, shape: 'direct', visitor, agent: NO_AGENT },
      })
    }
    return cached.clone()
  }
}

/** @param pathname as in the URL, still encoded */
function fileOf(publishedPage: OpenPage, pathname: string): AskedContent | null {
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
