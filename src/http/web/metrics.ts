import { METRICS_TYPE, type Metrics } from '../../platform/metrics.ts'
import { sameText } from '../../platform/secrets.ts'

export interface MetricsRouteDeps {
  metrics: Metrics
  /** Null: nobody reads metrics from elsewhere. */
  token: string | null
  baseUrl: string
  /** How many proxies are declared that tell about a client. */
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
/** A proxy adds at least one of them, unless it was told not to. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request comes from this machine. A proxy on this machine connects from here as well,
 * for everybody: so a request that was passed on is not from here, whatever its headers say of the
 * client. One by the name of another machine is not either: a website can have that point here.
 * Where `BASE_URL` is elsewhere and no proxy is declared, one may stand in front that adds no
 * headers, and nothing tells its requests apart.
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
