import ipaddr from 'ipaddr.js'
import { parseAddress } from '../../platform/fetch/address.ts'

/** The part of Bun's server that knows the address of a connection. */
export interface Connections {
  requestIP(request: Request): { address: string } | null
}

/**
 * The address of a client, which rate limits count by. Behind `trustProxy` proxies, it is the entry
 * of X-Forwarded-For that the outermost proxy added. The client can forge the entries before it, so
 * they are ignored.
 *
 * @returns an IPv4 address, the /64 network of an IPv6 address, or `unknown`
 */
export function clientAddress(
  request: Request,
  connections: Connections,
  trustProxy: number,
): string {
  const peer = connections.requestIP(request)?.address ?? 'unknown'
  if (trustProxy === 0) return networkOf(peer)
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return networkOf(hops.at(-trustProxy) || peer)
}

function networkOf(text: string): string {
  const address = parseAddress(withoutPort(text.replace(/%[^\]]*/, '')))
  if (address === null) return 'unknown'
  if (address instanceof ipaddr.IPv4) return address.toString()
  const groups = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}

/** `203.0.113.9:4711` and `[2001:db8::1]:4711` without the port and the brackets. */
function withoutPort(text: string): string {
  return text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}

/** Reads client addresses once the server that holds the connections is attached. */
export function createClientAddresses(trustProxy: number) {
  let connections: Connections | null = null
  return {
    attach(server: Connections) {
      connections = server
    },
    of: (request: Request) =>
      connections === null ? 'unknown' : clientAddress(request, connections, trustProxy),
  }
}
export type ClientAddresses = ReturnType<typeof createClientAddresses>
