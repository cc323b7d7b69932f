import { chmodSync, rmSync } from 'node:fs'
import type { Listener } from './listen.ts'

/** Whether the path of a request, as it was sent, is below `/p/`. */
export type RouteClass = 'page' | 'any'

/**
 * The headers that a worker adds to a request. They are trusted only on the socket between
 * processes.
 */
const ROUTE = 'handbill-route'
const PEER = 'handbill-peer'
/** Headers that the client did not send, and that `fetch` adds by itself. */
const ABSENT = 'handbill-absent'
const ADDED_BY_FETCH = ['user-agent', 'accept', 'accept-encoding']
/** Hop-by-hop headers, which are about one connection. */
const OF_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  'upgrade',
]

export type Forward = (request: Request, route: RouteClass) => Promise<Response>

/**
 * Streams requests to the main process unchanged, and streams its answers back.
 *
 * @param socket where `acceptForwarded` listens
 * @param peerOf the address of a connection
 */
export function createForward(
  socket: string,
  peerOf: (request: Request) => string | null,
): Forward {
  return async (request, route) => {
    const headers = new Headers(request.headers)
    for (const name of OF_CONNECTION) headers.delete(name)
    headers.set(ROUTE, route)
    headers.set(PEER, peerOf(request) ?? '')
    headers.set(ABSENT, ADDED_BY_FETCH.filter((name) => !request.headers.has(name)).join(' '))
    const init = {
      unix: socket,
      method: request.method,
      headers,
      body: request.body,
      signal: request.signal,
      redirect: 'manual',
      decompress: false,
      timeout: false,
      // An idle connection may be closed at the moment in which it is used again.
      keepalive: false,
    } as const
    return fetch(request.url, init as RequestInit)
  }
}

/** Answers the requests that workers forward. */
export interface ForwardedRequests {
  /** The address of the client of a forwarded request; null for any other request. */
  peerOf(request: Request): string | null
  listen(socket: string): { inProgress(): number; close(): Promise<void> }
}

export function createForwardedRequests(
  answer: Pick<Listener, 'fetch' | 'fetchPage'>,
): ForwardedRequests {
  const peers = new WeakMap<Request, string>()

  function respond(request: Request): Response | Promise<Response> {
    const { headers } = request
    const [route, peer] = [headers.get(ROUTE), headers.get(PEER)]
    const absent = headers.get(ABSENT) ?? ''
    for (const name of [ROUTE, PEER, ABSENT, ...absent.split(' ').filter(Boolean)]) {
      headers.delete(name)
    }
    peers.set(request, peer ?? '')
    return route === 'page' ? answer.fetchPage(request) : answer.fetch(request)
  }

  return {
    peerOf: (request) => peers.get(request) ?? null,
    listen(socket) {
      rmSync(socket, { force: true })
      const server = Bun.serve({
        unix: socket,
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        fetch(request, server) {
          // The worker ends connections that are idle for too long.
          server.timeout(request, 0)
          return respond(request)
        },
      })
      chmodSync(socket, 0o600)
      return {
        inProgress: () => server.pendingRequests,
        async close() {
          await server.stop(true)
          rmSync(socket, { force: true })
        },
      }
    },
  }
}
