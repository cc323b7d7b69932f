import { Hono } from 'hono'
import { LAYOUT_CSP } from '../kit/layout.ts'
import { NOTICE_CSP, notice } from '../kit/notice.ts'
import { documentResponse } from '../kit/response.ts'
import { type AppDeps, createContext } from './app/context.ts'
import { appRoutes } from './app/index.ts'
import { setupRoutes } from './app/setup.ts'
import { type UnsubscribeDeps, unsubscribeRoutes } from './app/unsubscribe.ts'
import { docsRoutes } from './docs.ts'
import { homePage } from './home.ts'
import { oauthRoutes } from './oauth/index.ts'
import { jwks, robotsTxt, sitemap } from './well-known.ts'

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
