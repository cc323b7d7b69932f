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
import {
  type Asked,
  kindOf,
  pathOf,
  type RequestKind,
  type RequestRecorder,
  UPLOAD_LINKS,
} from './request-recorder.ts'
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
  recorder: RequestRecorder
  log: Log
}

/** Who answers a request. */
interface Found {
  kind: RequestKind
  answer(): Response | Promise<Response>
}

/**
 * Sends each request to its routes, and records how it was answered. A published page goes straight
 * to the serving path; everything else goes through the router.
 */
export function createDispatcher(routes: Routes, options: DispatchOptions) {
  const { bodyBudgets, recorder } = options
  const failed = createFailureResponse(options)
  const router = createRouter(routes)
  router.onError((err, context) => failed(err, context.req.raw, context.get('request_id')))

  function answerPage(request: Request): Response | Promise<Response> {
    if (isWithoutHost(request.url)) return badRequest()
    return routes.contentHosts?.(request) ?? routes.visitor(request)
  }

  function find(request: Request): Found {
    const { url } = request
    const path = pathOf(url)
    if (PAGE_PATH.test(path)) return { kind: 'page', answer: () => answerPage(request) }
    if (isWithoutHost(url) || !URL.canParse(url)) return { kind: 'web', answer: badRequest }
    const onContentHost = routes.contentHosts?.(request) ?? null
    if (onContentHost !== null) return { kind: 'page', answer: () => onContentHost }
    const operation = routes.visitorOperations.get(path)
    if (operation !== undefined) return { kind: 'visitor', answer: () => operation(request) }
    return { kind: kindOf(path), answer: () => router.fetch(request) }
  }

  /** Finds who answers, and waits for the answer, or for the notice of why there is none. */
  async function settle(request: Request, beganMs: number, look: () => Found): Promise<Response> {
    let kind: RequestKind = 'web'
    try {
      const found = look()
      kind = found.kind
      return recorder.answered(request, await found.answer(), { kind, beganMs })
    } catch (err) {
      return recorder.answered(request, failed(err, request), { kind, beganMs })
    } finally {
      if (!isRead(request)) bodyBudgets.release(request)
    }
  }

  return {
    fetch(request: Request): Promise<Response> {
      return settle(request, performance.now(), () => find(request))
    },
    /**
     * Answers a request whose path on the wire is below `/p/`. The dot segments of that path, which
     * Bun resolves in the URL, lead to no other route: a proxy may have checked the path as it was.
     */
    fetchPage(request: Request): Response | Promise<Response> {
      const as: Asked = { kind: 'page', beganMs: performance.now() }
      try {
        const answer = answerPage(request)
        // A view of a page in memory waits for nothing, and each promise costs time.
        if (answer instanceof Response) return recorder.answered(request, answer, as)
        return settle(request, as.beganMs, () => ({ kind: 'page', answer: () => answer }))
      } catch (err) {
        return recorder.answered(request, failed(err, request), as)
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

function badRequest(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response('Bad Request\n', { status: 400, headers })
}

function createRouter({ rest, appApi, uploadLinks, mcp, web }: Routes) {
  const router = new Hono<{ Variables: { request_id: string } }>()
  router.use(async (context, next) => {
    const requestId = newId('req')
    context.set('request_id', requestId)
    await next()
    context.header('x-request-id', requestId)
  })
  router.route('/api/v1', rest)
  router.route('/app/api', appApi)
  router.route(UPLOAD_LINKS, uploadLinks)
  router.all('/mcp', ({ req, get }) => mcp(req.raw, get('request_id')))
  router.route('/', web)
  return router
}
