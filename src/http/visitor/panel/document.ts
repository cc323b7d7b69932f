import { type Html, html } from '../../../model/html.ts'
import type { PanelParts } from './panel.ts'

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
