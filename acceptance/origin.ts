/** An https server with content for the service under test to fetch. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'

export interface Served {
  /** A function is given the URL at which it is served. */
  readonly body: Uint8Array | string | ((url: string) => string)
  readonly type?: string
  readonly status?: number
  readonly location?: string
  readonly encoding?: string
  readonly disposition?: string
}

const responses = new Map<string, () => Response>()
let requestCount = 0
let last: Request | undefined

const listener = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  tls: {
    key: readFileSync(join(import.meta.dir, 'fixtures', 'origin-key.pem')),
    cert: readFileSync(join(import.meta.dir, 'fixtures', 'origin-cert.pem')),
  },
  fetch(request) {
    requestCount += 1
    last = request
    const answer = responses.get(new URL(request.url).pathname)
    return answer ? answer() : new Response('not here', { status: 404 })
  },
})
listener.unref()

export const origin = {
  /** host:port; the service under test is configured to allow this loopback address. */
  host: `127.0.0.1:${listener.port}`,
  /** Serves a response at a new path that ends with this name. @returns its URL */
  put(name: string, served: Served): string {
    const path = `/${crypto.randomUUID()}/${name}`
    const { body, type = 'text/html; charset=utf-8', status = 200, location } = served
    const { encoding, disposition } = served
    const headers = new Headers({ 'content-type': type })
    if (location) headers.set('location', location)
    if (encoding) headers.set('content-encoding', encoding)
    if (disposition) headers.set('content-disposition', disposition)
    const url = `https://127.0.0.1:${listener.port}${path}`
    const bytes = typeof body === 'function' ? body(url) : body
    responses.set(path, () => new Response(new Blob([bytes as BlobPart]), { status, headers }))
    return url
  },
  /** Serves an endless response. `sent` returns the number of bytes sent so far. */
  putEndless(name: string): { url: string; sent: () => number } {
    const path = `/${crypto.randomUUID()}/${name}`
    const piece = new Uint8Array(65_536).fill(0x20)
    let sent = 0
    responses.set(path, () => {
      const body = new ReadableStream({
        pull(controller) {
          sent += piece.length
          controller.enqueue(piece)
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/html' } })
    })
    return { url: `https://127.0.0.1:${listener.port}${path}`, sent: () => sent }
  },
  /** The number of requests so far. */
  requestCount: () => requestCount,
  /** The headers of the last request. */
  lastHeaders: () => last?.headers ?? new Headers(),
}

/** host:port that the service under test allows, where no server listens. */
export const unreachable = { host: `127.0.0.1:${freePort()}` }
