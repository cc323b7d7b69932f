import type { Log } from '../platform/log.ts'
import { type Labels, type Metrics, numberText, type Sample } from '../platform/metrics.ts'
import type { LoggedRoute, LoggedRouteOf } from './kit/logged-route.ts'

/** The kinds of requests. There are few, since they are labels of metrics. */
export const REQUEST_KINDS = [
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

export interface RequestRecorder {
  /**
   * Counts a request by its answer, and logs it if logging of requests is on.
   *
   * @param beganMs by `performance.now()`
   * @returns the answer
   */
  answered(request: Request, answer: Response, as: Asked): Response
}

export interface Asked {
  kind: RequestKind
  routeOf: LoggedRouteOf
  beganMs: number
}

export interface RecorderDeps {
  metrics: Metrics
  log: Log
  requestLog: 'off' | 'without_pages' | 'all'
  logsAddresses: boolean
  addressOf(request: Request): string
}

const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MAX_STATUS = 599

interface Counted {
  byStatus: Float64Array
  durations: Histogram
}

/** Every view passes here: counting is two additions to arrays. */
export function createRequestRecorder(deps: RecorderDeps): RequestRecorder {
  const counted = Object.fromEntries(
    REQUEST_KINDS.map((kind): [string, Counted] => [
      kind,
      { byStatus: new Float64Array(MAX_STATUS + 1), durations: createHistogram(BOUNDS_S) },
    ]),
  ) as Record<RequestKind, Counted>
  addMetrics(deps.metrics, counted)
  const isLogged = loggedKinds(deps.requestLog)
  const write = createRequestLog(deps)

  return {
    answered(request, answer, as) {
      const { kind, routeOf, beganMs } = as
      const ms = performance.now() - beganMs
      const { byStatus, durations } = counted[kind]
      byStatus[answer.status]! += 1
      durations.observe(ms / 1000)
      if (isLogged(kind)) write(request, answer, { kind, route: routeOf(request), ms })
      return answer
    },
  }
}

function addMetrics(metrics: Metrics, counted: Record<RequestKind, Counted>): void {
  metrics.add({
    name: 'handbill_http_requests_total',
    type: 'counter',
    help: 'Requests that were answered, by what they are for and the status of the answer.',
    read: () => REQUEST_KINDS.flatMap((kind) => statusSamples(kind, counted[kind].byStatus)),
  })
  metrics.add({
    name: 'handbill_http_request_duration_seconds',
    type: 'histogram',
    help: 'How long it took until an answer began, by what the requests are for.',
    read: () => REQUEST_KINDS.flatMap((kind) => counted[kind].durations.samples({ kind })),
  })
}

function statusSamples(kind: RequestKind, byStatus: Float64Array): Sample[] {
  return [...byStatus.entries()]
    .filter(([, value]) => value > 0)
    .map(([status, value]) => ({ labels: { kind, status: String(status) }, value }))
}

/** Counts how many values lie below each bound. */
interface Histogram {
  observe(value: number): void
  /** In the cumulative buckets of Prometheus. */
  samples(labels?: Labels): Sample[]
}

/** @param bounds ascending; the bucket of everything is added */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe(value) {
      let bucket = 0
      while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1
      counts[bucket]! += 1
      sum += value
    },
    samples(labels = {}) {
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

function loggedKinds(requestLog: RecorderDeps['requestLog']): (kind: RequestKind) => boolean {
  if (requestLog === 'off') return () => false
  return requestLog === 'all' ? () => true : (kind) => kind !== 'page' && kind !== 'visitor'
}

interface RequestFacts {
  kind: RequestKind
  route: LoggedRoute
  ms: number
}

/** Writes neither the address nor headers: both have secrets in them. */
function createRequestLog({ log, logsAddresses, addressOf }: RecorderDeps) {
  return (request: Request, answer: Response, { kind, route, ms }: RequestFacts) => {
    log.request('request', {
      request_id: answer.headers.get('x-request-id') ?? undefined,
      kind,
      method: request.method,
      ...route,
      status: answer.status,
      ms: Math.round(ms * 10) / 10,
      ...(logsAddresses && { address: addressOf(request) }),
    })
  }
}

/** What follows is the secret of an upload. */
export const UPLOAD_LINKS = '/~/uploads'

const KINDS: readonly [RegExp, RequestKind][] = [
  [/^\/api\/v1(\/|$)/, 'api'],
  [/^\/app\/api(\/|$)/, 'app'],
  [/^\/mcp$/, 'mcp'],
  [/^\/~\/uploads(\/|$)/, 'upload'],
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
