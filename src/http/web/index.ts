import { Hono } from 'hono'
import type { CommenterMails } from '../../features/comments/index.ts'
import type { OwnerMails } from '../../features/events/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import type { Compressor } from '../kit/compressor.ts'
import { LAYOUT_CSP } from '../kit/layout.ts'
import { NOTICE_CSP, notice } from '../kit/notice.ts'
import { documentResponse } from '../kit/response.ts'
import { type AppDeps, appRoutes, setupRoutes, unsubscribeRoutes } from './app/index.ts'
import { type DocsDeps, docsRoutes } from './docs.ts'
import { homePage } from './home.ts'
import { jwks, robotsTxt, sitemap } from './well-known.ts'

export interface WebDeps extends AppDeps, DocsDeps {
  pages: Pages
  ownerMails: OwnerMails
  commenterMails: CommenterMails
  compressor: Compressor
}

/** Our own pages and documents, and everything that no other route answers. */
export function webRoutes(deps: WebDeps): Hono {
  const { accounts, pages, ownerMails, commenterMails, sessions, database } = deps
  const { assets, baseUrl, bodyReader, secrets, compressor, approvals } = deps
  const { host } = new URL(baseUrl)
  const routes = new Hono()

  routes.get('/', async ({ req }) => {
    const hasAccounts = await accounts.hasAny()
    const body = homePage({ baseUrl, hasAccounts, assets })
    const response = documentResponse(req.raw, { csp: LAYOUT_CSP, body })
    return compressor.respond(req.raw, response, { isKept: true })
  })
  routes.get('/.well-known/jwks.json', () => jwks(approvals))
  routes.get('/robots.txt', () => robotsTxt(baseUrl))
  routes.get('/sitemap.xml', async ({ req }) =>
    compressor.respond(req.raw, await sitemap(pages, baseUrl)),
  )
  routes.route('/', docsRoutes(deps))
  routes.route(
    '/setup',
    setupRoutes({
      accounts,
      sessions,
      confirmations: deps.confirmations,
      database,
      secrets,
      assets,
      baseUrl,
      bodyReader,
    }),
  )
  routes.get('/app/', ({ redirect }) => redirect('/app', 308))
  routes.route('/app', appRoutes(deps))
  routes.route(
    '/unsubscribe',
    unsubscribeRoutes({ ownerMails, commenterMails, pages, assets, baseUrl }),
  )
  routes.all('*', ({ req }) => notFound(req.raw))

  function notFound(request: Request): Promise<Response> {
    const body = notice('not_found', { host, assets })
    const response = documentResponse(request, { csp: NOTICE_CSP, status: 404, body })
    return compressor.respond(request, response, { isKept: true })
  }
  return routes
}
