import styles from '../../../../web/owner-bar/bar.css' with { type: 'text' }
import { stateOf } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'
import type { Accent } from '../../../model/accent.ts'
import { type Html, html, rawHtml } from '../../../model/html.ts'
import { count, formatNumber } from '../../../model/numbers.ts'
import { ACCESS_PHRASES, accessInShort, STATE_WORDS } from '../../../model/page/facts.ts'
import type { Page, ShownState } from '../../../model/page/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { GateDeps } from '../gates/routes.ts'
import type { PageRequest } from '../request/page-request.ts'

export interface OwnerBarDeps extends Pick<GateDeps, 'assets' | 'baseUrl'> {
  views: Pick<Views, 'countersOf'>
  clock: Pick<Clock, 'now'>
}

const NOTICE = 'visitors see a notice.'
const EXPLANATIONS: Record<ShownState, string> = {
  live: '',
  changes: 'Visitors see this version. Your draft differs.',
  draft: `Not published: ${NOTICE} This is your draft.`,
  trash: `In the trash: ${NOTICE}`,
  expired: `The link has expired: ${NOTICE}`,
  view_limit: `The view limit is reached: ${NOTICE}`,
  taken_down: `The operator of this server took it down: ${NOTICE}`,
}

/** The colour beside the state; that of danger for the others. */
const ACCENTS: Partial<Record<ShownState, Accent>> = { live: 'green', changes: 'amber' }

/** Builds the owner's bar for our documents around a page. */
export function createOwnerBar({ views, assets, clock, baseUrl }: OwnerBarDeps) {
  return {
    /**
     * @returns null for everybody but the signed-in owner, in a preview, and for a page that was
     *   just deleted
     */
    async of({ publishedPage, visitor }: PageRequest) {
      if (!visitor.is_owner || publishedPage.isPreview) return null
      const { page, release } = publishedPage
      const counter = (await views.countersOf([page.id])).get(page.id)
      if (counter === undefined) return null
      const state = stateOf(page, counter, clock.now())
      const { max_views: maxViews } = counter
      return {
        pageId: page.id,
        url: `${baseUrl}/p/${page.slug}`,
        state,
        /** One sentence about what visitors see; '' if the state is enough. */
        explanation: explanationOf(page, state),
        access: accessInShort(page.settings),
        /** The same as a sentence. */
        who: ACCESS_PHRASES[page.settings.access],
        views:
          maxViews === null
            ? count(counter.views, 'view')
            : `${formatNumber(counter.views)} of ${count(maxViews, 'view')}`,
        /** The draft differs from what visitors see. */
        mayPublish: page.published_id !== page.draft_id,
        /** Whether the page has an editor. */
        isHtml: release.file_name === null,
        script: assets.text('owner-bar.js'),
        fontsUrl: assets.url('fonts.css'),
      }
    },
  }
}
export type OwnerBars = ReturnType<typeof createOwnerBar>
/** The content of the bar above a page, for its owner. */
export type OwnerBar = NonNullable<Awaited<ReturnType<OwnerBars['of']>>>

function explanationOf({ taken_down_reason: reason }: Page, state: ShownState): string {
  const hasReason = state === 'taken_down' && reason !== null && reason !== ''
  return hasReason ? `${EXPLANATIONS[state]} Reason: ${reason}` : EXPLANATIONS[state]
}

const ICON = (path: string) =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true">${rawHtml(path)}</svg>`
const DOWN = ICON('<path d="m4 6 4 4 4-4"/>')
const CLOSE = ICON('<path d="m4 4 8 8M12 4l-8 8"/>')

/** For the head of a document of ours that has the tokens. */
export function ownerBarHead(bar: OwnerBar | null, nonce: string): Html | false {
  if (bar === null) return false
  return html`<style nonce="${nonce}">${rawHtml(styles)}</style>`
}

/**
 * The bar, as the first element of the body. Parts that need its script are hidden until it has
 * run. The script runs at once, so that a bar that was hidden in this tab is never painted.
 */
export function ownerBarElement(bar: OwnerBar | null, nonce: string): Html | false {
  if (bar === null) return false
  const { pageId, url, state, explanation, access, who, views, mayPublish, fontsUrl } = bar
  const address = `/app/pages/${pageId}`
  const accent = ACCENTS[state]
  const own = bar.isHtml
    ? html`<a href="${address}/edit">Edit</a>`
    : html`<a href="${address}">Manage</a>`
  return html`<div id="owner-bar" role="region" aria-label="Your page" data-page-id="${pageId}"
 data-url="${url}" data-fonts="${fontsUrl}">
<p class="state" data-state="${state}"${accent && html` data-accent="${accent}"`}>${
    STATE_WORDS[state]
  }</p>
<button type="button" id="owner-more" aria-expanded="false" aria-controls="owner-items"
 aria-label="More about your page">${DOWN}</button>
<div id="owner-items">
<p class="facts"><span title="${who}"><span class="quiet">Access: </span>${access}</span>
<a href="${address}/analytics">${views}</a></p>
${explanation !== '' && html`<p class="explanation" title="${explanation}">${explanation}</p>`}
<button type="button" id="owner-copy" hidden>Copy link</button>
<a href="${address}/share">Share</a>
${own}
</div>
<p id="owner-said" role="status"></p>
${mayPublish && html`<button type="button" id="owner-publish" hidden>Publish</button>`}
<button type="button" id="owner-hide" aria-label="Hide this bar" title="Hide this bar" hidden
>${CLOSE}</button>
</div>
<button type="button" id="owner-show" aria-label="Show the bar of your page"
 title="Show the bar of your page" hidden>${DOWN}</button>
<script nonce="${nonce}">${rawHtml(bar.script)}</script>`
}
