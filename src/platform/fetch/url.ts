import { isIP } from 'node:net'

/** One hop, read once: nobody after this looks at the caller's spelling again. */
export interface Target {
  url: URL
  /** A name without its trailing dot, or an address without its brackets. */
  host: string
  port: number
}

const MAX_LENGTH = 4096

/**
 * `new URL` folds every spelling of a host (decimal, octal, hex, full-width, escaped) into one.
 * Null is what the text itself shows to be wrong: no URL, not https, or credentials in it.
 */
export function parseTarget(text: string, base?: URL): Target | null {
  if (text.length > MAX_LENGTH) return null
  const url = URL.parse(text, base)
  if (url === null || url.protocol !== 'https:' || url.hostname === '') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  const host = bareHost(url.hostname)
  // A certificate and a virtual host are named without the dot.
  if (isIP(host) === 0) url.hostname = host
  return { url, host, port: url.port === '' ? 443 : Number(url.port) }
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export interface UrlPolicy {
  /** The operator's own exceptions: their names, ports and addresses are not judged. */
  isExempt(target: Target): boolean
  /** Whether it may be looked up at all; its addresses are judged after that. */
  admits(target: Target): boolean
}

/**
 * @param allowedHosts `host:port`
 * @param ownHosts hostnames; `*.example.net` means every name under it
 */
export function createUrlPolicy(
  allowedHosts: readonly string[],
  ownHosts: readonly string[],
): UrlPolicy {
  const allowed = new Set(allowedHosts.map(exemption))
  const own = ownHosts.map((host) => bareHost(host.toLowerCase()))
  function isExempt({ host, port }: Target): boolean {
    return allowed.has(`${host} ${port}`)
  }
  return {
    isExempt,
    admits(target) {
      if (isExempt(target)) return true
      if (target.port !== 443) return false
      return isPublicHost(target.host) && !own.some((pattern) => covers(pattern, target.host))
    },
  }
}

function exemption(entry: string): string {
  const target = /:\d+$/.test(entry) ? parseTarget(`https://${entry}`) : null
  const shaped = target !== null && (isIP(target.host) > 0 || isName(target.host))
  if (!shaped || target.url.pathname !== '/' || target.url.search !== '') {
    throw new Error(`An allowed host must be written host:port, not ${JSON.stringify(entry)}.`)
  }
  return `${target.host} ${target.port}`
}

function covers(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** An address passes here; whether it is public is not a question of spelling. */
function isPublicHost(host: string): boolean {
  if (isIP(host) > 0) return true
  if (!isName(host) || !host.includes('.')) return false
  return !PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`))
}

/** Names that never leave a machine, a site or a cloud; a resolver may know them all the same. */
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

/** `new URL` lets through much that is no host name: empty labels, `a!b`, labels too long. */
function isName(host: string): boolean {
  const labels = host.split('.')
  return host.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}
