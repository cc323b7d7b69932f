import base from '../../../web/base.css' with { type: 'text' }
import layout from '../../../web/layout.css' with { type: 'text' }
import { type Html, html, rawHtml } from '../../model/html.ts'
import { DEFAULT_NAME, type Site } from '../../model/site.ts'
import type { Assets } from './assets.ts'
import { documentPage, hashSource, scriptlessPolicy } from './document.ts'
import { POINTER_GUARD } from './pointer-guard.ts'
import { TOKENS } from './tokens.ts'

export const LAYOUT_STYLE = TOKENS + base + layout
/** The content security policy of our own pages: one script of ours, and forms to our origin. */
export const LAYOUT_CSP = layoutPolicy({})

interface PolicyParts {
  /** Styles of this page alone. */
  style?: string | undefined
  /** A script of ours, inline. It may fetch from our origin. */
  script?: string | undefined
  /** Where the answer to its form may lead: browsers compare that, too. */
  formTarget?: string | undefined
}

/** Where it has one of these parts, send the page with `layoutPolicy` of the same. */
export interface LayoutParts extends PolicyParts {
  title: string
  main: Html
  /** Wide enough for a code example. */
  isWide?: boolean
  accent?: string | null | undefined
  site?: Site | undefined
  assets?: Assets | undefined
  head?: Html | undefined
}

/** Renders a page of one column. */
export function layoutPage(parts: LayoutParts): string {
  const { title, main, isWide, accent, site, assets, head, script, style = '' } = parts
  return documentPage({
    title,
    accent: accent ?? site?.accent,
    csp: layoutPolicy(parts),
    style: LAYOUT_STYLE + style,
    assets,
    head,
    body: html`<script>${rawHtml(POINTER_GUARD)}</script>
<div class="layout${isWide && ' wide'}">
<main>
${main}
</main>
${layoutFooter(site)}
</div>
${script !== undefined && html`<script>${rawHtml(script)}</script>`}`,
  })
}

/** The policy of a page of our own with these parts. */
export function layoutPolicy({ style = '', script, formTarget = '' }: PolicyParts): string {
  const scripts = script === undefined ? [POINTER_GUARD] : [POINTER_GUARD, script]
  const policy = scriptlessPolicy(LAYOUT_STYLE + style, `'self' ${formTarget}`.trim())
  const connect = script === undefined ? '' : "; connect-src 'self'"
  return `${policy}; script-src ${scripts.map(hashSource).join(' ')}${connect}`
}

/** The host is shown, so that a phishing page is easier to recognise. */
export function layoutFooter(site: Site | undefined): Html {
  return html`<footer><div>
${site && html`<span class="host">${site.host}</span>`}
<span class="wordmark">${site?.name ?? DEFAULT_NAME}</span>
</div></footer>`
}
