/**
 * Whether browsers keep passkeys for a server at this address: one that is encrypted, or on their
 * own computer, and has a name. To an IP address no passkey belongs.
 */
export function takesPasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return (protocol === 'https:' || isLocal) && !isAddress
}
