import { inTime } from '../platform/promises.ts'
import type { ClientAddresses } from './kit/client-address.ts'

/** How long a connection may be idle: longer than the minute for which proxies use it again. */
const IDLE_S = 90
/** The same for a request with a body: Bun does not count small pieces as activity. */
const BODY_S = 120
/** What is still read of a body that was refused, and for how long. */
const UNREAD_BYTES = 64 * 1024 * 1024
const UNREAD_MS = 10_000
/** How long requests in progress may take once the server stops. Podman kills it at 10 s. */
const DRAIN_MS = 8_000

export interface Listener {
  fetch(request: Request): Response | Promise<Response>
  /** For a request whose path on the wire is below `/p/`. */
  fetchPage(request: Request): Response | Promise<Response>
  clientAddresses: ClientAddresses
  health: { markStopping(): void }
}

export interface ListenOptions {
  port: number
  host: string
  idleS?: number
  bodyS?: number
  drainMs?: number
}

/** Serves on a socket. */
export function listen(listener: Listener, options: ListenOptions) {
  const { fetch, fetchPage, clientAddresses, health } = listener
  const { port, host, idleS = IDLE_S, bodyS = BODY_S } = options
  const { drainMs = DRAIN_MS } = options

  function withBody(respond: Listener['fetch' | 'fetchPage']) {
    return async (request: Request, server: Bun.Server<undefined>) => {
      if (request.method === 'GET') return respond(request)
      if (request.method === 'HEAD') return withoutLength(await respond(request))
      server.timeout(request, bodyS)
      const response = await respond(request)
      await readUnread(request)
      return response
    }
  }
  const server = Bun.serve({
    port,
    hostname: host,
    // Every reader of a body has its own limit and answer, so Bun gets no limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: idleS,
    routes: {
      '/p/*': {
        GET: fetchPage,
        HEAD: withBody(fetchPage),
        POST: withBody(fetchPage),
        PUT: withBody(fetchPage),
        PATCH: withBody(fetchPage),
        DELETE: withBody(fetchPage),
        OPTIONS: withBody(fetchPage),
      },
    },
    fetch: withBody(fetch),
  })
  clientAddresses.attach(server)
  return {
    port: server.port!,
    /** Also those whose answers are being sent. */
    requestsInProgress: () => server.pendingRequests,
    /** Accepts no new connections, finishes the requests in progress, then closes. */
    async stop() {
      health.markStopping()
      void server.stop()
      const until = performance.now() + drainMs
      while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(10)
      await server.stop(true)
    },
  }
}
export type RunningServer = ReturnType<typeof listen>

/** Bun says of an answer to HEAD that its body has 0 bytes, where it does not know the length. */
function withoutLength(response: Response): Response {
  const { status, headers, body } = response
  const isUnknown = body === null && headers.has('content-type') && !headers.has('content-length')
  if (isUnknown && status !== 304) headers.set('transfer-encoding', 'chunked')
  return response
}

/**
 * Reads a body that nobody has read, where the connection ends with the answer: a client that was
 * still sending would get an error in place of the answer.
 */
async function readUnread(request: Request): Promise<void> {
  const { headers, body } = request
  const ends = headers.get('connection')?.toLowerCase() === 'close'
  if (!ends || headers.has('expect') || request.bodyUsed || body === null) return
  const reader = body.getReader()
  const read = async () => {
    for (let bytes = 0; bytes < UNREAD_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += value.byteLength
    }
  }
  await inTime(read(), UNREAD_MS, () => {}).catch(() => {})
  reader.cancel().catch(() => {})
}
