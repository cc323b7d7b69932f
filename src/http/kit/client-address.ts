/** What Bun tells of a connection: the address at its other end. */
export interface Connections {
  requestIP(request: Request): { address: string } | null
}

/**
 * Whose tries a request counts as. Behind `trust_proxy` proxies of our own, the entry of
 * X-Forwarded-For that the outermost of them wrote; what strangers write there is ignored.
 *
 * @returns an IPv4 address, or the /64 that an IPv6 address's owner has to itself
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

function networkOf(address: string): string {
  const plain = address
    .replace(/^\[|\](?::\d+)?$/g, '')
    .replace(/%.*$/, '')
    .toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(plain)?.[1]
  if (withoutPort !== undefined) return withoutPort
  if (!/^[0-9a-f:]{2,39}$/.test(plain)) return 'unknown'
  return `${expanded(plain).slice(0, 4).join(':')}::/64`
}

function expanded(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map((group) =>
    Number.parseInt(group || '0', 16).toString(16),
  )
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
