import { Hono } from 'hono'
import type { Approvals } from '../../features/approvals/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import { html } from '../../model/html.ts'
import type { Site } from '../../model/site.ts'
import type { Assets } from '../kit/assets.ts'
import { LAYOUT_CSP, layoutPage } from '../kit/layout.ts'
import { NOTICE_CSP, notice } from '../kit/notice.ts'
import { buildResponse, documentResponse } from '../kit/response.ts'
import { type AppDeps, createContext } from './app/context.ts'
import { appRoutes } from './app/index.ts'
import { publishCommand } from './app/new-key.ts'
import { setupRoutes } from './app/setup.ts'
import { type UnsubscribeDeps, unsubscribeRoutes } from './app/unsubscribe.ts'
import { docsRoutes } from './docs.ts'
import { oauthRoutes } from './oauth/index.ts'

export interface WebDeps extends AppDeps, UnsubscribeDeps {}

/** Our own pages and documents, and everything that no other route answers. */
export function webRoutes(deps: WebDeps): Hono {
  const { accounts, pages, assets, baseUrl, site, compressor, approvals } = deps
  const context = createContext(deps)
  const routes = new Hono()

  routes.get('/', async ({ req }) => {
    const hasAccounts = await accounts.hasAny()
    const body = homePage({ baseUrl, site, hasAccounts, assets })
    const response = documentResponse(req.raw, { csp: LAYOUT_CSP, body })
    return compressor.respond(req.raw, response, { isKept: true })
  })
  routes.get('/.well-known/jwks.json', () => jwks(approvals))
  routes.get('/robots.txt', () => robotsTxt(baseUrl))
  routes.get('/sitemap.xml', async ({ req }) =>
    compressor.respond(req.raw, await sitemap(pages, baseUrl)),
  )
  routes.route('/', docsRoutes(deps))
  routes.route('/setup', setupRoutes(context))
  routes.get('/app/', ({ redirect }) => redirect('/app', 308))
  routes.route('/app', appRoutes(context))
  routes.route('/', oauthRoutes(context))
  routes.route('/unsubscribe', unsubscribeRoutes(context, deps))
  routes.all('*', ({ req }) => notFound(req.raw))

  function notFound(request: Request): Promise<Response> {
    const body = notice('not_found', { site, assets })
    const response = documentResponse(request, { csp: NOTICE_CSP, status: 404, body })
    return compressor.respond(request, response, { isKept: true })
  }
  return routes
}

export interface HomeOptions {
  baseUrl: string
  site: Site
  /** False until the first account is made. */
  hasAccounts: boolean
  assets?: Assets | undefined
}

export function homePage({ baseUrl, site, hasAccounts, assets }: HomeOptions): string {
  return layoutPage({
    title: site.name,
    isWide: true,
    site,
    assets,
    main: html`<h1 class="wordmark">${site.name}</h1>
<p class="why">This server publishes HTML pages, decks, PDFs and images at links their owners
control. A link to one begins with <code>${baseUrl}/p/</code></p>
${
  !hasAccounts &&
  html`<p class="aside">Nobody has an account here yet. The link that makes the first one is in this
server’s log, where it was started.</p>`
}
${
  hasAccounts &&
  html`<p class="actions"><a class="button" href="/app/sign-in">Sign in</a>
<a class="button quiet" href="/docs/app">Use the app</a></p>`
}
<h2>Publish from a program</h2>
<p>With an API key in <code>HANDBILL_API_KEY</code>, from any terminal. Signed in, you make
keys <a href="/app/developer">here</a>.</p>
<pre tabindex="0"><code>${publishCommand(baseUrl, '$HANDBILL_API_KEY')}</code></pre>
<p>The answer’s <code>url</code> is where the page is.</p>
<p class="links"><a href="/docs">Documentation</a>
<a href="/openapi.json">OpenAPI document</a>
<a href="/llms-full.txt">For language models</a></p>`,
  })
}

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
