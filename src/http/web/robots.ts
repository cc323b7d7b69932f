import type { Pages } from '../../features/pages/index.ts'

/** What one sitemap may hold, by its protocol. */
const LISTED = 50_000

/** Pages say themselves who may index them: `/p/` is open, the rest is not for engines. */
export function robotsTxt(baseUrl: string): Response {
  const lines = ['User-agent: *', 'Disallow: /api/', 'Disallow: /app/', 'Disallow: /setup/']
  return new Response(`${[...lines, '', `Sitemap: ${baseUrl}/sitemap.xml`].join('\n')}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=3600' },
  })
}

export async function sitemap(pages: Pages, baseUrl: string): Promise<Response> {
  const urls = (await pages.listed(LISTED)).map(
    ({ slug, published_at: publishedAt }) =>
      `<url><loc>${baseUrl}/p/${slug}</loc><lastmod>${publishedAt}</lastmod></url>`,
  )
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
  ]
  return new Response(`${xml.join('\n')}\n`, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
