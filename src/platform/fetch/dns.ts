import { promises as dns } from 'node:dns'

/** Finds every address of a host name, of both families. Rejects, or finds none, when it fails. */
export type Resolve = (
  hostname: string,
  signal: AbortSignal,
) => Promise<readonly { address: string }[]>

/**
 * Resolves names that strangers choose. It queries the name servers from the event loop, since
 * `dns.lookup` runs `getaddrinfo` on the few threads that also read files (measured: 8 names of a
 * silent name server delayed every file read by 20 s). It ignores the hosts file and the search
 * list, which a public name does not need.
 *
 * @param servers `address:port`, queried instead of the system's servers; for tests
 */
export function createPublicResolve(servers?: readonly string[]): Resolve {
  return async (hostname, signal) => {
    const resolver = new dns.Resolver({ timeout: 1500, tries: 2 })
    if (servers !== undefined) resolver.setServers([...servers])
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname),
        resolver.resolve6(hostname),
      ])
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      return found.map((address) => ({ address }))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** Resolves hosts that the operator allowed: their names may exist in the hosts file alone. */
export function resolveLocal(hostname: string): Promise<readonly { address: string }[]> {
  return dns.lookup(hostname, { all: true, verbatim: true })
}
