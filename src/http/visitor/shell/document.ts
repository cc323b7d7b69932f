import shell from '../../../../web/shell/shell.css' with { type: 'text' }
import { type Html, html, rawHtml } from '../../../model/html.ts'
import { metaTags } from '../../kit/document.ts'
import { POINTER_GUARD } from '../../kit/pointer-guard.ts'
import { TOKENS } from '../../kit/tokens.ts'
import { type OwnerBar, ownerBarElement, ownerBarHead } from '../owner-bar/owner-bar.ts'
import { type PanelParts, panelHost, panelScript } from '../panel/panel.ts'

export interface ShellOptions {
  title: string
  nonce: string
  accent: string
  /** Whether search engines may list the page. */
  isIndexed: boolean
  og: { title: string | null; description: string | null; url: string }
  frame: ShellFrame
  /** Null for everybody but the owner. */
  ownerBar: OwnerBar | null
  /** The built shell script. */
  script: string
  /** Null for a page without conversations. */
  panel: PanelParts | null
}

/** The data for the frame. Of the page's content it contains only the names of files. */
export interface ShellFrame {
  /** The tokens of the iframe's `sandbox` attribute. */
  sandbox: string
  /** The URL with the frame token, below which the frame loads the page's files; ends with `/`. */
  filesUrl: string
  /** The path of the page's own address, without a slash at the end. */
  pagePath: string
  /** Where the shell gets a new address of the files for each document; '' where it needs none. */
  renewalUrl: string
  /** The path of the file that is shown, encoded. */
  path: string
  /** The path of a single page's only file; '' for a deck. */
  onlyPath: string
  /** Of the page's files in a sandbox, where scripts may name them from the root of the host. */
  paths: readonly string[]
  /** The key under which the shell stores what the page stores. */
  pageKey: string
  /** Whether the page shares memory between its threads, which needs isolation on both sides. */
  isIsolated: boolean
  /** The origin of the content: 'null' in a sandbox. */
  origin: string
  /** The viewer's token, with which the shell sends responses; '' where the page collects none. */
  token: string
  /** The token by which the time of this view is reported; '' where it is not measured. */
  timeToken: string
  /** Identifies the file and version on the screen. */
  stamp: string
}

/**
 * With `*`, because Firefox does not match a sandboxed page with the origin of its address. Nothing
 * that a browser asks the visitor for: it keeps the answer for this host, and thus for every page.
 */
const ALLOWED = [
  ...['fullscreen *', 'autoplay *', 'clipboard-write *', 'encrypted-media *'],
  ...['picture-in-picture *', 'screen-wake-lock *'],
].join('; ')

/** The document around the owner's page. Send it with `shellCsp` of the same nonce. */
export function shellPage(options: ShellOptions): string {
  const { title, nonce, accent, isIndexed, frame, ownerBar, script, panel } = options
  const hasChrome = ownerBar !== null || panel !== null
  return html`<!doctype html>
<html lang="en" data-accent="${accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"${
    !hasChrome && rawHtml(' data-follows-page')
  }>
${!isIndexed && html`<meta name="robots" content="noindex">`}
<meta name="referrer" content="same-origin">
<title>${title}</title>
${previewTags(options)}
<link rel="icon" href="data:,">
<style nonce="${nonce}">${rawHtml((hasChrome ? TOKENS : '') + shell)}</style>
${ownerBarHead(ownerBar, nonce)}
</head>
<body${frameData(frame)}>
${hasChrome && html`<script nonce="${nonce}">${rawHtml(POINTER_GUARD)}</script>`}
${ownerBarElement(ownerBar, nonce)}
${panelHost(panel)}
<template id="frame">${frameElement(frame, false)}</template>
<noscript>${frameElement(frame, true)}</noscript>
<script nonce="${nonce}">${rawHtml(script)}</script>
${panelScript(panel, nonce)}
</body>
</html>
`.toString()
}

/**
 * Only scripts with the nonce run, and only this page is framed. What its scripts start by
 * `mailto:` counts as a frame, in Firefox also what it makes and saves by a link with `download`.
 */
export function shellCsp(nonce: string, frameSrc: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    `frame-src ${frameSrc} blob: data: mailto: tel: sms:`,
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function frameElement(frame: ShellFrame, hasSrc: boolean): Html {
  const { sandbox, filesUrl, path, isIsolated } = frame
  const allowed = isIsolated ? `${ALLOWED}; cross-origin-isolated *` : ALLOWED
  return html`<iframe title="Page" sandbox="${sandbox}" allow="${allowed}"${
    hasSrc && html` src="${filesUrl}${path}"`
  }></iframe>`
}

function frameData(frame: ShellFrame): Html {
  const { filesUrl, renewalUrl, pagePath, onlyPath, paths } = frame
  const { pageKey, origin, token, timeToken, stamp } = frame
  return html` data-files="${filesUrl}" data-page="${pagePath}"
 data-renewal="${renewalUrl}" data-only="${onlyPath}" data-key="${pageKey}"
 data-paths="${paths.join('\n')}" data-origin="${origin}" data-token="${token}"
 data-time="${timeToken}" data-stamp="${stamp}"`
}

function previewTags({ og: { title, description, url } }: ShellOptions): Html | false {
  if (title === null && description === null) return false
  return metaTags({
    'og:url': url,
    'og:title': title,
    'twitter:title': title,
    'og:description': description,
    'twitter:description': description,
  })
}
