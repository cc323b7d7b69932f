import bar from '../../../../web/shell/bar.css' with { type: 'text' }
import shell from '../../../../web/shell/shell.css' with { type: 'text' }
import tokens from '../../../../web/tokens.css' with { type: 'text' }
import { type Html, html, rawHtml } from '../../../model/html.ts'

export interface ShellOptions {
  title: string
  nonce: string
  accent: string
  /** Search engines may have it. */
  isIndexed: boolean
  og: { title: string | null; description: string | null; url: string }
  frame: ShellFrame
  /** Why visitors cannot open the page, for its owner. */
  ownerBar: string | null
  /** Our own, as built. */
  script: string
}

/** What the frame shows, and where. Nothing here is the page's own but names of its files. */
export interface ShellFrame {
  /** A list of tokens. */
  sandbox: string
  /** Where the files lie, by capability, with a slash at the end. */
  filesUrl: string
  /** The page's own address, without a slash at the end. */
  pagePath: string
  /** The path shown, as it stands in an address. */
  path: string
  /** The file that the page's own address means, where it has one file alone; else ''. */
  onlyPath: string
  /** Under which the shell keeps what the page stores. */
  pageKey: string
  /** The origin of the content: 'null' in a sandbox. */
  origin: string
  /** Lets this visitor's shell send responses; '' where the page collects none. */
  token: string
}

/** Each with a star: in Firefox the origin of a sandboxed page is no origin of its address. */
const ALLOWED = [
  ...['fullscreen *', 'autoplay *', 'clipboard-write *', 'encrypted-media *'],
  'picture-in-picture *',
].join('; ')

/** Our small document around the owner's page. Send it with `shellCsp` of the same nonce. */
export function shellPage(options: ShellOptions): string {
  const { title, nonce, accent, isIndexed, frame, ownerBar, script } = options
  const style = ownerBar === null ? shell : tokens + shell + bar
  return html`<!doctype html>
<html lang="en" data-accent="${accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${!isIndexed && html`<meta name="robots" content="noindex">`}
<meta name="referrer" content="same-origin">
<title>${title}</title>
${previewTags(options)}
<link rel="icon" href="data:,">
<style nonce="${nonce}">${rawHtml(style)}</style>
</head>
<body${frameData(frame)}>
${ownerBar !== null && html`<div id="owner-bar" role="status"><p>${ownerBar}</p></div>`}
<div id="conversations"></div>
<template id="frame">${frameElement(frame, false)}</template>
<noscript>${frameElement(frame, true)}</noscript>
<script nonce="${nonce}">${rawHtml(script)}</script>
</body>
</html>
`.toString()
}

/** Nothing runs but what bears the nonce, and nothing is framed but this page. */
export function shellCsp(nonce: string, frameSrc: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    `frame-src ${frameSrc}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function frameElement({ sandbox, filesUrl, path }: ShellFrame, hasSrc: boolean): Html {
  return html`<iframe title="Page" sandbox="${sandbox}" allow="${ALLOWED}" allowfullscreen${
    hasSrc && html` src="${filesUrl}${path}"`
  }></iframe>`
}

function frameData(frame: ShellFrame): Html {
  const { filesUrl, pagePath, path, onlyPath, pageKey, origin, token } = frame
  return html` data-files="${filesUrl}" data-page="${pagePath}" data-path="${path}"
 data-only="${onlyPath}" data-key="${pageKey}" data-origin="${origin}" data-token="${token}"`
}

function previewTags({ og }: ShellOptions): Html | false {
  if (og.title === null && og.description === null) return false
  return html`<meta property="og:url" content="${og.url}">
${
  og.title !== null &&
  html`<meta property="og:title" content="${og.title}">
<meta name="twitter:title" content="${og.title}">`
}
${
  og.description !== null &&
  html`<meta property="og:description" content="${og.description}">
<meta name="twitter:description" content="${og.description}">`
}`
}
