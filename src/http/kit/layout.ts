import base from '../../../web/base.css' with { type: 'text' }
import sheet from '../../../web/layout.css' with { type: 'text' }
import tokens from '../../../web/tokens.css' with { type: 'text' }
import { type Html, html } from './html.ts'
import type { Assets } from './assets.ts'
import { documentPage, scriptlessPolicy } from './document.ts'

export const SHEET_STYLE = tokens + base + sheet
/** For the pages of the service itself, which may post a form to it. */
export const SHEET_CSP = scriptlessPolicy(SHEET_STYLE, "'self'")

export interface SheetParts {
  title: string
  main: Html
  /** Room for an example to paste. */
  is_wide?: boolean
  accent?: string | undefined
  host?: string | undefined
  assets?: Assets | undefined
  head?: Html | undefined
}

/** One column: what this is, why, the one thing to do. */
export function sheetPage(parts: SheetParts): string {
  const { title, main, is_wide, accent, host, assets, head } = parts
  return documentPage({
    title,
    accent,
    csp: SHEET_CSP,
    style: SHEET_STYLE,
    assets,
    head,
    body: html`<div class="sheet${is_wide && ' wide'}">
<main>
${main}
</main>
${sheetFoot(host)}
</div>`,
  })
}

/** The host is shown, so that a fake is easier to see. */
export function sheetFoot(host: string | undefined): Html {
  return html`<footer><div>
${host !== undefined && html`<span class="host">${host}</span>`}
<span class="wordmark">Handbill</span>
</div></footer>`
}
