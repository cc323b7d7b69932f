import { isPreviewToken, type Pages } from '../../../features/pages/index.ts'
import { cookiesNamed } from '../../kit/cookies.ts'
import { buildResponse, textResponse } from '../../kit/response.ts'
import { parseTarget } from '../request/classify.ts'
import { CONTENT_SANDBOX } from '../request/content-headers.ts'
import type { Target } from '../request/paths.ts'
import type { Origins } from './hosts.ts'

/** Holds the frame path, so that addresses from the host's root belong to the page, too. */
const PLAIN_COOKIE = 'handbill_content'
/** On https, so that the host of another page cannot set it. Partitioned cookies may have it. */
const HOST_COOKIE = '__Host-handbill_content'
const COOKIE_S = 12 * 60 * 60
/** Statuses of the serving path whose response is content, or leads to it. */
const CONTENT_STATUSES = new Set([200, 206, 304, 307, 416])

export interface OriginDeps {
  origins: Origins
  pages: Pages
  /** The serving path of the base host. */
  serve(request: Request): Response | Promise<Response>
  baseUrl: string
}

/** A target with a frame token. */
type FrameTarget = Target & { frameToken: string }

/**
 * The hosts that each page has to itself. They serve a page's published files to visitors who were
 * admitted on the base host, and nothing else: no gate, no app, no API.
 *
 * @returns a handler that gives null for a request to any other host
 */
export function originRoutes({ origins, pages, serve, baseUrl }: OriginDeps) {
  const cookie = origins.isHttps ? HOST_COOKIE : PLAIN_COOKIE

  async function isPageOf({ slug }: Target, key: string): Promise<boolean> {
    const publishedPage = pages.cachedPage(slug) ?? (await pages.findPublished(slug))
    return publishedPage !== undefined && origins.isOf(publishedPage.page, key)
  }

  async function respond(request: Request, key: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return notServed(request, 405)
    const target = parseTarget(request.url)
    if (isFrameTarget(target)) {
      return (await isPageOf(target, key)) ? byFrameToken(request, target) : notServed(request, 404)
    }
    for (const framePath of framePathsIn(request)) {
      const known = parseTarget(`http://any${framePath}`)
      if (!isFrameTarget(known) || !(await isPageOf(known, key))) continue
      return byCookie(request, framePath, known)
    }
    return notServed(request, 404)
  }

  async function byFrameToken(
    request: Request,
    { slug, frameToken }: FrameTarget,
  ): Promise<Response> {
    const { status, headers: served, body } = await serve(request)
    const isContent =
      CONTENT_STATUSES.has(status) || served.get('content-security-policy') === CONTENT_SANDBOX
    if (!isContent) return notServed(request, status === 403 ? 404 : status)
    const headers = new Headers(served)
    const policy = headers.get('content-security-policy') ?? ''
    headers.set('content-security-policy', policyOnOrigin(policy, baseUrl))
    headers.delete('cross-origin-opener-policy')
    const location = headers.get('location')
    const isClean = location?.startsWith('/p/') && !location.startsWith(`/p/${slug}/~`)
    if (isClean) headers.set('location', baseUrl + location)
    if (request.headers.get('sec-fetch-dest') === 'iframe' && status === 200) {
      const flags = `Path=/; Max-Age=${COOKIE_S}; HttpOnly; Secure; SameSite=None; Partitioned`
      headers.append('set-cookie', `${cookie}=/p/${slug}/~${frameToken}/; ${flags}`)
    }
    return new Response(body, { status, headers })
  }

  /** Redirects a document to its address by frame token; serves what the document loads. */
  async function byCookie(
    request: Request,
    framePath: string,
    target: FrameTarget,
  ): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const own = `/p/${target.slug}/`
    const path = pathname.startsWith(own) ? pathname.slice(own.length) : pathname.slice(1)
    const isDocument = /^(?:document|iframe)$/.test(request.headers.get('sec-fetch-dest') ?? '')
    if (isDocument) {
      const location = framePath + path + search
      const headers = new Headers({ location, 'cache-control': 'no-store' })
      return buildResponse(request, { status: 307, headers, body: null })
    }
    const { method, headers } = request
    const url = new URL(framePath + path + search, request.url)
    return byFrameToken(new Request(url, { method, headers }), target)
  }

  return (request: Request): Promise<Response> | null => {
    const key = origins.keyIn(request.headers.get('host'))
    return key === null ? null : respond(request, key)
  }
}

function isFrameTarget(target: Target | null): target is FrameTarget {
  // A preview is for frames of the app, in the sandbox of the base host.
  return target !== null && target.frameToken !== null && !isPreviewToken(target.frameToken)
}

/** Lets the shell and the page itself frame the page's host, which is a full origin. */
function policyOnOrigin(policy: string, baseUrl: string): string {
  const own = policy.replace("; frame-ancestors 'self'", '')
  const sandbox = own === CONTENT_SANDBOX ? `${own} allow-same-origin` : own
  return `${sandbox}; frame-ancestors 'self' ${new URL(baseUrl).origin}`
}

/**
 * The path in the cookie that no other host can set. Without it, on http and in browsers that hold
 * a cookie of version 0.1, those in all cookies of the plain name: the host of another page may
 * have set one for the whole domain.
 */
function framePathsIn({ headers }: Request): string[] {
  const sent = headers.get('cookie')
  const own = cookiesNamed(sent, HOST_COOKIE)
  const paths = own.length > 0 ? own : cookiesNamed(sent, PLAIN_COOKIE)
  return paths.filter((path) => /^\/p\/[^/]+\/~[\w.-]+\/$/.test(path))
}

function notServed(request: Request, status: number): Response {
  return textResponse(request, {
    status,
    text: 'Nothing is served here.',
    headers: { 'content-security-policy': "default-src 'none'; sandbox" },
  })
}
