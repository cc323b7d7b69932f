import type { Site } from '../../../model/site.ts'
import { NOTICE_CSP, type NoticeKind, notice } from '../../kit/notice.ts'
import { buildResponse } from '../../kit/response.ts'
import { wantsHtml } from '../request/classify.ts'
import { ownHostAnswerHeaders, PREFLIGHT_HEADERS, REFUSALS } from '../request/content-headers.ts'

/**
 * Sent when access has ended. The browser deletes its cached copies and the page's storage with its
 * service workers. Browsers that support it also reload open documents.
 */
export const CLEARED = { 'clear-site-data': '"cache", "storage", "executionContexts"' }

const NO_CONTENT_CSP = "default-src 'none'; sandbox"

interface RedirectOptions {
  status?: number
  cookies?: readonly string[]
  headers?: Record<string, string>
}

interface NotServed {
  status: number
  text?: string
  headers?: Record<string, string>
}

type OwnNotice = Extract<
  NoticeKind,
  'not_found' | 'form_not_received' | 'visit_over' | 'cookies_off'
>

/**
 * A service worker that removes itself and its caches, and reloads the windows that it controls. At
 * each navigation, browsers request the script of an installed worker without going through it.
 */
const LAST_WORKER = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  const windows = await clients.matchAll({ type: 'window' })
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
  for (const window of windows) window.navigate(window.url)
})()))
`

/** The answers of pages' own hosts besides content. They reveal nothing about a page. */
export function createOwnAnswers(baseUrl: string, site: Site) {
  const base = ownHostAnswerHeaders(NO_CONTENT_CSP, baseUrl)
  const textHeaders = { ...base, 'content-type': 'text/plain; charset=utf-8' }
  const noticeHeaders = {
    ...ownHostAnswerHeaders(NOTICE_CSP, baseUrl),
    'content-type': 'text/html; charset=utf-8',
  }

  function redirectTo(request: Request, location: string, options: RedirectOptions = {}): Response {
    return buildResponse(request, {
      status: options.status ?? 303,
      headers: new Headers({ ...base, ...options.headers, location }),
      body: null,
      cookies: options.cookies ?? [],
    })
  }

  function notServed(request: Request, { status, text = NOTHING, headers }: NotServed): Response {
    const all = new Headers({ ...textHeaders, ...headers })
    return buildResponse(request, { status, body: `${text}\n`, headers: all })
  }

  /**
   * The base host's notice where a person may read it, in a window or in the frame of a document of
   * ours, else a line of text. Without web fonts: files of ours are not served on these hosts.
   */
  function showNotice(request: Request, kind: OwnNotice, refusal: NotServed): Response {
    if (!wantsHtml(request.headers)) return notServed(request, refusal)
    const { status, headers } = refusal
    const all = new Headers({ ...noticeHeaders, ...headers })
    return buildResponse(request, { status, body: notice(kind, { site }), headers: all })
  }

  /** No header lets a script of another host read anything: the page's own scripts need none. */
  function preflight(request: Request): Response {
    const headers = new Headers({ ...base, allow: PREFLIGHT_HEADERS.allow })
    return buildResponse(request, { status: 204, headers, body: null })
  }

  return {
    redirectTo,
    /** A line of text. */
    notServed,
    notFound: (request: Request, text = NOTHING): Response =>
      showNotice(request, 'not_found', { status: 404, text }),
    /** For a visitor without a visit, or after its end. */
    notLetIn: (request: Request, headers: Record<string, string> = {}): Response =>
      showNotice(request, 'visit_over', { status: 403, headers }),
    /** For a browser that stores no cookies. */
    cookiesOff: (request: Request): Response =>
      showNotice(request, 'cookies_off', { status: 403, text: NO_COOKIES }),
    /** For a request that is neither GET nor HEAD. */
    wrongMethod(request: Request): Response {
      const { method } = request
      if (method === 'POST') return showNotice(request, 'form_not_received', REFUSALS.form)
      return method === 'OPTIONS' ? preflight(request) : notServed(request, REFUSALS.method)
    },
    /**
     * For `/favicon.ico`, which browsers request by themselves: a failure would appear in the
     * console.
     */
    noContent: (request: Request): Response =>
      buildResponse(request, { status: 204, headers: new Headers(base), body: null }),
    /**
     * Replaces the service worker of a page to which this browser has lost access. It is sent
     * without `Clear-Site-Data`, which would remove the worker before it reloads the windows: their
     * next responses have that header.
     */
    lastWorker(request: Request): Response {
      // The policy is the worker's own: a sandbox would take its origin.
      const policy = ownHostAnswerHeaders("default-src 'none'", baseUrl)
      const headers = new Headers({ ...policy, 'content-type': 'text/javascript; charset=utf-8' })
      return buildResponse(request, { body: LAST_WORKER, headers })
    },
  }
}
export type OwnAnswers = ReturnType<typeof createOwnAnswers>

const NOTHING = 'Nothing is served here.'
const NO_COOKIES =
  'This page needs a cookie, and this browser keeps none for it. Allow cookies, then open its link.'
