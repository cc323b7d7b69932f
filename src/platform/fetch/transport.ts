import type { ClientRequest, IncomingMessage } from 'node:http'
import { type RequestOptions, request as startRequest } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { parseAddress } from './address.ts'
import type { Target } from './url.ts'

/** A request whose host and addresses have been checked. Nothing of it is resolved again. */
interface PinnedRequest extends Target {
  /** The only addresses this request may connect to. */
  addresses: readonly string[]
  signal: AbortSignal
  /** Sent with POST. By default it is a GET. */
  message?: Message | undefined
}

export interface Message {
  headers: Readonly<Record<string, string>>
  body: string
}

/** Resolves with the final response headers, before the body. Rejects in every other case. */
export type Transport = (pinned: PinnedRequest) => Promise<IncomingMessage>

const MAX_HEADER_BYTES = 16 * 1024
/** How many 1xx responses may precede the final one; each may be as long as the headers. */
const MAX_INFORMATIONAL = 8

/**
 * Sends requests to pinned addresses. It uses `node:https`, because Bun's `fetch` and undici ignore
 * the `lookup` option without an error. It uses no agent, because a reused connection would serve
 * the next request without `lookup`.
 *
 * @param ca a certificate authority trusted instead of the usual ones; for tests
 */
export function createHttpsTransport(ca?: string): Transport {
  return (pinned) =>
    new Promise((resolve, reject) => {
      const request = startRequest(requestOptions(pinned, ca))
      // The listener stays: a socket destroyed later still reports errors, which must be handled.
      request.on('error', reject)
      // A protocol switch emits `close` and nothing else.
      request.on('close', () => reject(new Error('The connection closed without a response.')))
      request.on('response', resolve)
      let informational = 0
      request.on('information', () => {
        informational += 1
        if (informational > MAX_INFORMATIONAL) request.destroy(new Error('Too many 1xx responses.'))
      })
      request.on('socket', (socket) => checkPeer(socket, request, pinned.addresses))
      request.end(pinned.message?.body)
    })
}

function requestOptions(pinned: PinnedRequest, ca: string | undefined): RequestOptions {
  const { url, host, port, addresses, signal, message } = pinned
  const isLiteral = isIP(host) > 0
  return {
    // Node calls `lookup` for no literal address, so the checked spelling is the host itself.
    host: isLiteral ? (addresses[0] ?? host) : host,
    port,
    path: url.pathname + url.search,
    method: message === undefined ? 'GET' : 'POST',
    agent: false,
    lookup: lookupPinned(addresses),
    servername: isLiteral ? '' : host,
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect.
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    headers: {
      host: url.host,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Handbill',
      connection: 'close',
      ...message?.headers,
      ...(message && { 'content-length': Buffer.byteLength(message.body) }),
    },
    ...(ca === undefined ? {} : { ca }),
  }
}

/** Answers every lookup with the same checked addresses, in the form that Node asks for. */
function lookupPinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    const first = all[0]
    if (first === undefined) callback(new Error('No address is pinned.'), '', 4)
    else if (options.all) callback(null, all)
    else callback(null, first.address, first.family)
  }
}

/** Disconnects before the TLS handshake if the runtime ignored `lookup`. */
function checkPeer(socket: Socket, request: ClientRequest, addresses: readonly string[]): void {
  socket.once('connect', () => {
    const peer = parseAddress(socket.remoteAddress ?? '')
    if (peer !== null && addresses.includes(peer.toString())) return
    request.destroy(new Error('The connection went to an address that was not checked.'))
  })
}
