import bar from '../../../../web/shell/bar.css' with { type: 'text' }
import shell from '../../../../web/shell/shell.css' with { type: 'text' }
import tokens from '../../../../web/tokens.css' with { type: 'text' }
import { type Html, html, rawHtml } from '../../kit/html.ts'

export interface ShellOptions {
  title: string
  nonce: string
  accent: string
  /** Search engines may have it. */
  is_listed: boolean
  og: { title: string | null; description: string | null; url: string }
  frame: ShellFrame
  /** Why visitors cannot open the page, for its owner. */
  owner_bar: string | null
  /** Our own, as built. */
  script: string
}

/** What the frame shows, and where. Nothing here is the page's own but names of its files. */
export interface ShellFrame {
  /** A list of tokens. */
  sandbox: string
  /** Where the files lie, by capability, with a slash at the end. */
  files_url: string
  /** The page's own address, without a slash at the end. */
  page_path: string
  /** The path shown, as it stands in an address. */
  path: string
  /** The file that the page's own address means, where it has one file alone; else ''. */
  only_path: string
  /** Under which the shell keeps what the page stores. */
  page_key: string
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
  const { title, nonce, accent, is_listed, frame, owner_bar, script } = options
  const style = owner_bar === null ? shell : tokens + shell + bar
  return html`<!doctype html>
<html lang="en" data-accent="${accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${!is_listed && html`<meta name="robots" content="noindex">`}
<meta name="referrer" content="same-origin">
<title>${title}</title>
${previewTags(options)}
<link rel="icon" href="data:,">
<style nonce="${nonce}">${rawHtml(style)}</style>
</head>
<body${frameData(frame)}>
${owner_bar !== null && html`<div id="owner-bar" role="status"><p>${owner_bar}</p></div>`}
<div id="conversations"></div>
<template id="frame">${frameElement(frame, false)}</template>
<noscript>${frameElement(frame, true)}</noscript>
<script nonce="${nonce}">${rawHtml(script)}</script>
</body>
</html>
`.toString()
}

/** Nothing runs but what bears the nonce, and nothing is framed but this page. */
export function shellCsp(nonce: string, frame_src: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    `frame-src ${frame_src}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function frameElement({ sandbox, files_url, path }: ShellFrame, has_src: boolean): Html {
  return html`<iframe title="Page" sandbox="${sandbox}" allow="${ALLOWED}" allowfullscreen${
    has_src && html` src="${files_url}${path}"`
  }></iframe>`
}

function frameData(frame: ShellFrame): Html {
  const { files_url, page_path, path, only_path, page_key, origin, token } = frame
  return html` data-files="${files_url}" data-page="${page_path}" data-path="${path}"
 data-only="${only_path}" data-key="${page_key}" data-origin="${origin}" data-token="${token}"`
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
