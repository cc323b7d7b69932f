import { LRUCache } from 'lru-cache'
import { admittedEmail } from '../../../features/access/index.ts'
import { readUserAgent } from '../../../features/analytics/index.ts'
import type { Facet, Viewer } from '../../../features/views/index.ts'
import type { PageRequest } from './page-request.ts'

type Fact = readonly [facet: Facet, value: string]

export interface ViewFactsDeps {
  baseUrl: string
  /** How many proxies are trusted. Without one, any visitor could name a country. */
  trustProxy: number
  /** The address or network of a client. */
  addressOf(request: Request): string
}

/** Where proxies tell the country of a client, as two letters. */
const COUNTRY_HEADERS = [
  'cf-ipcountry',
  'x-vercel-ip-country',
  'cloudfront-viewer-country',
  'x-country-code',
]
/** What proxies send where they do not know: `XX`, and `T1` for Tor. */
const COUNTRY = /^(?!XX$)[A-Z]{2}$/
const MAX_HOST_CHARS = 100
/** The size of the cache of facts by `User-Agent`. */
const MAX_CHARS = 512 * 1024

/** Reads what is counted of a view from the request. Its address and program are not stored. */
export function createViewFacts({ baseUrl, trustProxy, addressOf }: ViewFactsDeps) {
  const ownHost = new URL(baseUrl).hostname
  const agents = new LRUCache<string, readonly Fact[]>({
    maxSize: MAX_CHARS,
    sizeCalculation: (_, userAgent) => userAgent.length + 100,
    memoMethod: agentFacts,
  })

  return {
    viewerOf(request: Request, { publishedPage, claims, visitor }: PageRequest): Viewer {
      const { page, gate } = publishedPage
      const email = claims === null ? null : admittedEmail(gate, visitor)
      return {
        client: `${addressOf(request)} ${request.headers.get('user-agent')}`,
        confirmed: email === null ? null : { email, manifestId: page.published_id },
      }
    },
    factsOf({ headers }: Request, { publishedPage, asked, shape }: PageRequest): readonly Fact[] {
      const known = agents.memo(headers.get('user-agent') ?? '')
      const more: Fact[] = []
      const referer = headers.get('referer')
      const referrer = referer === null ? null : hostOf(referer)
      if (referrer !== null && referrer !== ownHost) more.push(['referrer', referrer])
      const country = trustProxy === 0 ? null : countryOf(headers)
      if (country !== null) more.push(['country', country])
      // In the shell, the frame's request for the file counts it.
      const isFile = publishedPage.release?.kind === 'bundle' && shape === 'direct'
      if (isFile && 'file' in asked) more.push(['file', asked.file.path])
      return more.length === 0 ? known : [...known, ...more]
    },
  }
}
export type ViewFacts = ReturnType<typeof createViewFacts>

function agentFacts(userAgent: string): readonly Fact[] {
  const { device, browser } = readUserAgent(userAgent)
  const facts: Fact[] = []
  if (device !== null) facts.push(['device', device])
  if (browser !== null) facts.push(['browser', browser])
  return facts
}

/** The host of a link that was followed. Its path could tell what somebody read. */
function hostOf(referer: string): string | null {
  const url = URL.parse(referer)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  return host === '' || host.length > MAX_HOST_CHARS ? null : host
}

function countryOf(headers: Headers): string | null {
  for (const name of COUNTRY_HEADERS) {
    const country = headers.get(name)?.toUpperCase()
    if (country !== undefined && COUNTRY.test(country)) return country
  }
  return null
}
