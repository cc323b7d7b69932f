/**
 * HEAD requests over persistent connections. wrk cannot send them: it waits for a body as long as
 * `Content-Length`.
 */
import { quantile } from './stats.ts'
import type { WrkOptions, WrkRun } from './wrk.ts'

export type HeadOptions = Pick<WrkOptions, 'url' | 'connections' | 'seconds' | 'headers'>

/** The end of a response without a body. */
const END = '\r\n\r\n'
/** nginx ends a connection after a thousand requests. */
const LAST = /\r\nconnection: close\r\n/i

/** This process is the load: it is slower than wrk, so rates say less than processor time does. */
export async function headRequests(options: HeadOptions): Promise<WrkRun> {
  const { url, connections, seconds } = options
  const { hostname, port } = new URL(url)
  const request = requestOf(options)
  const until = performance.now() + seconds * 1000
  const tookMs: number[] = []
  let refused = 0
  let bytes = 0

  /** Asks over one connection, until the server ends it or the time is over. */
  function connect(): Promise<void> {
    const ended = Promise.withResolvers<void>()
    let received = ''
    let beganMs = 0
    const ask = (socket: { write(text: string): number }) => {
      received = ''
      beganMs = performance.now()
      socket.write(request)
    }
    Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: ask,
        data(socket, chunk) {
          received += chunk.toString('latin1')
          bytes += chunk.byteLength
          if (!received.endsWith(END)) return
          tookMs.push(performance.now() - beganMs)
          if (!/^HTTP\/1\.1 [23]/.test(received)) refused += 1
          if (performance.now() < until && !LAST.test(received)) return ask(socket)
          ended.resolve()
          socket.end()
        },
        close: () => ended.reject(new Error(`A connection to ${url} broke`)),
      },
    }).catch(ended.reject)
    return ended.promise
  }

  async function askAll(): Promise<void> {
    while (performance.now() < until) await connect()
  }

  const beganMs = performance.now()
  await Promise.all(Array.from({ length: connections }, askAll))
  const responses = tookMs.length
  const perSecond = (responses / (performance.now() - beganMs)) * 1000
  return { responses, refused, bytes, perSecond, p99Ms: quantile(tookMs, 0.99) }
}

function requestOf({ url, headers = {} }: HeadOptions): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`HEAD ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}
