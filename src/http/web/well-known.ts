import type { Approvals } from '../../features/approvals/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import { buildResponse } from '../kit/response.ts'

/** The sitemap protocol allows 50,000 addresses in one file. */
const SITEMAP_LIMIT = 50_000

/** Allows `/p/`: each page has its own `X-Robots-Tag`. Only the rest is disallowed. */
export function robotsTxt(baseUrl: string): Response {
  const lines = [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /app/',
    'Disallow: /setup/',
    'Disallow: /oauth/',
  ]
  return buildResponse(null, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=3600' },
    body: `${[...lines, '', `Sitemap: ${baseUrl}/sitemap.xml`].join('\n')}\n`,
  })
}

/** Lists the pages that are indexed and that everybody can open now. */
export async function sitemap(pages: Pages, baseUrl: string): Promise<Response> {
  const urls = (await pages.listIndexable(SITEMAP_LIMIT)).map(
    ({ slug, published_at }) =>
      `<url><loc>${baseUrl}/p/${slug}</loc><lastmod>${published_at}</lastmod></url>`,
  )
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
  ]
  return buildResponse(null, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-cache' },
    body: `${xml.join('\n')}\n`,
  })
}

/** The public keys by which anybody verifies the records that this server signs. */
export async function jwks({ publicKeys }: Pick<Approvals, 'publicKeys'>): Promise<Response> {
  return buildResponse(null, {
    body: JSON.stringify(await publicKeys()),
    headers: {
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}
