import { afterEach, beforeEach, expect } from 'bun:test'
import type { TLSSocket } from 'node:tls'
import type { Timeouts } from '../index.ts'
import { AMPLE, createFetch, type FetchedBytes, MAX_BYTES } from './create-fetch.ts'
import { type RawServer, rawServer } from './raw-server.ts'

export interface Scripted {
  /** Sets what the server does with every request from now on. */
  answer(how: (socket: TLSSocket, path: string) => void): void
  /** Fetches from the server, which is an allowed host. */
  get(path?: string, maxBytes?: number): Promise<FetchedBytes>
  /** Makes the server send these bytes and close, and fetches them. */
  fetched(head: string, body?: string, maxBytes?: number): Promise<FetchedBytes>
  /** Makes the server send `start`, and then `chunk` every `ms` until the client disconnects. */
  endless(start: string, chunk: string, ms?: number): { written(): number }
  requests(): number
  open(): number
  host(): string
  url(path?: string): string
  /** Fails unless every socket is closed soon. */
  allClosed(): Promise<void>
}

/** Starts a server for each test of the file, and checks after each that no socket stays open. */
export function scripted(timeouts: Timeouts = AMPLE): Scripted {
  let script: (socket: TLSSocket, path: string) => void = () => {}
  let server: RawServer
  let fetch: ReturnType<typeof createFetch>
  const timers = new Set<ReturnType<typeof setInterval>>()

  async function allClosed(): Promise<void> {
    for (let tries = 0; server.open() > 0 && tries < 200; tries += 1) await Bun.sleep(5)
    expect(server.open()).toBe(0)
  }

  const host = () => `127.0.0.1:${server.port}`
  const url = (path = '/') => `https://${host()}${path}`

  function get(path = '/', maxBytes = MAX_BYTES): Promise<FetchedBytes> {
    return fetch(url(path), maxBytes)
  }

  beforeEach(async () => {
    server = await rawServer((socket, path) => script(socket, path))
    fetch = createFetch({ allowedHosts: [host()], timeouts })
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
    endless(start, chunk, ms = 1) {
      let written = 0
      script = (socket) => {
        socket.write(start)
        const timer = setInterval(() => {
          written += chunk.length
          socket.write(chunk)
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

export async function text(fetched: Promise<FetchedBytes>): Promise<string> {
  return new TextDecoder().decode((await fetched).bytes)
}
