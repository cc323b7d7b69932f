import { afterEach, beforeEach, expect } from 'bun:test'
import type { TLSSocket } from 'node:tls'
import type { Timeouts } from '../follow.ts'
import type { Fetched } from '../index.ts'
import { AMPLE, fetching, MAX_BYTES } from './fetching.ts'
import { type RawServer, rawServer } from './raw-server.ts'

export interface Scripted {
  /** What the server does with each request from now on. */
  answer(how: (socket: TLSSocket, path: string) => void): void
  /** Fetches from it, past the address check. */
  get(path?: string, maxBytes?: number): Promise<Fetched>
  /** Answers with these bytes, ends, and fetches them. */
  fetched(head: string, body?: string, maxBytes?: number): Promise<Fetched>
  /** Answers with `start` and then, each `ms`, with `piece`, until the socket is gone. */
  endless(start: string, piece: string, ms?: number): { written(): number }
  requests(): number
  open(): number
  host(): string
  url(path?: string): string
  /** No socket may be left behind, whatever the outcome. */
  allClosed(): Promise<void>
}

/** A server for each test of the file, and a check after each that nothing stays open. */
export function scripted(timeouts: Timeouts = AMPLE): Scripted {
  let script: (socket: TLSSocket, path: string) => void = () => {}
  let server: RawServer
  let fetch: ReturnType<typeof fetching>
  const timers = new Set<ReturnType<typeof setInterval>>()

  async function allClosed(): Promise<void> {
    for (let tries = 0; server.open() > 0 && tries < 200; tries += 1) await Bun.sleep(5)
    expect(server.open()).toBe(0)
  }

  const host = () => `127.0.0.1:${server.port}`
  const url = (path = '/') => `https://${host()}${path}`

  function get(path = '/', maxBytes = MAX_BYTES): Promise<Fetched> {
    return fetch(url(path), maxBytes)
  }

  beforeEach(async () => {
    server = await rawServer((socket, path) => script(socket, path))
    fetch = fetching({ allowedHosts: [host()], timeouts })
  })
  afterEach(async () => {
    await allClosed()
    for (const timer of timers) clearInterval(timer)
    timers.clear()
    await server.close()
  })

  return {
    allClosed,
    get,
    answer(how) {
      script = how
    },
    fetched(head, body = '', maxBytes = MAX_BYTES) {
      script = (socket) => socket.end(`${head}\r\n\r\n${body}`, 'latin1')
      return get('/', maxBytes)
    },
    endless(start, piece, ms = 1) {
      let written = 0
      script = (socket) => {
        socket.write(start)
        const timer = setInterval(() => {
          written += piece.length
          socket.write(piece)
        }, ms)
        timers.add(timer)
        socket.on('close', () => clearInterval(timer))
      }
      return { written: () => written }
    },
    requests: () => server.requests.length,
    open: () => server.open(),
    host,
    url,
  }
}

export async function text(fetched: Promise<Fetched>): Promise<string> {
  return new TextDecoder().decode((await fetched).bytes)
}
