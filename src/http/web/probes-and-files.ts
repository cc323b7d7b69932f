import type { Assets } from '../kit/assets.ts'
import type { Health } from './health.ts'
import { type MetricsRouteDeps, metricsRoute } from './metrics.ts'

export interface ProbesAndFilesDeps {
  health: Health
  metrics: MetricsRouteDeps
  assets: Assets
}

const NO_ICON = {
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * Answers health checks and the other frequent requests of programs, and files that pages load. A
 * server that only serves pages loads none of our other routes.
 *
 * @returns null for any other path
 */
export function createProbesAndFiles({ health, metrics, assets }: ProbesAndFilesDeps) {
  const writeMetrics = metricsRoute(metrics)

  /** Pages refer to the runtime by one address, so its content changes with our releases. */
  function runtime(request: Request): Response | null {
    const response = assetResponse(assets.url('runtime.js'), request)
    response?.headers.set('cache-control', 'public, max-age=300')
    return response
  }
  function assetResponse(path: string, { headers }: Request): Response | null {
    return assets.respond(path, headers.get('accept-encoding'))
  }
  function find(request: Request, path: string): Response | Promise<Response> | null {
    if (path === '/healthz') return health.live()
    if (path === '/readyz') return health.ready()
    if (path === '/metrics') return writeMetrics(request)
    // A page's origin is opaque: an icon for our origin only is an error in the page's console.
    if (path === '/favicon.ico') return new Response(null, { status: 204, headers: NO_ICON })
    return path === '/~/runtime.js' ? runtime(request) : assetResponse(path, request)
  }
  return (request: Request, path: string): Response | Promise<Response> | null => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const found = find(request, path)
    return found === null || request.method === 'GET' ? found : withoutBody(found)
  }
}
async function withoutBody(response: Response | Promise<Response>): Promise<Response> {
  return new Response(null, await response)
}
export type ProbesAndFiles = ReturnType<typeof createProbesAndFiles>
