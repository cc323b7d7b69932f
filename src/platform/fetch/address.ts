import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * An address as a resolver or a socket spells it; an IPv4-mapped one becomes the IPv4 address it
 * stands for, so that one machine has one spelling. Two parsers must agree: `isIP` refuses the
 * octal, hex and short forms that ipaddr.js would read. A zone (`fe80::1%eth0`) is never public.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  try {
    return ipaddr.process(text)
  } catch {
    return null
  }
}

/** What every later step is given: one spelling an address, or null for "not public". */
export function publicAddress(text: string): string | null {
  const address = parseAddress(text)
  return address !== null && isPublic(address) ? address.toString() : null
}

/**
 * Fails closed: what is not known to be on the public internet is not public. ipaddr.js knows the
 * registries; the rules here are for what it calls unicast and is not ours to reach.
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  const bytes = address.toByteArray()
  // Azure's metadata and name service, in the middle of public space.
  if (bytes.length === 4) return bytes.join('.') !== '168.63.129.16'
  const [first = 0, second] = bytes
  // Nothing outside 2000::/3 was ever handed out, and 3ffe::/16 was handed back in 2006.
  return first >> 5 === 1 && !(first === 0x3f && second === 0xfe) && !isIsatap(bytes)
}

/** ISATAP hides an IPv4 address behind the interface identifier 0:5efe (or 200:5efe). */
function isIsatap(bytes: readonly number[]): boolean {
  const [high, zero, five, efe] = bytes.slice(8, 12)
  return (high === 0 || high === 2) && zero === 0 && five === 0x5e && efe === 0xfe
}
