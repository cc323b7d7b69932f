import { METRICS_TYPE, type Metrics } from '../../platform/metrics.ts'
import { sameText } from '../../platform/secrets.ts'

export interface MetricsRouteDeps {
  metrics: Metrics
  /** Null: metrics cannot be read from other machines. */
  token: string | null
  baseUrl: string
  /** The declared number of proxies that report the address of a client. */
  trustProxy: number
  /** The address of the connection itself, whatever the request says; null where it is unknown. */
  peerOf(request: Request): string | null
}

const NO_STORE = { 'cache-control': 'no-store' }
const TEXT = { ...NO_STORE, 'content-type': 'text/plain; charset=utf-8' }
const REFUSED = 'Metrics are for this machine, or for who sends METRICS_TOKEN as a bearer token.\n'

/** `/metrics`, for Prometheus: to this machine, or by the token. */
export function metricsRoute(deps: MetricsRouteDeps) {
  const isLocal = createLocalCheck(deps)
  return async (request: Request): Promise<Response> => {
    if (!hasToken(request, deps.token) && !isLocal(request)) return refused(deps.token)
    const headers = { ...NO_STORE, 'content-type': METRICS_TYPE }
    return new Response(await deps.metrics.write(), { headers })
  }
}

function refused(token: string | null): Response {
  const headers = { ...TEXT, ...(token !== null && { 'www-authenticate': 'Bearer' }) }
  return new Response(REFUSED, { status: token === null ? 403 : 401, headers })
}

function hasToken({ headers }: Request, token: string | null): boolean {
  if (token === null) return false
  const [, sent] = /^Bearer +([^\s]+) *$/i.exec(headers.get('authorization') ?? '') ?? []
  return sent !== undefined && sameText(sent, token)
}

const LOOPBACK = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
/** By default a proxy adds at least one of them. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request comes from this machine. A proxy on this machine connects from here for
 * everybody, so a request that a proxy has forwarded does not count, whatever its headers say about
 * the client. Neither does one with another `Host` name: a website can have its name point here. If
 * `BASE_URL` is on another host and no proxy is declared, there may be a proxy that adds no
 * headers, so no request counts.
 */
export function createLocalCheck({
  baseUrl,
  trustProxy,
  peerOf,
}: Pick<MetricsRouteDeps, 'baseUrl' | 'trustProxy' | 'peerOf'>) {
  const mayBeProxied = trustProxy === 0 && !LOCAL_HOST.test(new URL(baseUrl).host)
  return (request: Request): boolean => {
    const { headers } = request
    if (mayBeProxied || OF_PROXIES.some((name) => headers.has(name))) return false
    return LOCAL_HOST.test(headers.get('host') ?? '') && LOOPBACK.test(peerOf(request) ?? '')
  }
}
