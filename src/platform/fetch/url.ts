import { isIP } from 'node:net'

/** A parsed URL: the only form in which later steps see what the caller wrote. */
export interface Target {
  url: URL
  /** A host name without a trailing dot, or an address without brackets. */
  host: string
  port: number
}

const MAX_LENGTH = 4096

/**
 * Parses an https URL. `new URL` normalizes every spelling of a host (decimal, octal, hexadecimal,
 * full-width, escaped).
 *
 * @returns null for what is no URL, is not https or has credentials
 */
export function parseTarget(text: string, base?: URL): Target | null {
  if (text.length > MAX_LENGTH) return null
  const url = URL.parse(text, base)
  if (url === null || url.protocol !== 'https:' || url.hostname === '') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  const host = bareHost(url.hostname)
  // Certificates and virtual hosts are named without the trailing dot.
  if (isIP(host) === 0) url.hostname = host
  return { url, host, port: url.port === '' ? 443 : Number(url.port) }
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * @param allowedHosts `host:port`
 * @param ownHosts hostnames; `*.example.net` means every name under it
 */
export function createUrlPolicy(allowedHosts: readonly string[], ownHosts: readonly string[]) {
  const allowed = new Set(allowedHosts.map(exemption))
  const own = ownHosts.map((host) => bareHost(host.toLowerCase()))
  function isExempt({ host, port }: Target): boolean {
    return allowed.has(`${host} ${port}`)
  }
  return {
    /** Whether the operator allowed this host and port, whatever its name and addresses are. */
    isExempt,
    /** Whether the host may be resolved and requested; its addresses are checked after that. */
    allows(target: Target) {
      if (isExempt(target)) return true
      if (target.port !== 443) return false
      return isPublicHost(target.host) && !own.some((pattern) => covers(pattern, target.host))
    },
  }
}
export type UrlPolicy = ReturnType<typeof createUrlPolicy>

function exemption(entry: string): string {
  const target = /:\d+$/.test(entry) ? parseTarget(`https://${entry}`) : null
  const isHost = target !== null && (isIP(target.host) > 0 || isName(target.host))
  if (!isHost || target.url.pathname !== '/' || target.url.search !== '') {
    throw new Error(`An allowed host must be written host:port, not ${JSON.stringify(entry)}.`)
  }
  return `${target.host} ${target.port}`
}

function covers(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** Accepts every address: `publicAddress` decides whether one is public. */
function isPublicHost(host: string): boolean {
  if (isIP(host) > 0) return true
  if (!isName(host) || !host.includes('.')) return false
  return !PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`))
}

/** Names of one host, one network or one cloud, which a local resolver may still answer. */
const PRIVATE_NAMES: readonly string[] = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'home.arpa',
  'onion',
  // Google's metadata service has this second name.
  'metadata.goog',
]

/** `new URL` accepts hosts that are no host names: empty labels, `a!b`, labels too long. */
function isName(host: string): boolean {
  const labels = host.split('.')
  return host.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}
