import { Refusal } from '../model/errors.ts'
import { newId } from '../platform/ids.ts'
import { loadOnce } from '../platform/load-once.ts'
import type { Log } from '../platform/log.ts'
import { isOverload } from './kit/body.ts'
import type { BodyBudgets } from './kit/body-budget.ts'
import { documentHeaders } from './kit/headers.ts'
import { STATUS } from './kit/json-response.ts'
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

/** The `Retry-After` of a notice without a time of its own. */
const RETRY_AFTER_S = 10

export interface Routes {
  /** The fast path of most requests for pages; null for any other request. */
  fastPath(request: Request): Response | Promise<Response> | null
  /** The fast path of pages' own hosts. Null where there are none. */
  ownHostFastPath: ((request: Request) => Response | null) | null
  /** `/p/{slug}` and everything below it. */
  visitor(request: Request): Response | Promise<Response>
  /** Pages on hosts of their own: answers null for another host. Null where there are none. */
  contentHosts: ((request: Request) => Promise<Response> | null) | null
  /** Health checks and files of pages; null for any other path. */
  probesAndFiles: ProbesAndFiles
  /** Visitor operations by path. Loaded at the first request for one. */
  loadVisitorOperations(): Promise<VisitorOperationRoutes>
  /** Everything else. Loaded at the first request for it. */
  loadRouter(): Promise<Router>
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
  answer(): Response | Promise<Response>
}

/**
 * Sends each request to its routes, and records how it was answered. A published page goes straight
 * to the serving path; everything else goes through the router.
 */
export function createDispatcher(routes: Routes, options: DispatchOptions) {
  const { bodyBudgets, recorder } = options
  const failed = createFailureResponse(options)
  const loadVisitorOperations = loadOnce(routes.loadVisitorOperations)
  const loadRouter = loadOnce(async () => {
    const router = await routes.loadRouter()
    router.onError((err, context) => failed(err, context.req.raw, context.get('request_id')))
    return router
  })

  function answerPage(request: Request): Response | Promise<Response> {
    if (isWithoutHost(request.url)) return badRequest()
    const answer = routes.fastPath(request)
    return answer ?? routes.contentHosts?.(request) ?? routes.visitor(request)
  }

  /** Answers most requests for a page's own host at once; null for any other request. */
  function answerOnHost(request: Request, beganMs: number): Response | null {
    if (routes.ownHostFastPath === null) return null
    const as: Asked = { kind: 'page', beganMs }
    try {
      const answer = routes.ownHostFastPath(request)
      return answer && recorder.answered(request, answer, as)
    } catch (err) {
      return recorder.answered(request, failed(err, request), as)
    }
  }

  function find(request: Request): Found | Promise<Found> {
    const { url } = request
    const path = pathOf(url)
    if (PAGE_PATH.test(path)) return { kind: 'page', answer: () => answerPage(request) }
    if (isWithoutHost(url) || !URL.canParse(url)) return { kind: 'web', answer: badRequest }
    const onContentHost = routes.contentHosts?.(request) ?? null
    if (onContentHost !== null) return { kind: 'page', answer: () => onContentHost }
    return findOther(request, path)
  }

  /** Loads only what the path needs: a server of pages needs a small part of the program. */
  async function findOther(request: Request, path: string): Promise<Found> {
    const kind = kindOf(path)
    const answer = routes.probesAndFiles(request, path)
    if (answer !== null) return { kind, answer: async () => withRequestId(await answer) }
    const operation = isVisitorPath(path) ? (await loadVisitorOperations()).get(path) : undefined
    if (operation !== undefined) return { kind: 'visitor', answer: () => operation(request) }
    const router = await loadRouter()
    return { kind, answer: () => router.fetch(request) }
  }

  /** Finds the route of a request and waits for its answer, or for the notice of an error. */
  async function settle(
    request: Request,
    beganMs: number,
    look: () => Found | Promise<Found>,
  ): Promise<Response> {
    let kind: RequestKind = 'web'
    try {
      const found = await look()
      kind = found.kind
      return recorder.answered(request, await found.answer(), { kind, beganMs })
    } catch (err) {
      return recorder.answered(request, failed(err, request), { kind, beganMs })
    } finally {
      if (!isRead(request)) bodyBudgets.release(request)
    }
  }

  return {
    fetch(request: Request): Response | Promise<Response> {
      const beganMs = performance.now()
      const answer = answerOnHost(request, beganMs)
      return answer ?? settle(request, beganMs, () => find(request))
    },
    /**
     * Answers a request whose path on the wire is below `/p/`. The dot segments of that path, which
     * Bun resolves in the URL, lead to no other route: a proxy may have checked the path as it was.
     */
    fetchPage(request: Request): Response | Promise<Response> {
      const as: Asked = { kind: 'page', beganMs: performance.now() }
      try {
        const answer = answerPage(request)
        // A view of a page in memory needs no promise, and each promise costs time.
        if (answer instanceof Response) return recorder.answered(request, answer, as)
        if (!isRead(request)) {
          return settle(request, as.beganMs, () => ({ kind: 'page', answer: () => answer }))
        }
        return answer.then(
          (response) => recorder.answered(request, response, as),
          (err) => recorder.answered(request, failed(err, request), as),
        )
      } catch (err) {
        return recorder.answered(request, failed(err, request), as)
      }
    },
  }
}

/** The notice for a bug or an outage, whose details are in the log, or for too many bodies. */
export function createFailureResponse({ baseUrl, log }: Pick<DispatchOptions, 'baseUrl' | 'log'>) {
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
export function isWithoutHost(url: string): boolean {
  return url.startsWith('/')
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
