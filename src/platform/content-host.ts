import { getDomain } from 'tldts'
import { ConfigError } from './config.ts'

/**
 * Refuses a `CONTENT_URL` on the registrable domain of `BASE_URL`. Hosts of one registrable domain
 * are one site to a browser: a page there could set cookies for the app's host, and its requests
 * would carry the app's `SameSite` cookies. Browsers keep `localhost` and its subdomains apart.
 *
 * @throws ConfigError
 */
export function assertOwnSite(contentUrl: string, baseUrl: string): void {
  const content = siteOf(contentUrl.replace('{page}', 'page'))
  if (content === null || content !== siteOf(baseUrl)) return
  throw new ConfigError([
    `CONTENT_URL and BASE_URL (${baseUrl}) share the domain ${content}: a published page could ` +
      'set cookies for the app. Use a domain for CONTENT_URL that serves nothing else.',
  ])
}

/** The registrable domain by the public suffix list, or null where no two hosts share one. */
function siteOf(url: string): string | null {
  const { hostname } = new URL(url)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return null
  return getDomain(hostname, { allowPrivateDomains: true })
}
