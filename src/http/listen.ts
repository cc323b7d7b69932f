import { Hono } from 'hono'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Peers } from './kit/client-address.ts'
import { documentHeaders } from './kit/headers.ts'
import { NOTICE_CSP, notice } from './kit/notice.ts'
import type { mcpRoutes } from './mcp/index.ts'
import type { restRoutes } from './rest/index.ts'
import type { Health } from './web/health.ts'
import type { webRoutes } from './web/index.ts'

/** How long a connection may be still. */
const IDLE_S = 30
/** How long a body may take: on a slow line its small pieces count as none. */
const BODY_S = 120
/** How long requests under way may take once the service is told to stop. */
const DRAIN_MS = 10_000

export interface Routes {
  visitor(request: Request): Promise<Response>
  /** What the forms of pages send. */
  respond(request: Request): Promise<Response>
  /** For the hosts that pages have to themselves; null for any other, or where there are none. */
  content?: ((request: Request) => Promise<Response> | null) | null
  rest: ReturnType<typeof restRoutes>
  mcp: ReturnType<typeof mcpRoutes>
  web: ReturnType<typeof webRoutes>
  health: Health
}

export interface ServerOptions {
  port: number
  host: string
  baseUrl: string
  log: Log
  idleS?: number
  bodyS?: number
  /** Learns of the connections, to tell whose tries requests count as. */
  peers?: Peers
}

export interface RunningServer {
  port: number
  /** Takes no new connections, finishes what is under way, then ends. */
  stop(): Promise<void>
}

/** The one socket: `/p/` straight to the serving path, everything else through the router. */
export function startServer(doors: Routes, options: ServerOptions): RunningServer {
  const { port, host, log, idleS = IDLE_S, bodyS = BODY_S } = options
  const router = routerOf(doors, log)

  function guarded(door: (request: Request) => Promise<Response>) {
    return async (request: Request, server: Bun.Server<undefined>): Promise<Response> => {
      allowSlow(request, server)
      try {
        return await (content(request) ?? door(request))
      } catch (err) {
        return broken(err, request)
      }
    }
  }
  const page = guarded(doors.visitor)
  const response = guarded(doors.respond)

  function allowSlow(request: Request, server: Bun.Server<undefined>): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') server.timeout(request, bodyS)
  }

  function content(request: Request): Promise<Response> | null {
    return doors.content?.(request)?.catch((err) => broken(err, request)) ?? null
  }

  function broken(err: unknown, request: Request): Response {
    if (!isAddressed(request)) return unaddressed()
    const requestId = newId('req')
    log.error('visit failed', { request_id: requestId, path: new URL(request.url).pathname, err })
    const body = notice('server_error', {
      host: new URL(options.baseUrl).host,
      request_id: requestId,
    })
    return new Response(body, { status: 500, headers: documentHeaders(NOTICE_CSP) })
  }

  const server = Bun.serve({
    port,
    hostname: host,
    // Each body is bounded where it is read, and refused in our words; nothing is read ahead.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: idleS,
    routes: { '/p/:slug': page, '/p/:slug/*': page, '/~/responses': response },
    fetch(request, server) {
      allowSlow(request, server)
      return isAddressed(request) ? (content(request) ?? router.fetch(request)) : unaddressed()
    },
  })

  options.peers?.attach(server)
  return {
    port: server.port!,
    async stop() {
      doors.health.leave()
      void server.stop()
      const until = performance.now() + DRAIN_MS
      while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(10)
      await server.stop(true)
    },
  }
}

/** A `Host` that is none leaves the request without an address that could be read. */
function isAddressed({ url }: Request): boolean {
  return URL.canParse(url)
}
function unaddressed(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response('Bad Request\n', { status: 400, headers })
}

function routerOf({ rest, mcp, web }: Routes, log: Log) {
  const router = new Hono<{ Variables: { request_id: string } }>()
  router.use(async (context, next) => {
    const requestId = newId('req')
    const began = performance.now()
    context.set('request_id', requestId)
    await next()
    context.header('x-request-id', requestId)
    const { method, path } = context.req
    const ms = Math.round((performance.now() - began) * 10) / 10
    log.info('request', { request_id: requestId, method, path, status: context.res.status, ms })
  })
  router.route('/api/v1', rest)
  router.all('/mcp', ({ req, get }) => mcp(req.raw, get('request_id')))
  router.route('/', web)
  return router
}
