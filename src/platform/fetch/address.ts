import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Azure's metadata and DNS service, in the middle of public space. */
const AZURE_SERVICE = ipaddr.IPv4.parse('168.63.129.16')
/** The only block from which IPv6 addresses of the public internet are allocated. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** The 6bone, returned in 2006. */
const SIXBONE = ipaddr.IPv6.parseCIDR('3ffe::/16')

/**
 * Parses an address as a resolver or a socket writes it. An IPv4-mapped address becomes the IPv4
 * address it stands for, so every host has one spelling. Two parsers must accept the text: `isIP`
 * refuses the octal, hexadecimal and short forms that ipaddr.js would read. An address with a zone
 * (`fe80::1%eth0`) is refused.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  try {
    return ipaddr.process(text)
  } catch {
    return null
  }
}

/** @returns the address in its canonical spelling, or null when it is not public */
export function publicAddress(text: string): string | null {
  const address = parseAddress(text)
  return address !== null && isPublic(address) ? address.toString() : null
}

/**
 * Whether an address is on the public internet. An address that cannot be classified is not public.
 * ipaddr.js knows the IANA registries; the rules here exclude what it counts as unicast.
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return address.toString() !== AZURE_SERVICE.toString()
  return address.match(GLOBAL_UNICAST) && !address.match(SIXBONE) && !isIsatap(address)
}

/** ISATAP embeds an IPv4 address after the interface identifier 0:5efe or 200:5efe. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

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
      const addresses = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? answer.value : [],
      )
      return addresses.map((address) => ({ address }))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** Resolves hosts that the operator allowed: their names may exist in the hosts file alone. */
export function resolveLocal(hostname: string): Promise<readonly { address: string }[]> {
  return dns.lookup(hostname, { all: true, verbatim: true })
}
