import { Refusal } from '../model/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { isOverload } from './kit/body.ts'
import type { BodyBudgets } from './kit/body-budget.ts'
import { documentHeaders } from './kit/headers.ts'
import { STATUS } from './kit/json-response.ts'
import { type LoggedRouteOf, UNKNOWN_ROUTE } from './kit/logged-route.ts'
import { NOTICE_CSP, type NoticeKind, notice } from './kit/notice.ts'
import { outageRefusal } from './kit/outage.ts'
import {
  type Asked,
  kindOf,
  pathOf,
  type RequestKind,
  type RequestRecorder,
  UPLOAD_LINKS,
} from './request-recorder.ts'
import type { Router } from './router.ts'
import type { ProbesAndFiles } from './web/probes-and-files.ts'

/** Of a request that has not reached a route. */
const NO_ROUTE = { kind: 'web', routeOf: () => UNKNOWN_ROUTE } as const
/** The `Retry-After` of a notice without a time of its own. */
const RETRY_AFTER_S = 10

export interface Routes {
  /** `/p/{slug}` and everything below it. */
  visitor(request: Request): Response | Promise<Response>
  /** Pages on hosts of their own: answers null for another host. Null where there are none. */
  contentHosts: ((request: Request) => Response | Promise<Response> | null) | null
  /** The route of a request for a page, for the log. */
  pageRouteOf: LoggedRouteOf
  /** Health checks and files of pages; null for any other path. */
  probesAndFiles: ProbesAndFiles
  /** Visitor operations by path. */
  visitorOperations: VisitorOperationRoutes
  /** Everything else. */
  router: Router
}
export type VisitorOperationRoutes = ReadonlyMap<string, (request: Request) => Promise<Response>>

export interface DispatchOptions {
  baseUrl: string
  bodyBudgets: BodyBudgets
  recorder: Pick<RequestRecorder, 'answered'>
  log: Log
}

/** The route that answers a request. */
interface Found {
  kind: RequestKind
  routeOf: LoggedRouteOf
  answer(): Response | Promise<Response>
}

/**
 * Sends each request to its routes, and records how it was answered. A published page goes straight
 * to the serving path; everything else goes through the router.
 */
export function createDispatcher(routes: Routes, options: DispatchOptions) {
  const { bodyBudgets, recorder } = options
  const { pageRouteOf, visitorOperations, router } = routes
  const failed = createFailureResponse(options)
  router.onError((err, context) =>
    failed(err, context.req.raw, context.env.routeOf, context.get('request_id')),
  )

  function answerPage(request: Request): Response | Promise<Response> {
    if (isWithoutHost(request.url)) return badRequest()
    return routes.contentHosts?.(request) ?? routes.visitor(request)
  }

  /**
   * Records the answer of a page, and turns an error into a notice. An answer from memory is no
   * promise: each promise costs time.
   */
  function recordPage<T extends Response | Promise<Response> | null>(
    request: Request,
    route: (request: Request) => T,
  ): Response | Promise<Response> | Extract<T, null> {
    const as: Asked = { kind: 'page', routeOf: pageRouteOf, beganMs: performance.now() }
    try {
      const answer = route(request)
      if (answer === null) return answer as Extract<T, null>
      if (answer instanceof Response) return recorder.answered(request, answer, as)
      if (!isRead(request)) return settle(request, as.beganMs, () => ofPage(() => answer))
      return answer.then(
        (response) => recorder.answered(request, response, as),
        (err) => recorder.answered(request, failed(err, request, pageRouteOf), as),
      )
    } catch (err) {
      return recorder.answered(request, failed(err, request, pageRouteOf), as)
    }
  }

  function ofPage(answer: Found['answer']): Found {
    return { kind: 'page', routeOf: pageRouteOf, answer }
  }

  function find(request: Request): Found {
    const { url } = request
    const path = pathOf(url)
    if (PAGE_PATH.test(path)) return ofPage(() => answerPage(request))
    if (!isAddress(url)) return { ...NO_ROUTE, answer: badRequest }
    return findOther(request, path)
  }

  function findOther(request: Request, path: string): Found {
    const kind = kindOf(path)
    // Where one of these answers, the path is that of a route without parameters.
    const routeOf = () => ({ route: path })
    const answer = routes.probesAndFiles(request, path)
    if (answer !== null) return { kind, routeOf, answer: async () => withRequestId(await answer) }
    const operation = isVisitorPath(path) ? visitorOperations.get(path) : undefined
    if (operation !== undefined)
      return { kind: 'visitor', routeOf, answer: () => operation(request) }
    const env = { routeOf: NO_ROUTE.routeOf }
    return {
      kind,
      routeOf: () => env.routeOf(),
      answer: () => router.fetch(request, env),
    }
  }

  /** Finds the route of a request and waits for its answer, or for the notice of an error. */
  async function settle(request: Request, beganMs: number, look: () => Found): Promise<Response> {
    let as: Asked = { ...NO_ROUTE, beganMs }
    try {
      const { kind, routeOf, answer } = look()
      as = { kind, routeOf, beganMs }
      return recorder.answered(request, await answer(), as)
    } catch (err) {
      return recorder.answered(request, failed(err, request, as.routeOf), as)
    } finally {
      if (!isRead(request)) bodyBudgets.release(request)
    }
  }

  return {
    fetch(request: Request): Response | Promise<Response> {
      const { contentHosts } = routes
      const isOnHost = contentHosts !== null && isAddress(request.url)
      const answer = isOnHost ? recordPage(request, contentHosts) : null
      return answer ?? settle(request, performance.now(), () => find(request))
    },
    /**
     * Answers a request whose path on the wire is below `/p/`. The dot segments of that path, which
     * Bun resolves in the URL, lead to no other route: a proxy may have checked the path as it was.
     */
    fetchPage: (request: Request): Response | Promise<Response> => recordPage(request, answerPage),
  }
}

/** The notice for a bug or an outage, whose details are in the log, or for too many bodies. */
export function createFailureResponse({ baseUrl, log }: Pick<DispatchOptions, 'baseUrl' | 'log'>) {
  const { host } = new URL(baseUrl)

  return (
    err: unknown,
    request: Request,
    routeOf: LoggedRouteOf,
    requestId = newId('req'),
  ): Response => {
    if (!URL.canParse(request.url)) return badRequest()
    const headers = documentHeaders(NOTICE_CSP)
    const unavailable = (kind: NoticeKind, { kind: refusalKind, details }: Refusal) => {
      const retryAfter = String(details?.retry_after_s ?? RETRY_AFTER_S)
      const init = {
        // A browser that opens a page tries again after 503, and not after 507.
        status: STATUS[refusalKind === 'no_space' ? 'unavailable' : refusalKind],
        headers: { ...headers, 'retry-after': retryAfter },
      }
      return new Response(notice(kind, { host }), init)
    }
    if (err instanceof Refusal && isOverload(err)) return unavailable('server_busy', err)
    log.error('request failed', { request_id: requestId, ...routeOf(request), err })
    const outage = outageRefusal(err)
    if (outage !== null) {
      return unavailable(outage.code === 'storage_full' ? 'server_full' : 'server_down', outage)
    }
    const body = notice('server_error', { host, request_id: requestId })
    return new Response(body, { status: 500, headers })
  }
}

/** Bun leaves the host out of the URL where the `Host` header is malformed. */
export function isWithoutHost(url: string): boolean {
  return url.startsWith('/')
}

function isAddress(url: string): boolean {
  return !isWithoutHost(url) && URL.canParse(url)
}

/** A request without a body reserves nothing; most requests are views. */
function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

const PAGE_PATH = /^\/p\/[^/]/

function isVisitorPath(path: string): boolean {
  return path.startsWith('/~/') && !path.startsWith(UPLOAD_LINKS)
}

function withRequestId(response: Response): Response {
  response.headers.set('x-request-id', newId('req'))
  return response
}

export function badRequest(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response('Bad Request\n', { status: 400, headers })
}
