import { admittedEmail, type Closed } from '../../../features/access/index.ts'
import type { Analytics } from '../../../features/analytics/index.ts'
import type { Links } from '../../../features/links/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'
import type { RefusalReason } from '../../../model/page/admission.ts'
import type { PageRequest } from '../request/page-request.ts'

type Refused = Pick<PageRequest, 'request' | 'target' | 'agent'> & { publishedPage: PublishedPage }

export interface SideCountDeps {
  analytics: Pick<Analytics, 'countRefusal'>
  views: Pick<Views, 'countFacts'>
  links: Pick<Links, 'markOpened'>
}

/** Counts requests that are not views: further files of decks, and refused requests. */
export function createSideCounting({ analytics, views, links }: SideCountDeps) {
  return {
    /**
     * A visitor opened the page and got a gate or a notice instead.
     *
     * @param linkId the named link that they came by
     */
    refused(
      { request, publishedPage, target, agent }: Refused,
      decision: Closed,
      linkId: string | null,
    ): void {
      const isPageRequest = request.method === 'GET' && target.frameToken === null
      if (!isPageRequest || agent.isPreview || !isDocument(request)) return
      const reason = reasonOf(publishedPage, decision)
      analytics.countRefusal(publishedPage.page.id, reason, linkId)
    },
    /**
     * A browser asks for what the shell frames, for somebody who came by a named link. A program
     * that reads the document alone, such as a scanner of mails, asks for no frame.
     */
    async markOpened({ publishedPage: { page, gate }, visitor }: PageRequest): Promise<void> {
      const { link_id: linkId, link_browser: browser, is_owner: isOwner } = visitor
      if (linkId === null || isOwner) return
      await links.markOpened(page.id, linkId, { browser, email: admittedEmail(gate, visitor) })
    },
    /** A file was served as part of a view that was counted before. */
    served({ request, publishedPage, resource, shape, visitor, agent }: PageRequest): void {
      const { release, page } = publishedPage
      const isSent = shape === 'direct' || shape === 'markdown'
      if (release.kind !== 'bundle' || !isSent) return
      if (!('file' in resource) || resource.file.html === null || visitor.is_owner) return
      if (request.method !== 'GET' || agent.isPreview || !isDocument(request)) return
      views.countFacts(page.id, [['file', resource.file.path]])
    },
  }
}
export type SideCounting = ReturnType<typeof createSideCounting>

/** Whether a document is requested, as far as the browser says. */
function isDocument({ headers }: Request): boolean {
  const dest = headers.get('sec-fetch-dest')
  return dest === null || dest === 'document' || dest === 'iframe'
}

function reasonOf({ gate }: PublishedPage, decision: Closed): RefusalReason {
  if (decision.outcome === 'notice') return decision.notice
  switch (decision.question) {
    case 'another_email':
      return gate.access === 'people' ? 'not_invited' : 'refused_address'
    case 'owner':
      return 'private'
    default:
      return decision.question
  }
}
