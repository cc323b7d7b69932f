import styles from '../../../../web/owner-bar/bar.css' with { type: 'text' }
import { type Html, html, rawHtml } from '../../../model/html.ts'
import { STATE_WORDS } from '../../../model/page/words.ts'
import type { OwnerBar } from './owner-bar.ts'

const ICON = (path: string) =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true">${rawHtml(path)}</svg>`
const DOWN = ICON('<path d="m4 6 4 4 4-4"/>')
const CLOSE = ICON('<path d="m4 4 8 8M12 4l-8 8"/>')

/** The texts of the two that are the same for every page, in their order. */
export function ownerBarTexts(bar: OwnerBar | null): string[] {
  return bar === null ? [] : [styles, bar.script]
}

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
  const own = bar.isHtml
    ? html`<a href="${address}/edit">Edit</a>`
    : html`<a href="${address}">Manage</a>`
  return html`<div id="owner-bar" role="region" aria-label="Your page" data-page-id="${pageId}"
 data-url="${url}" data-fonts="${fontsUrl}">
<p class="state" data-state="${state}">${STATE_WORDS[state]}</p>
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
