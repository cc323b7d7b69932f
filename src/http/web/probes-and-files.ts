import { LOGO_PATH } from '../../model/brand.ts'
import { MERMAID_PATH } from '../../model/markdown/source.ts'
import { METRICS_TYPE } from '../../platform/metrics.ts'
import { sameText } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'
import type { Assets } from '../kit/assets.ts'
import { logoResponse } from '../kit/brand.ts'
import { buildResponse } from '../kit/response.ts'

export interface ProbesAndFilesDeps {
  health: Health
  metrics: MetricsRouteDeps
  assets: Assets
  logo(id: string): Promise<{ mime: string; data: Uint8Array } | null>
}

const NO_ICON = {
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
}

const SCRIPTS_OF_PAGES = new Map([
  ['/~/runtime.js', 'runtime.js'],
  [MERMAID_PATH, 'mermaid.js'],
])

/**
 * Answers health checks and the other frequent requests of programs, and files that pages load. A
 * server that only serves pages loads none of our other routes.
 *
 * @returns null for any other path
 */
export function createProbesAndFiles({ health, metrics, assets, logo }: ProbesAndFilesDeps) {
  const writeMetrics = metricsRoute(metrics)

  /** Pages refer to these by one address each, so their content changes with our releases. */
  function scriptOfPages(request: Request, name: string): Response | null {
    const response = assetResponse(assets.url(name), request)
    response?.headers.set('cache-control', 'public, max-age=300')
    return response
  }
  function assetResponse(path: string, { headers }: Request): Response | null {
    return assets.respond(path, headers.get('accept-encoding'))
  }
  async function logoOf(id: string): Promise<Response> {
    const image = /^[0-9a-f]{32}$/.test(id) ? await logo(id) : null
    return image === null ? nothing() : logoResponse(image)
  }
  function find(request: Request, path: string): Response | Promise<Response> | null {
    if (path === '/healthz') return health.live()
    if (path === '/readyz') return health.ready()
    if (path === '/metrics') return writeMetrics(request)
    // A page's origin is opaque: an icon for our origin only is an error in the page's console.
    if (path === '/favicon.ico') {
      return buildResponse(null, { status: 204, headers: NO_ICON, body: null })
    }
    if (path.startsWith(LOGO_PATH)) return logoOf(path.slice(LOGO_PATH.length))
    const name = SCRIPTS_OF_PAGES.get(path)
    return name === undefined ? assetResponse(path, request) : scriptOfPages(request, name)
  }
  return (request: Request, path: string): Response | Promise<Response> | null => {
    const response = find(request, path)
    return response === null || request.method === 'GET' ? response : withoutBody(response)
  }
}
/** The same for a logo that was taken away, and for an address that never was one. */
function nothing(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return buildResponse(null, { status: 404, headers, body: 'There is no picture here.\n' })
}

async function withoutBody(response: Response | Promise<Response>): Promise<Response> {
  const { status, headers } = await response
  return buildResponse(null, { status, headers, body: null })
}
export type ProbesAndFiles = ReturnType<typeof createProbesAndFiles>

const NO_STORE = { 'cache-control': 'no-store' }

function json(status: number, value: object): Response {
  const headers = { ...NO_STORE, 'content-type': 'application/json;charset=utf-8' }
  return buildResponse(null, { status, headers, body: JSON.stringify(value) })
}

interface HealthDeps {
  pingDatabase(): Promise<unknown>
  areFilesAvailable(): Promise<boolean>
  readDisk(): Promise<'ok' | 'low' | 'full'>
  /** The state of scheduled backups; null if there are none. */
  readBackup(): { problem: string | null } | null
}

/**
 * `/healthz` answers 200 while the process runs. `/readyz` answers 200 only if the database answers
 * and the server is not stopping. It also reports whether the blob store
 * answers, the disk has space and backups are made. A failure of these does not change the status:
 * most pages can still be served, and freeing the disk needs the server.
 */
export function createHealth({ pingDatabase, areFilesAvailable, ...parts }: HealthDeps) {
  let isStopping = false

  async function readStatus(): Promise<'ok' | 'stopping' | 'no_database'> {
    if (isStopping) return 'stopping'
    return pingDatabase().then(
      () => 'ok',
      () => 'no_database',
    )
  }
  return {
    live: () => json(200, { status: 'ok' }),
    async ready(): Promise<Response> {
      const [status, hasFiles, disk] = await Promise.all([
        readStatus(),
        areFilesAvailable(),
        parts.readDisk().catch(() => 'unavailable'),
      ])
      const backup = parts.readBackup()
      const body = {
        ...{ status, files: hasFiles ? 'ok' : 'unavailable', disk },
        ...(backup !== null && { backup: backup.problem === null ? 'ok' : 'failing' }),
      }
      return json(status === 'ok' ? 200 : 503, body)
    },
    markStopping() {
      isStopping = true
    },
  }
}
export type Health = ReturnType<typeof createHealth>

interface MetricsRouteDeps extends Pick<Services, 'metrics' | 'baseUrl'> {
  /** Null: metrics cannot be read from other machines. */
  token: string | null
  /** The declared number of proxies that report the address of a client. */
  trustProxy: number
  /** The address of the connection itself, whatever the request says; null where it is unknown. */
  peerOf(request: Request): string | null
}

const TEXT = { ...NO_STORE, 'content-type': 'text/plain; charset=utf-8' }
const REFUSED = 'Metrics are for this machine, or for who sends METRICS_TOKEN as a bearer token.\n'

/** `/metrics`, for Prometheus: to this machine, or by the token. */
export function metricsRoute(deps: MetricsRouteDeps) {
  const isLocal = createLocalCheck(deps)
  return async (request: Request): Promise<Response> => {
    if (!hasToken(request, deps.token) && !isLocal(request)) return refused(deps.token)
    const headers = { ...NO_STORE, 'content-type': METRICS_TYPE }
    return buildResponse(null, { headers, body: await deps.metrics.write() })
  }
}

function refused(token: string | null): Response {
  const headers = { ...TEXT, ...(token !== null && { 'www-authenticate': 'Bearer' }) }
  return buildResponse(null, { status: token === null ? 403 : 401, headers, body: REFUSED })
}

function hasToken({ headers }: Request, token: string | null): boolean {
  if (token === null) return false
  const [, bearer] = /^Bearer +([^\s]+) *$/i.exec(headers.get('authorization') ?? '') ?? []
  return bearer !== undefined && sameText(bearer, token)
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
