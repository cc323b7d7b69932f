import { promises as dns } from 'node:dns'

/** Every address of a name, both families; rejects when there is none. */
export type Resolve = (
  hostname: string,
  signal: AbortSignal,
) => Promise<readonly { address: string }[]>

/**
 * Asks the name servers from the event loop. `dns.lookup` runs `getaddrinfo` on the few threads
 * that also read files (measured: 8 names of a silent name server held up every file read for
 * 20 s), so a name that a stranger chose must not reach it. The hosts file and the search list are
 * not consulted: a public name needs neither.
 *
 * @param servers `address:port`, asked instead of the system's; for tests
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

/** For hosts the operator allowed, which may stand in the hosts file and nowhere else. */
export function resolveLocal(hostname: string): Promise<readonly { address: string }[]> {
  return dns.lookup(hostname, { all: true, verbatim: true })
}
