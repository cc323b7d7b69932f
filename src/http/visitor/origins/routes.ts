import type { Pages } from '../../../features/pages/index.ts'
import { cookiesNamed } from '../../kit/cookies.ts'
import { CONTENT_SANDBOX } from '../request/content-headers.ts'
import { type Target, targetOf } from '../request/target.ts'
import type { Origins } from './hosts.ts'

/** By it, addresses from the host's root and without a capability are this page's too. */
const COOKIE = 'handbill_content'
const COOKIE_S = 12 * 60 * 60
/** What of the serving path's answers is content, or leads to it. */
const IS_CONTENT = new Set([200, 206, 304, 307, 416])

export interface OriginDeps {
  origins: Origins
  pages: Pages
  /** The serving path of the base host. */
  serve(request: Request): Promise<Response>
  baseUrl: string
}

/**
 * The hosts that pages have to themselves. They serve a page's published files to who was admitted
 * on the base host, and nothing else: no gate, no app, no interface.
 *
 * @returns null for a request to any other host
 */
export function originRoutes({ origins, pages, serve, baseUrl }: OriginDeps) {
  async function isOwn({ slug }: Target, key: string): Promise<boolean> {
    const live = pages.cachedPage(slug) ?? (await pages.findPublished(slug))
    return live !== undefined && origins.isOf(live.page, key)
  }

  async function answer(request: Request, key: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return nothing(405)
    const target = targetOf(request.url)
    if (target?.cap != null) {
      return (await isOwn(target, key)) ? byCap(request, target) : nothing(404)
    }
    for (const base of basesIn(request)) {
      const known = targetOf(`http://any${base}`)
      if (known?.cap == null || !(await isOwn(known, key))) continue
      return byCookie(request, base, known)
    }
    return nothing(404)
  }

  async function byCap(request: Request, { slug, cap }: Target): Promise<Response> {
    const served = await serve(request)
    if (!IS_CONTENT.has(served.status)) return nothing(served.status === 403 ? 404 : served.status)
    const headers = new Headers(served.headers)
    const policy = headers.get('content-security-policy') ?? ''
    headers.set('content-security-policy', policyOf(policy, baseUrl))
    headers.delete('cross-origin-opener-policy')
    const location = headers.get('location')
    const isClean = location?.startsWith('/p/') && !location.startsWith(`/p/${slug}/~`)
    if (isClean) headers.set('location', baseUrl + location)
    if (request.headers.get('sec-fetch-dest') === 'iframe' && served.status === 200) {
      const flags = `Path=/; Max-Age=${COOKIE_S}; HttpOnly; Secure; SameSite=None; Partitioned`
      headers.append('set-cookie', `${COOKIE}=/p/${slug}/~${cap}/; ${flags}`)
    }
    return new Response(served.body, { status: served.status, headers })
  }

  /** A document goes to where its own files lie; what it loads comes as it is. */
  async function byCookie(request: Request, base: string, known: Target): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const own = `/p/${known.slug}/`
    const path = pathname.startsWith(own) ? pathname.slice(own.length) : pathname.slice(1)
    const isDocument = /^(?:document|iframe)$/.test(request.headers.get('sec-fetch-dest') ?? '')
    if (isDocument) {
      const headers = { location: base + path + search, 'cache-control': 'no-store' }
      return new Response(null, { status: 307, headers })
    }
    const { method, headers } = request
    const url = new URL(base + path + search, request.url)
    return byCap(new Request(url, { method, headers }), known)
  }

  return (request: Request): Promise<Response> | null => {
    const key = origins.keyIn(request.headers.get('host'))
    return key === null ? null : answer(request, key)
  }
}

/** A page's host is framed by our shell and by itself. */
function policyOf(policy: string, baseUrl: string): string {
  const own = policy.replace("; frame-ancestors 'self'", '')
  const sandbox = own === CONTENT_SANDBOX ? `${own} allow-same-origin` : own
  return `${sandbox}; frame-ancestors 'self' ${new URL(baseUrl).origin}`
}

/** Another page's host may have set one for all: each is looked at. */
function basesIn({ headers }: Request): string[] {
  const bases = cookiesNamed(headers.get('cookie'), COOKIE)
  return bases.filter((base) => /^\/p\/[^/]+\/~[\w.-]+\/$/.test(base))
}

function nothing(status: number): Response {
  return new Response('Nothing is served here.\n', {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
  })
}
