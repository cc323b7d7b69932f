import type { ClientRequest, IncomingMessage } from 'node:http'
import { type RequestOptions, request as startRequest } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { parseAddress } from './address.ts'

/** One request of one hop. Everything in it has been judged; nothing of it is looked up again. */
export interface Dial {
  url: URL
  host: string
  port: number
  /** The only addresses this request may connect to. */
  addresses: readonly string[]
  signal: AbortSignal
}

/** Resolves with the final headers; the body waits to be read. Rejects in every other case. */
export type Transport = (dial: Dial) => Promise<IncomingMessage>

const MAX_HEADER_BYTES = 16 * 1024
/** Of answers before the answer (100, 103); each may be as long as the headers. */
const MAX_INFORMATIONAL = 8

/**
 * `node:https`, because Bun's `fetch` and undici ignore a pinned look-up without a word, and
 * without an agent, because a kept connection answers the next request without any look-up.
 *
 * @param ca trusted instead of the usual roots (tests); production leaves it out
 */
export function createHttpsTransport(ca?: string): Transport {
  return (dial) =>
    new Promise((resolve, reject) => {
      const request = startRequest(requestOptions(dial, ca))
      // Listeners stay: a socket that is destroyed late still reports an error to somebody.
      request.on('error', reject)
      // A protocol switch ends in `close` alone.
      request.on('close', () => reject(new Error('The connection closed without an answer.')))
      request.on('response', resolve)
      let informational = 0
      request.on('information', () => {
        informational += 1
        if (informational > MAX_INFORMATIONAL) request.destroy(new Error('No answer but 1xx.'))
      })
      request.on('socket', (socket) => guardSocket(socket, request, dial.addresses))
      request.end()
    })
}

function requestOptions(dial: Dial, ca: string | undefined): RequestOptions {
  const { url, host, addresses } = dial
  const isLiteral = isIP(host) > 0
  return {
    // A literal host never asks `lookup`, so the judged spelling is what is dialled.
    host: isLiteral ? (addresses[0] ?? host) : host,
    port: dial.port,
    path: url.pathname + url.search,
    method: 'GET',
    agent: false,
    lookup: pinned(addresses),
    servername: isLiteral ? '' : host,
    // Said aloud: NODE_TLS_REJECT_UNAUTHORIZED=0 must not reach in here.
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: dial.signal,
    headers: {
      host: url.host,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Handbill',
      connection: 'close',
    },
    ...(ca === undefined ? {} : { ca }),
  }
}

/** Answers every question with the same judged addresses, in the shape it was asked for. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    const first = all[0]
    if (first === undefined) callback(new Error('No address is pinned.'), '', 4)
    else if (options.all) callback(null, all)
    else callback(null, first.address, first.family)
  }
}

/** The second belt: a runtime that ignored the pin is cut off before the TLS handshake. */
function guardSocket(socket: Socket, request: ClientRequest, addresses: readonly string[]): void {
  socket.once('connect', () => {
    const peer = parseAddress(socket.remoteAddress ?? '')
    if (peer !== null && addresses.includes(peer.toString())) return
    request.destroy(new Error('The connection went to an address that was not judged.'))
  })
}
