import { STATUS } from '../model/error-codes/meaning.ts'
import { Refusal } from '../model/errors.ts'
import type { Site } from '../model/site.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { type Labels, type Metrics, numberText, type Sample } from '../platform/metrics.ts'
import { outageRefusal } from '../platform/outages.ts'
import type { Services } from '../platform/services.ts'
import { isOverload } from './kit/body.ts'
import type { BodyBudgets } from './kit/body-budget.ts'
import { type LoggedRouteOf, UNKNOWN_ROUTE } from './kit/logged-route.ts'
import { NOTICE_CSP, type NoticeKind, notice } from './kit/notice.ts'
import { buildResponse, documentResponse } from './kit/response.ts'
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
  /** Health checks and files of pages, for GET and HEAD; null for any other path. */
  probesAndFiles: ProbesAndFiles
  /** Visitor operations by path. */
  visitorOperations: ReadonlyMap<string, (request: Request) => Promise<Response>>
  /** REST for programs and for our own pages. */
  apis: { readonly [kind in RequestKind]?: Pick<Router, 'fetch'> }
  /** Everything else. */
  router: Router
}

interface DispatchOptions {
  site: Site
  bodyBudgets: BodyBudgets
  recorder: Pick<RequestRecorder, 'answered'>
  log: Log
}

/** The route that answers a request. */
interface Route {
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
  const { pageRouteOf, visitorOperations, apis, router } = routes
  const failed = createFailureResponse(options)
  router.onError((err, context) =>
    failed(err, context.req.raw, context.env.routeOf, context.get('request_id')),
  )

  function answerPage(request: Request): Response | Promise<Response> {
    if (isWithoutHost(request.url) || hasTwoHosts(request)) return badRequest()
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
    const entry: RecordEntry = { kind: 'page', routeOf: pageRouteOf, beganMs: performance.now() }
    try {
      const answer = route(request)
      if (answer === null) return answer as Extract<T, null>
      if (answer instanceof Response) return recorder.answered(request, answer, entry)
      if (!isRead(request)) return settle(request, entry.beganMs, () => ofPage(() => answer))
      return answer.then(
        (response) => recorder.answered(request, response, entry),
        (err) => recorder.answered(request, failed(err, request, pageRouteOf), entry),
      )
    } catch (err) {
      return recorder.answered(request, failed(err, request, pageRouteOf), entry)
    }
  }

  function ofPage(answer: Route['answer']): Route {
    return { kind: 'page', routeOf: pageRouteOf, answer }
  }

  function find(request: Request): Route {
    const { url } = request
    // Load balancers ask for these in HTTP/1.0, without a host.
    if (url === '/readyz' || url === '/healthz') return findOther(request, url)
    const path = pathOf(url)
    if (PAGE_PATH.test(path)) return ofPage(() => answerPage(request))
    if (!isAddress(url) || hasTwoHosts(request)) return { ...NO_ROUTE, answer: badRequest }
    return findOther(request, path)
  }

  function findOther(request: Request, path: string): Route {
    const kind = kindOf(path)
    // Where one of these answers, the path is that of a route without parameters.
    const routeOf = () => ({ route: path })
    const answer = isRead(request) ? routes.probesAndFiles(request, path) : null
    if (answer !== null) return { kind, routeOf, answer: async () => withRequestId(await answer) }
    const operation = visitorOperations.get(path)
    if (operation !== undefined)
      return { kind: 'visitor', routeOf, answer: () => operation(request) }
    const env = { routeOf: NO_ROUTE.routeOf }
    return {
      kind,
      routeOf: () => env.routeOf(),
      answer: () => (apis[kind] ?? router).fetch(request, env),
    }
  }

  /** Finds the route of a request and waits for its answer, or for the notice of an error. */
  async function settle(request: Request, beganMs: number, look: () => Route): Promise<Response> {
    let entry: RecordEntry = { ...NO_ROUTE, beganMs }
    try {
      const { kind, routeOf, answer } = look()
      entry = { kind, routeOf, beganMs }
      return recorder.answered(request, await answer(), entry)
    } catch (err) {
      return recorder.answered(request, failed(err, request, entry.routeOf), entry)
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
function createFailureResponse({ site, log }: Pick<DispatchOptions, 'site' | 'log'>) {
  return (
    err: unknown,
    request: Request,
    routeOf: LoggedRouteOf,
    requestId = newId('req'),
  ): Response => {
    if (!URL.canParse(request.url)) return badRequest()
    const unavailable = (kind: NoticeKind, { kind: refusalKind, details }: Refusal) =>
      documentResponse(null, {
        // A browser that opens a page tries again after 503, and not after 507.
        status: STATUS[refusalKind === 'noSpace' ? 'unavailable' : refusalKind],
        csp: NOTICE_CSP,
        headers: { 'retry-after': String(details?.retry_after_s ?? RETRY_AFTER_S) },
        body: notice(kind, { site }),
      })
    if (err instanceof Refusal && isOverload(err)) return unavailable('server_busy', err)
    log.error('request failed', { request_id: requestId, ...routeOf(request), err })
    const outage = outageRefusal(err)
    if (outage !== null) {
      return unavailable(outage.code === 'storage_full' ? 'server_full' : 'server_down', outage)
    }
    const body = notice('server_error', { site, request_id: requestId })
    return documentResponse(null, { status: 500, csp: NOTICE_CSP, body })
  }
}

/** Bun leaves the host out of the URL where the `Host` header is malformed. */
function isWithoutHost(url: string): boolean {
  return url.startsWith('/')
}

/** Bun joins them by a comma. A proxy may have read the one, and we the other (RFC 9112, 3.2). */
function hasTwoHosts({ headers }: Request): boolean {
  return headers.get('host')?.includes(',') ?? false
}

function isAddress(url: string): boolean {
  return !isWithoutHost(url) && URL.canParse(url)
}

/** A request without a body reserves nothing; most requests are views. */
function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

const PAGE_PATH = /^\/p\/[^/]/

function withRequestId(response: Response): Response {
  response.headers.set('x-request-id', newId('req'))
  return response
}

function badRequest(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return buildResponse(null, { status: 400, headers, body: 'Bad Request\n' })
}

/** The kinds of requests. There are few, since they are labels of metrics. */
const REQUEST_KINDS = [
  'page',
  'visitor',
  'api',
  'app',
  'mcp',
  'upload',
  'asset',
  'probe',
  'web',
] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** What is recorded of a request beside its answer. */
interface RecordEntry {
  kind: RequestKind
  routeOf: LoggedRouteOf
  /** By `performance.now()`. */
  beganMs: number
}

interface RecorderDeps extends Pick<Services, 'metrics' | 'log'> {
  requestLog: 'off' | 'without_pages' | 'all'
  logsAddresses: boolean
  addressOf(request: Request): string
}

/** Kinds of which there are very many, so that they would hide the others. */
const UNLOGGED: ReadonlySet<RequestKind> = new Set(['page', 'visitor', 'probe'])
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MAX_STATUS = 599

interface Counters {
  byStatus: Float64Array
  durations: ReturnType<typeof createHistogram>
}

/** Every view passes here: counting is two additions to arrays. */
export function createRequestRecorder(deps: RecorderDeps) {
  const counters = Object.fromEntries(
    REQUEST_KINDS.map((kind): [string, Counters] => [
      kind,
      { byStatus: new Float64Array(MAX_STATUS + 1), durations: createHistogram(BOUNDS_S) },
    ]),
  ) as Record<RequestKind, Counters>
  addMetrics(deps.metrics, counters)
  const { log, requestLog, logsAddresses, addressOf } = deps

  function isLogged(kind: RequestKind): boolean {
    return requestLog === 'all' || (requestLog !== 'off' && !UNLOGGED.has(kind))
  }

  return {
    /** Counts a request by its answer, which it returns, and logs it if requests are logged. */
    answered(
      request: Request,
      answer: Response,
      { kind, routeOf, beganMs }: RecordEntry,
    ): Response {
      const ms = performance.now() - beganMs
      const { byStatus, durations } = counters[kind]
      byStatus[answer.status]! += 1
      durations.observe(ms / 1000)
      if (!isLogged(kind)) return answer
      // Neither the address nor headers: both have secrets in them.
      log.request('request', {
        request_id: answer.headers.get('x-request-id') ?? undefined,
        kind,
        method: request.method,
        ...routeOf(request),
        status: answer.status,
        ms: Math.round(ms * 10) / 10,
        ...(logsAddresses && { address: addressOf(request) }),
      })
      return answer
    },
  }
}
export type RequestRecorder = ReturnType<typeof createRequestRecorder>

function addMetrics(metrics: Metrics, counters: Record<RequestKind, Counters>): void {
  metrics.add(
    'handbill_http_requests_total',
    'Requests that were answered, by what they are for and the status of the answer.',
    () => REQUEST_KINDS.flatMap((kind) => statusSamples(kind, counters[kind].byStatus)),
  )
  metrics.add(
    'handbill_http_request_duration_seconds',
    'How long it took until an answer began, by what the requests are for.',
    () => REQUEST_KINDS.flatMap((kind) => counters[kind].durations.samples({ kind })),
  )
}

function statusSamples(kind: RequestKind, byStatus: Float64Array): Sample[] {
  return [...byStatus.entries()]
    .filter(([, value]) => value > 0)
    .map(([status, value]) => ({ labels: { kind, status: String(status) }, value }))
}

/**
 * Counts how many values lie below each bound.
 *
 * @param bounds ascending; the bucket of everything is added
 */
export function createHistogram(bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe(value: number): void {
      let bucket = 0
      while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1
      counts[bucket]! += 1
      sum += value
    },
    /** In the cumulative buckets of Prometheus. */
    samples(labels: Labels = {}): Sample[] {
      let count = 0
      const buckets = [...bounds, Infinity].map((bound, i): Sample => {
        count += counts[i]!
        return { labels: { ...labels, le: numberText(bound) }, value: count, suffix: '_bucket' }
      })
      return [
        ...buckets,
        { labels, value: sum, suffix: '_sum' },
        { labels, value: count, suffix: '_count' },
      ]
    },
  }
}

const KINDS: readonly [RegExp, RequestKind][] = [
  [/^\/api(\/|$)/, 'api'],
  [/^\/app\/api(\/|$)/, 'app'],
  [/^\/mcp$/, 'mcp'],
  [/^\/~\/uploads(\/|$)/, 'upload'],
  [/^\/l\//, 'visitor'],
  [/^\/(~\/|favicon\.ico$)/, 'asset'],
  [/^\/(healthz|readyz|metrics)$/, 'probe'],
]

/** The kind of a request that is neither for a page nor a visitor operation. */
export function kindOf(path: string): RequestKind {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'web'
}

/** Without the query: scanned by hand, because every view passes here. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}
