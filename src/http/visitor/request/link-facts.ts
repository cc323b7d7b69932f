/** The header in which proxies send the country of a client, as two letters. */
const COUNTRY_HEADERS = [
  'cf-ipcountry',
  'x-vercel-ip-country',
  'cloudfront-viewer-country',
  'x-country-code',
]
/** What proxies send for an unknown country: `XX`, and `T1` for Tor. */
const COUNTRY = /^(?!XX$)[A-Z]{2}$/
const MAX_HOST_CHARS = 100

/** The host of the referring page. Its path could reveal what somebody read. */
export function hostOf(referer: string): string | null {
  const url = URL.parse(referer)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  return host === '' || host.length > MAX_HOST_CHARS ? null : host
}

/** Where a request came from, as a proxy says. */
export function countryOf(headers: Headers): string | null {
  for (const name of COUNTRY_HEADERS) {
    const country = headers.get(name)?.toUpperCase()
    if (country !== undefined && COUNTRY.test(country)) return country
  }
  return null
}
