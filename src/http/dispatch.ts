import { Hono } from 'hono'
import { Refusal } from '../model/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { isOverload } from './kit/body.ts'
import type { BodyBudgets } from './kit/body-budget.ts'
import { documentHeaders } from './kit/headers.ts'
import { STATUS } from './kit/json-response.ts'
import { NOTICE_CSP, type NoticeKind, notice } from './kit/notice.ts'
import { outageRefusal } from './kit/outage.ts'
import type { mcpRoutes } from './mcp/routes.ts'
import type { restRoutes } from './rest/routes.ts'
import type { uploadLinkRoutes } from './rest/upload-links.ts'
import type { webRoutes } from './web/index.ts'

/** When to load a notice again that says no time itself. */
const RETRY_AFTER_S = 10

export interface Routes {
  /** `/p/{slug}` and everything below it. */
  visitor(request: Request): Response | Promise<Response>
  /** What visitors send from pages, by path. */
  visitorOperations: ReadonlyMap<string, (request: Request) => Promise<Response>>
  /** Pages on hosts of their own: answers null for another host. Null where there are none. */
  contentHosts: ((request: Request) => Promise<Response> | null) | null
  /** The API for programs. */
  rest: ReturnType<typeof restRoutes>
  /** The same operations for our own pages, by session. */
  appApi: ReturnType<typeof restRoutes>
  /** Below `/~/uploads`. */
  uploadLinks: ReturnType<typeof uploadLinkRoutes>
  mcp: ReturnType<typeof mcpRoutes>
  web: ReturnType<typeof webRoutes>
}

export interface DispatchOptions {
  baseUrl: string
  bodyBudgets: BodyBudgets
  log: Log
}

/**
 * Sends each request to its routes. A published page goes straight to the serving path; everything
 * else goes through the router, which logs the request.
 */
export function createDispatcher(routes: Routes, options: DispatchOptions) {
  const { bodyBudgets, log } = options
  const failed = createFailureResponse(options)
  const router = createRouter(routes, log)
  router.onError((err, context) => failed(err, context.req.raw, context.get('request_id')))

  function answer(request: Request): Response | Promise<Response> {
    const { url } = request
    const path = pathOf(url)
    if (PAGE_PATH.test(path)) return answerPage(request)
    if (isWithoutHost(url) || !URL.canParse(url)) return badRequest()
    const onContentHost = routes.contentHosts?.(request) ?? null
    if (onContentHost !== null) return onContentHost
    return routes.visitorOperations.get(path)?.(request) ?? router.fetch(request)
  }

  function answerPage(request: Request): Response | Promise<Response> {
    if (isWithoutHost(request.url)) return badRequest()
    return routes.contentHosts?.(request) ?? routes.visitor(request)
  }

  async function settlePage(request: Request, answer: Promise<Response>): Promise<Response> {
    try {
      return await answer
    } catch (err) {
      return failed(err, request)
    } finally {
      // Of the requests for pages, the forms of gates alone have a body.
      if (request.method === 'POST') bodyBudgets.release(request)
    }
  }

  return {
    async fetch(request: Request): Promise<Response> {
      try {
        return await answer(request)
      } catch (err) {
        return failed(err, request)
      } finally {
        if (!isRead(request)) bodyBudgets.release(request)
      }
    },
    /**
     * Answers a request whose path on the wire is below `/p/`. The dot segments of that path, which
     * Bun resolves in the URL, lead to no other route: a proxy may have checked the path as it was.
     */
    fetchPage(request: Request): Response | Promise<Response> {
      try {
        const answer = answerPage(request)
        // A view of a page in memory waits for nothing, and each promise costs time.
        return answer instanceof Response ? answer : settlePage(request, answer)
      } catch (err) {
        return failed(err, request)
      }
    },
  }
}

/** The notice that answers a bug or an outage, whose details are in the log, or too many bodies. */
function createFailureResponse({ baseUrl, log }: DispatchOptions) {
  const { host } = new URL(baseUrl)

  return (err: unknown, { url }: Request, requestId = newId('req')): Response => {
    if (!URL.canParse(url)) return badRequest()
    const headers = documentHeaders(NOTICE_CSP)
    const unavailable = (kind: NoticeKind, refusal: Refusal) => {
      const retryAfter = String(refusal.details?.retry_after_s ?? RETRY_AFTER_S)
      const init = {
        status: STATUS[refusal.kind],
        headers: { ...headers, 'retry-after': retryAfter },
      }
      return new Response(notice(kind, { host }), init)
    }
    if (err instanceof Refusal && isOverload(err)) return unavailable('server_busy', err)
    log.error('request failed', { request_id: requestId, path: new URL(url).pathname, err })
    const outage = outageRefusal(err)
    if (outage !== null) {
      return unavailable(outage.code === 'storage_full' ? 'server_full' : 'server_down', outage)
    }
    const body = notice('server_error', { host, request_id: requestId })
    return new Response(body, { status: 500, headers })
  }
}

/** Bun leaves the host out of the URL where the `Host` header is malformed. */
function isWithoutHost(url: string): boolean {
  return url.startsWith('/')
}

/** Has no body: views, which are most requests, reserve nothing. */
function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

const PAGE_PATH = /^\/p\/[^/]/

/** Without the query: scanned by hand, because every view passes here. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

function badRequest(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response('Bad Request\n', { status: 400, headers })
}

/** What follows is the secret of an upload. */
const UPLOAD_LINKS = '/~/uploads'

/**
 * An address that no route knows may be a link that was cut or mistyped, with a secret in it: the
 * log gets its first two segments.
 */
function loggedPath(path: string, status: number): string {
  if (path.startsWith(UPLOAD_LINKS)) return `${UPLOAD_LINKS}/…`
  if (status !== 404 || /^\/(api\/v1|app\/api)\/pages\//.test(path)) return path
  const [, first = '', second, ...more] = path.split('/')
  if (second === undefined) return path
  return `/${first}/${second}${more.length > 0 ? '/…' : ''}`
}

function createRouter({ rest, appApi, uploadLinks, mcp, web }: Routes, log: Log) {
  const router = new Hono<{ Variables: { request_id: string } }>()
  router.use(async (context, next) => {
    const requestId = newId('req')
    const began = performance.now()
    context.set('request_id', requestId)
    await next()
    context.header('x-request-id', requestId)
    const { method } = context.req
    const { status } = context.res
    const path = loggedPath(context.req.path, status)
    const ms = Math.round((performance.now() - began) * 10) / 10
    log.request('request', { request_id: requestId, method, path, status, ms })
  })
  router.route('/api/v1', rest)
  router.route('/app/api', appApi)
  router.route(UPLOAD_LINKS, uploadLinks)
  router.all('/mcp', ({ req, get }) => mcp(req.raw, get('request_id')))
  router.route('/', web)
  return router
}
