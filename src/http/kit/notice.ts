import type { Brand } from '../../model/brand.ts'
import { html, rawHtml } from '../../model/html.ts'
import { plainLine } from '../../model/plain-text.ts'
import type { Site } from '../../model/site.ts'
import type { Assets } from './assets.ts'
import { aboutLine, brandLine } from './brand.ts'
import { documentPage, hashSource, metaTags, scriptlessPolicy } from './document.ts'
import { LAYOUT_STYLE, layoutFooter } from './layout.ts'

export interface NoticeOptions {
  accent?: string | null | undefined
  /** Null where the owner is not named. */
  brand?: Brand | null | undefined
  site: Site
  /** The link-preview title that the owner set. Not the page's title, which is content. */
  og_title?: string | null | undefined
  /** For 'too_many_tries'. */
  retryAfterSeconds?: number | undefined
  /** For 'server_error': the id of the request in the log. */
  request_id?: string | undefined
  assets?: Assets | undefined
  /** Of our own, which the policy must allow: `noticePolicy`. */
  script?: string | undefined
}

export interface NoticeText {
  title: string
  /** What happened, and who decided it. */
  why: string
  /** What the visitor can do. */
  help: string
}

const NOTICES = {
  not_found: {
    title: 'There is nothing at this address',
    // One text for both, so that it does not reveal which addresses are pages.
    why: 'No page is published here, or the page has no part at this address.',
    help: 'Check the address for a typing mistake, or ask the person who sent it for a new link.',
  },
  form_not_received: {
    title: 'What you entered was not received',
    why:
      'The form was sent to the address of its page, which takes none. Responses are collected ' +
      'from forms that are marked <form data-service>.',
    help:
      'If the page is yours, add data-service to its <form>. If it has that already, allow ' +
      'JavaScript on the page and send the form again. If it is not yours, tell its owner.',
  },
  visit_over: {
    title: 'This page has to be opened again',
    why:
      'A page that is open for a while is closed, and so is one whose owner has changed who may ' +
      'open it.',
    help: 'Load the whole window again, or open the link that you were given.',
  },
  cookies_off: {
    title: 'This page needs a cookie',
    why: 'It shows that you were let in. Your browser keeps no cookies for this address.',
    help: 'Allow cookies in the settings of your browser, then open the link again.',
  },
  not_published: {
    title: 'This page is not published',
    why: 'Its owner has not put it online yet, or has taken it offline.',
    help: 'Ask the owner to publish it. The link stays the same.',
  },
  taken_down: {
    title: 'This page was taken down',
    why: 'The operator of this server closed it. Its owner knows why.',
    help: 'If you were asked for money, a password or other data here, do not give them.',
  },
  suspended: {
    title: 'This page is not available',
    why: 'The operator of this server suspended the account that it belongs to.',
    help: 'Ask the person who sent you the link. If the account is yours, ask the operator.',
  },
  expired: {
    title: 'This link has expired',
    why: 'The owner chose a date for it to close, and that date has passed.',
    help: 'Ask the owner for a new date or another link.',
  },
  link_closed: {
    title: 'This link does not work any more',
    why: 'It was made for one person. Its owner ended it, or its time or number of opens is up.',
    help: 'Ask the person who sent it for a new link.',
  },
  view_limit: {
    title: 'This page is no longer available',
    why: 'The owner chose how many times it may be opened, and that number is reached.',
    help: 'Ask the owner to raise the number. The link stays the same.',
  },
  too_many_tries: {
    title: 'Too many tries',
    why: 'There were many tries from your network, and this server makes everyone wait then.',
    help: 'Wait a minute, then try again.',
  },
  server_busy: {
    title: 'This server is busy',
    why: 'It is receiving too much at once, or what you sent stopped arriving.',
    help: 'Go back, wait a few seconds, and send it again.',
  },
  server_down: {
    title: 'This page cannot be shown right now',
    why: 'A part of this server does not answer. The fault is here, not with you or the owner.',
    help: 'Wait a few seconds, then load the page again. The link stays the same.',
  },
  server_full: {
    title: 'This server has no space left',
    why: 'Opening this page has to be recorded, and the disk of this server is full.',
    help: 'Try again later. If you run this server, free some space on its disk.',
  },
  server_error: {
    title: 'Something broke on this server',
    why: 'The page could not be shown. The fault is here, not with you or the owner.',
    help: 'Try again in a minute. If it stays like this, tell the person who sent you the link.',
  },
} satisfies Record<string, NoticeText>
export type NoticeKind = keyof typeof NOTICES

const POLICY = scriptlessPolicy(LAYOUT_STYLE, "'none'")

/** The policy for the header, which can add `sandbox` to that of the `meta` tag. */
export const NOTICE_CSP = `${POLICY}; sandbox`

/** The policy of a notice with a script, and of its `meta` tag. */
export function noticePolicy(script: string): string {
  return `${POLICY}; script-src ${hashSource(script)}`
}

/** Renders a document that says what happened, who decided it, and what the visitor can do. */
export function notice(kind: NoticeKind, options: NoticeOptions): string {
  const { title, why } = NOTICES[kind]
  const { script } = options
  return documentPage({
    title,
    accent: options.accent ?? options.site.accent,
    csp: script === undefined ? POLICY : noticePolicy(script),
    style: LAYOUT_STYLE,
    assets: options.assets,
    head: html`<meta name="description" content="Notice: ${lowerFirst(title)}.">
${script !== undefined && html`<script>${rawHtml(script)}</script>`}`,
    body: html`<div class="layout">
<main>
${brandLine(options.brand)}${aboutLine(options.og_title)}
<h1>${title}</h1>
<p class="why">${why}</p>
<p class="help">${helpText(kind, options)}</p>
</main>
${layoutFooter(options.site)}
</div>`,
  })
}

interface PreviewStub {
  title: string | null
  description: string | null
  url: string
  /** The address of a picture. */
  image: string
  host: string
}

/** A document with Open Graph tags alone, for link-preview agents that may not read the page. */
export function previewStub({ description, url, image, host, ...stub }: PreviewStub): string {
  const title = plainLine(stub.title ?? `A page on ${host}`)
  const tags = metaTags({
    'og:type': 'website',
    'og:site_name': host,
    'og:url': url,
    'og:title': title,
    'og:description': description,
    'og:image': image,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
  })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>${title}</title>
${tags}
</head>
<body></body>
</html>
`.toString()
}

function helpText(kind: NoticeKind, options: NoticeOptions): string {
  const { retryAfterSeconds: seconds, request_id: requestId } = options
  if (kind === 'too_many_tries' && seconds !== undefined)
    return `Try again in ${durationText(seconds)}.`
  if (kind === 'server_error' && requestId !== undefined) {
    return `${NOTICES[kind].help} The server's log has it under ${requestId}.`
  }
  return NOTICES[kind].help
}

function durationText(seconds: number): string {
  if (seconds <= 1) return '1 second'
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
