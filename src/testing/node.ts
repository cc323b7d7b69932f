import { buildApp, type Platform } from '../app.ts'
import type { ListenOptions, RunningServer } from '../http/listen.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createServer } from '../server.ts'
import { declared, declaredByVisitors } from './declared.ts'
import { NO_ASSETS } from './no-assets.ts'
import type { silentLog } from './silent-log.ts'

export const BASE_URL = 'http://handbill.test'

export interface TestPlatform extends Platform {
  log: ReturnType<typeof silentLog>
}

/** The platform for another server of the same process, which has metrics of its own. */
export function withOwnMetrics(platform: TestPlatform): TestPlatform {
  return { ...platform, metrics: createMetrics() }
}

/** The features and routes of one process, with every operation held to its contract. */
export async function startNode(platform: TestPlatform) {
  const built = await buildApp(platform)
  const app = {
    ...built,
    operations: declared(built.operations),
    visitorOperations: declaredByVisitors(built.visitorOperations),
  }
  const { fetch, listen } = createServer(platform, app, { assets: NO_ASSETS })
  const send = (path: string, init?: RequestInit) => fetch(new Request(BASE_URL + path, init))

  return {
    ...app,
    platform,
    log: platform.log,
    fetch,
    /** Sends a request to the API: the path is below `/api/v1`. */
    api: (path: string, init?: RequestInit) => send(`/api/v1${path}`, init),
    mcp: (init: RequestInit, query = '') => send(`/mcp${query}`, init),
    /** Sends what a page's form sends. */
    respond: (body: unknown, headers: Record<string, string> = {}) =>
      send('/~/responses', {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    /** Sends a visitor's request, such as `/p/slug`. */
    open: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      send(path, { method, headers }),
    listen: (options: Partial<ListenOptions> = {}): RunningServer =>
      listen({ port: 0, host: '127.0.0.1', ...options }),
  }
}
export type TestNode = Awaited<ReturnType<typeof startNode>>
