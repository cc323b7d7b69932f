/**
 * The network of a client, as one subscriber or attacker can change addresses within it: the /24 of
 * an IPv4 address. IPv6 clients are known by their /64 already.
 */
export function networkOf(address: string): string {
  const octets = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address)
  return octets === null ? address : `${octets[1]}.0/24`
}
