import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { parseAddress } from '../../platform/fetch/address.ts'

/** The part of Bun's server that returns the address of a connection. */
export interface Connections {
  requestIP(request: Request): { address: string } | null
}

/** The text that names the client, as the connection or the proxy has it. */
function hopOf(request: Request, connections: Connections, trustProxy: number): string {
  const hops = trustProxy === 0 ? null : request.headers.get('x-forwarded-for')?.split(',')
  // `requestIP` takes a twentieth of the time of a view.
  return hops?.at(-trustProxy)?.trim() || (connections.requestIP(request)?.address ?? 'unknown')
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

/** The size of the cache of networks by the text that names the client. */
const MAX_CHARS = 256 * 1024

/**
 * The addresses of clients, which rate limits count by. Behind `trustProxy` proxies, it is the
 * entry of X-Forwarded-For that the outermost proxy added. The client can forge the entries before
 * it, so they are ignored.
 */
export function createClientAddresses(trustProxy: number) {
  let connections: Connections | null = null
  // Every view needs one, and parsing takes 1.5 µs.
  const networks = new LRUCache<string, string>({
    maxSize: MAX_CHARS,
    sizeCalculation: (_, text) => text.length + 40,
  })

  function add(hop: string): string {
    const network = networkOf(hop)
    networks.set(hop, network)
    return network
  }

  return {
    /** Called once the server that holds the connections is there. */
    attach(server: Connections) {
      connections = server
    },
    /** The address of the connection itself, whatever the request says. */
    peerOf: (request: Request) => connections?.requestIP(request)?.address ?? null,
    /** An IPv4 address, the /64 network of an IPv6 address, or `unknown`. */
    of(request: Request): string {
      if (connections === null) return 'unknown'
      const hop = hopOf(request, connections, trustProxy)
      return networks.get(hop) ?? add(hop)
    },
  }
}
export type ClientAddresses = ReturnType<typeof createClientAddresses>
