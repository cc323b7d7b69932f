import { createHash } from 'node:crypto'
import base from '../../../web/base.css' with { type: 'text' }
import layout from '../../../web/layout.css' with { type: 'text' }
import tokens from '../../../web/tokens.css' with { type: 'text' }
import { type Html, html, rawHtml } from '../../model/html.ts'
import { DEFAULT_NAME, type Site } from '../../model/site.ts'
import type { Assets } from './assets.ts'
import { documentPage, scriptlessPolicy } from './document.ts'
import { POINTER_GUARD } from './pointer-guard.ts'

export const LAYOUT_STYLE = tokens + base + layout
/** The content security policy of our own pages: one script of ours, and forms to our origin. */
export const LAYOUT_CSP = policyOf('')

export interface LayoutParts {
  title: string
  main: Html
  /** Wide enough for a code example. */
  isWide?: boolean
  accent?: string | null | undefined
  site?: Site | undefined
  assets?: Assets | undefined
  head?: Html | undefined
  /** Styles of this page alone. Send it with `styledPolicy` of the same styles. */
  style?: string | undefined
  /** A script of ours, inline. Send the page with `scriptedPolicy` of the same script. */
  script?: string | undefined
  /** Where the answer to its form may lead. Send the page with `formPolicy` of the same place. */
  formTarget?: string | undefined
}

/** Renders a page of one column. */
export function layoutPage(parts: LayoutParts): string {
  const { title, main, isWide, accent, site, assets, head, script, formTarget, style = '' } = parts
  return documentPage({
    title,
    accent: accent ?? site?.accent,
    csp: script === undefined ? formPolicy(formTarget, style) : scriptedPolicy(script),
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

/** The policy of our own pages, for one with more styles. */
export function styledPolicy(style: string): string {
  return style === '' ? LAYOUT_CSP : policyOf(style)
}

/**
 * The policy of our own pages, for one whose form is answered by a redirect to another place:
 * browsers compare that, too.
 */
export function formPolicy(target: string | undefined, style = ''): string {
  const policy = styledPolicy(style)
  return target === undefined ? policy : policy.replace(FORM_ACTION, `${FORM_ACTION} ${target}`)
}
const FORM_ACTION = "form-action 'self'"

/** The policy of our own pages, which also lets this one script run, and fetch from our origin. */
export function scriptedPolicy(script: string): string {
  return `${policyOf('', script)}; connect-src 'self'`
}

function policyOf(style: string, ...scripts: string[]): string {
  const hashes = [POINTER_GUARD, ...scripts].map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return `${scriptlessPolicy(LAYOUT_STYLE + style, "'self'")}; script-src ${hashes.join(' ')}`
}

/** The host is shown, so that a phishing page is easier to recognise. */
export function layoutFooter(site: Site | undefined): Html {
  return html`<footer><div>
${site && html`<span class="host">${site.host}</span>`}
<span class="wordmark">${site?.name ?? DEFAULT_NAME}</span>
</div></footer>`
}
