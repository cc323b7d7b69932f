import { html, rawHtml } from '../../../model/html.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { hashSource } from '../../kit/document.ts'
import { documentResponse, redirectTo } from '../../kit/response.ts'
import { contentHeaders } from '../request/content-headers.ts'
import type { ContentRequest } from '../request/page-request.ts'
import { encodePath } from '../request/paths.ts'
import type { Visits } from './visits.ts'

/** The path at which a page's own host accepts tickets. No file of a deck can have this path. */
export const TICKET_PATH = '/~/visit'

/**
 * Redirects an admitted browser to the page's own host, with a ticket. After a form of ours, a
 * small document does it by script, since a form may redirect only to its own origin.
 */
export function createSendOn({ visits, cookies }: { visits: Visits; cookies: Cookies }) {
  return (contentRequest: ContentRequest, visitCookies: readonly string[]): Response => {
    const { request, publishedPage, target, origin, claims, nowMs, startedMs } = contentRequest
    const { page, release } = publishedPage
    const browser = release.collects_responses ? cookies.browserFor(request) : null
    const device = browser?.id ?? null
    const ticket = visits.ticket(page, { claims, device, nowMs, startedMs })
    const to = `/${encodePath(target.path ?? '')}${target.query}`
    const location = `${origin}${TICKET_PATH}?ticket=${ticket}&to=${encodeURIComponent(to)}`
    const all = browser?.cookie ? [...visitCookies, browser.cookie] : visitCookies
    if (request.headers.get('sec-fetch-site') === 'same-origin') {
      return documentResponse(request, { csp: ONWARD_CSP, body: onward(location), cookies: all })
    }
    // Tickets must not be cached.
    const headers = { ...contentHeaders(publishedPage, 'text/html'), 'cache-control': 'no-store' }
    return redirectTo(request, { location, headers, cookies: all })
  }
}
export type SendOn = ReturnType<typeof createSendOn>

/** A fragment goes along, as it does with a redirect, except one that is for our panel. */
const GO_ON = `location.replace(document.links[0].href + location.hash.replace(/^#~.*/, ''))`

/** `img-src data:` is for the empty icon. Without one, browsers ask for it and report a refusal. */
const ONWARD_CSP =
  `default-src 'none'; script-src ${hashSource(GO_ON)}; ` +
  "img-src data:; base-uri 'none'; form-action 'none'"

function onward(url: string): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width">
<noscript><meta http-equiv="refresh" content="0; url=${url}"></noscript>
<link rel="icon" href="data:,">
<title>Opening</title>
<p><a href="${url}">Open the page</a></p>
<script>${rawHtml(GO_ON)}</script>
</html>
`.toString()
}
