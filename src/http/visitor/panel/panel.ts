import { LRUCache } from 'lru-cache'
import type { OpenPage } from '../../../features/pages/index.ts'
import type { Viewers } from '../../../features/viewers/index.ts'
import {
  type Conversation,
  type PanelData,
  TOKEN_HEADER,
  type ViewerRenewal,
} from '../../../model/conversation.ts'
import { refuse } from '../../../model/errors.ts'
import { type Html, html } from '../../../model/html.ts'
import { atMost } from '../../../platform/lru.ts'
import { jsonResponse, refusalResponse } from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'
import { claimsOf, participantOf } from '../request/identity.ts'
import type { ContentRequest, PageRequest } from '../request/page-request.ts'
import type { Injection, InjectionDeps } from '../responses/injection.ts'

/** How old a count in a document may be, so that many visitors share one query. */
const COUNTS_MS = 2000
const MAX_COUNTED_PAGES = 10_000

export interface PanelDeps
  extends Pick<GateDeps, 'cookies' | 'assets' | 'checks'>,
    Pick<InjectionDeps, 'viewerTokens'> {
  conversations: readonly Conversation[]
  viewers: Viewers
  injection: Injection
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
  const { conversations, viewers, viewerTokens, injection, cookies, assets, checks } = deps
  const counts = new LRUCache<string, Promise<PanelData['conversations']>>({
    ...atMost(MAX_COUNTED_PAGES),
    ttl: COUNTS_MS,
  })

  function countsOf({ page }: OpenPage, open: Conversation[]) {
    const key = `${page.id} ${open.map(({ id }) => id).join(' ')}`
    const cached = counts.get(key)
    if (cached !== undefined) return cached
    const query = Promise.all(open.map(async ({ id, count }) => ({ id, count: await count(page) })))
    counts.set(key, query)
    query.catch(() => counts.delete(key))
    return query
  }

  /**
   * The start of the view that a renewed token belongs to. Behind a view limit, a token is renewed
   * only for a view that was counted, and its expiry stays the same.
   *
   * @returns null where no view was counted
   */
  function viewedAtMs(pageRequest: PageRequest, device: string): number | null {
    const { request, publishedPage, visitor, counts, nowMs } = pageRequest
    if (publishedPage.max_views === null) return nowMs
    const token = viewerTokens.readPanelToken(request.headers.get(TOKEN_HEADER) ?? '', nowMs)
    const isOwn = token?.page_id === publishedPage.page.id && token.device === device
    if (token !== null && isOwn) return token.given_s * 1000
    return counts === 'part-of-visit' || visitor.is_owner ? nowMs : null
  }

  /** What the panel knows of its viewer, with a token of a view. */
  function viewerIn({ publishedPage, visitor }: PageRequest, device: string, nowMs: number) {
    const claims = claimsOf(visitor)
    const participant = participantOf(viewers, { publishedPage, facts: visitor, device })
    const { kind, emails, alias } = participant
    const token = viewerTokens.panelToken(publishedPage.page, { device, claims, nowMs })
    return { token, viewer: { kind, emails, alias } } satisfies ViewerRenewal
  }

  return {
    /**
     * @param browser the id that the same response gives this browser, where it gives one
     * @returns null for a page without conversations
     */
    async of(
      contentRequest: ContentRequest,
      browser: { id: string; cookie: string | null } = cookies.browserFor(contentRequest.request),
    ): Promise<PanelParts | null> {
      const { publishedPage, resource, visitor, nowMs } = contentRequest
      const open = conversationsOf(conversations, publishedPage)
      if (open.length === 0) return null
      const { page } = publishedPage
      return {
        data: {
          page_path: `/p/${page.slug}`,
          page_id: visitor.is_owner ? page.id : null,
          ...viewerIn(contentRequest, browser.id, nowMs),
          stamp: injection.sourceOf(publishedPage, resource.file),
          conversations: await countsOf(publishedPage, open),
          fonts_url: assets.url('fonts.css'),
          cards_url: assets.url('panel.cards.js'),
          sends_mails: checks.sendsMails,
        },
        scriptUrl: assets.url('panel.js'),
        cookie: browser.cookie,
      }
    },
    /**
     * Returns the panel's current viewer and a new token: an address may have been confirmed or an
     * account signed in since the page was opened. The gate has admitted the visitor again.
     *
     * @returns null for a page without conversations
     */
    renewViewer(pageRequest: PageRequest): Response | null {
      if (conversationsOf(conversations, pageRequest.publishedPage).length === 0) return null
      const { id: device, cookie } = cookies.browserFor(pageRequest.request)
      const viewedMs = viewedAtMs(pageRequest, device)
      if (viewedMs === null) {
        const text = 'This page was opened too long ago. Reload it.'
        return refusalResponse(refuse.forbidden('stale', text))
      }
      const headers = cookie === null ? {} : { 'set-cookie': cookie }
      return jsonResponse(200, viewerIn(pageRequest, device, viewedMs), headers)
    },
  }
}
export type Panel = ReturnType<typeof createPanel>

/** The element that the panel fills; empty on a page without conversations. */
export function panelHost(panel: PanelParts | null): Html {
  if (panel === null) return html`<div id="conversations"></div>`
  return html`<div id="conversations" data-panel="${JSON.stringify(panel.data)}"></div>`
}

/** The panel's script. It is fetched after the page's content. */
export function panelScript(panel: PanelParts | null, nonce: string): Html | false {
  if (panel === null) return false
  const src = panel.scriptUrl
  return html`<script nonce="${nonce}" src="${src}" async fetchpriority="low"></script>`
}
