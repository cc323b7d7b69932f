import { LRUCache } from 'lru-cache'
import type { OpenPage } from '../../../features/pages/index.ts'
import type { Viewers } from '../../../features/viewers/index.ts'
import type { Conversation, PanelData, PanelViewer } from '../../../model/conversation.ts'
import type { Participant } from '../../../model/viewer.ts'
import { atMost } from '../../../platform/lru.ts'
import type { Assets } from '../../kit/assets.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { claimsOf } from '../request/identity.ts'
import type { ContentRequest } from '../request/page-request.ts'
import { participantOf } from '../request/participants.ts'
import type { ViewerTokens } from '../request/viewer-tokens.ts'
import type { Injection } from '../responses/injection.ts'

/** How old a count in a document may be, so that many visitors share one query. */
const COUNTS_MS = 2000
const MAX_COUNTED_PAGES = 10_000

export interface PanelDeps {
  conversations: readonly Conversation[]
  viewers: Viewers
  viewerTokens: ViewerTokens
  injection: Injection
  cookies: Cookies
  assets: Assets
}

/** The parts of our documents for the panel of conversations. */
export interface PanelParts {
  data: PanelData
  scriptUrl: string
  /** Sets the browser's id; null where the browser has one. */
  cookie: string | null
}

/** The conversations that are open to visitors. A draft that its owner looks at has none. */
export function conversationsOf(
  conversations: readonly Conversation[],
  { page, gate, isPreview }: OpenPage,
): Conversation[] {
  return gate.is_published && !isPreview ? conversations.filter((each) => each.isOn(page)) : []
}

/** Writes the initial data of the panel into our documents around a page. */
export function createPanel(deps: PanelDeps) {
  const { conversations, viewers, viewerTokens, injection, cookies, assets } = deps
  const counts = new LRUCache<string, Promise<PanelData['conversations']>>({
    ...atMost(MAX_COUNTED_PAGES),
    ttl: COUNTS_MS,
  })

  function countsOf({ page }: OpenPage, shown: Conversation[]) {
    const key = `${page.id} ${shown.map(({ id }) => id).join(' ')}`
    const known = counts.get(key)
    if (known !== undefined) return known
    const counted = Promise.all(
      shown.map(async ({ id, count }) => ({ id, count: await count(page) })),
    )
    counts.set(key, counted)
    counted.catch(() => counts.delete(key))
    return counted
  }

  return {
    /**
     * @param browser the id that the same response gives this browser, where it gives one
     * @returns null for a page without conversations
     */
    async of(
      request: Request,
      { publishedPage, asked, visitor, nowMs }: ContentRequest,
      browser: { id: string; cookie: string | null } = cookies.browserFor(request),
    ): Promise<PanelParts | null> {
      const shown = conversationsOf(conversations, publishedPage)
      if (shown.length === 0) return null
      const { page } = publishedPage
      const device = browser.id
      const participant = participantOf(viewers, { publishedPage, facts: visitor, device })
      return {
        data: {
          page_path: `/p/${page.slug}`,
          page_id: visitor.is_owner ? page.id : null,
          token: viewerTokens.panelToken(page, { device, claims: claimsOf(visitor), nowMs }),
          stamp: injection.sourceOf(publishedPage, asked.file),
          viewer: panelViewerOf(participant),
          conversations: await countsOf(publishedPage, shown),
          fonts_url: assets.url('fonts.css'),
        },
        scriptUrl: assets.url('panel.js'),
        cookie: browser.cookie,
      }
    },
  }
}
export type Panel = ReturnType<typeof createPanel>

export function panelViewerOf({ kind, emails, alias }: Participant): PanelViewer {
  return { kind, emails, alias }
}
