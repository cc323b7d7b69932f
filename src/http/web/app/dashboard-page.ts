import { html, rawHtml } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
import { POINTER_GUARD } from '../../kit/pointer-guard.ts'

interface PageParts {
  /** The data for the script, which the document contains as JSON. */
  boot: unknown
  /** The HTML that is shown before the script runs. */
  painted: string
  title: string
  nonce: string
}

/**
 * The document of the dashboard. It contains its styles, its first screen and the script that
 * records early input, so nothing else has to be loaded before it is painted.
 */
export function createDashboardPage(assets: Assets) {
  let inlined: { styles: string; earlyScript: string } | null = null

  return ({ boot, painted, title, nonce }: PageParts): string => {
    inlined ??= { styles: assets.text('app.css'), earlyScript: assets.text('app.early.js') }
    return html`<!doctype html>
<html lang="en" data-accent="blue">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>${title}</title>
<link rel="icon" href="data:,">
<script type="module" nonce="${nonce}" src="${assets.url('app.js')}"></script>
<style nonce="${nonce}">${rawHtml(inlined.styles)}</style>
</head>
<body>
<script nonce="${nonce}">${rawHtml(POINTER_GUARD)}</script>
<script nonce="${nonce}">${rawHtml(inlined.earlyScript)}</script>
<div id="root">${rawHtml(painted)}</div>
<script type="application/json" id="boot">${rawHtml(jsonInScript(boot))}</script>
</body>
</html>
`.toString()
  }
}

/** Scripts with the nonce run, and what they load. Previews of drafts are framed in a sandbox. */
export function dashboardCsp(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** JSON that cannot end the script element it stands in. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
