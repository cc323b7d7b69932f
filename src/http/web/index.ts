import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import type { Accounts } from '../../features/accounts/index.ts'
import type { OwnerMails } from '../../features/events/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import { Refusal } from '../../model/errors.ts'
import type { Plan } from '../../model/plan.ts'
import type { Assets } from '../kit/assets.ts'
import { createCookies } from '../kit/cookies.ts'
import { assertOwnOrigin } from '../kit/csrf.ts'
import { readForm } from '../kit/form.ts'
import { documentHeaders } from '../kit/headers.ts'
import { NOTICE_CSP, notice } from '../kit/notice.ts'
import { type AppMachines, appRoutes } from './app/index.ts'
import { docsCsp, docsPage, type OpenApiDocument } from './docs.ts'
import type { Health } from './health.ts'
import { homePage, SHEET_CSP } from './home.ts'
import { llmsFullTxt, llmsTxt } from './llms.ts'
import { robotsTxt, sitemap } from './robots.ts'
import { setupDonePage, setupGonePage, setupPage } from './setup.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

const NO_ICON = {
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
}

export interface WebDeps extends AppMachines {
  ownerMails: OwnerMails
  accounts: Accounts
  pages: Pages
  /** The document of the REST API, built at the first call. */
  openApi(): OpenApiDocument
  assets: Assets
  health: Health
  baseUrl: string
  defaultPlan: Plan
}

/** The pages and documents of the service itself. */
export function webRoutes(deps: WebDeps) {
  const { pages, openApi, assets, health, baseUrl, accounts } = deps
  const host = new URL(baseUrl).host
  const door = new Hono()

  door.get('/', async () =>
    ours(homePage({ baseUrl, fresh: !(await accounts.areThereAny()), assets })),
  )
  door.get('/openapi.json', () =>
    Response.json(openApi(), { headers: { 'access-control-allow-origin': '*' } }),
  )
  door.get('/docs', () => {
    const nonce = randomBytes(16).toString('base64')
    return ours(docsPage(openApi(), { nonce, assets, baseUrl }), 200, docsCsp(nonce))
  })
  door.get('/llms.txt', () => markdown(llmsTxt(openApi(), baseUrl)))
  door.get('/llms-full.txt', () => markdown(llmsFullTxt(openApi(), baseUrl)))
  door.get('/healthz', health.live)
  door.get('/readyz', health.ready)
  // A page's origin is opaque: an icon that only our origin may have is an error in its console.
  door.get('/favicon.ico', () => new Response(null, { status: 204, headers: NO_ICON }))
  door.get('/robots.txt', () => robotsTxt(baseUrl))
  door.get('/sitemap.xml', () => sitemap(pages, baseUrl))
  // Pages name it by its one address, which outlives its content: asked for again after a while.
  door.get('/~/runtime.js', (context) => {
    const encoding = context.req.raw.headers.get('accept-encoding')
    const answer = assets.respond(assets.url('runtime.js'), encoding)
    answer?.headers.set('cache-control', 'public, max-age=300')
    return answer ?? notFound()
  })
  door.get('/~/*', (context) => {
    const { path, raw } = context.req
    return assets.respond(path, raw.headers.get('accept-encoding')) ?? notFound()
  })
  door.route('/setup', setupRoutes(deps))
  door.route('/app', appRoutes(deps))
  door.route('/unsubscribe', unsubscribeRoutes(deps))
  door.all('*', () => notFound())

  function notFound(): Response {
    return ours(notice('not_found', { host, assets }), 404, NOTICE_CSP)
  }
  return door
}

/** The one-time link of the first start: looking at it changes nothing, its button does. */
function setupRoutes(deps: WebDeps): Hono {
  const { accounts, sessions, database, assets, baseUrl, defaultPlan } = deps
  const host = new URL(baseUrl).host
  const gone = () => ours(setupGonePage({ host, assets }), 410)
  const door = new Hono()
  door.get('/:token', async (context) => {
    const token = context.req.param('token')
    return (await accounts.isSetupLink(token)) ? ours(setupPage({ token, host, assets })) : gone()
  })
  const { session } = createCookies(baseUrl)
  door.post('/:token', async (context) => {
    const token = context.req.param('token')
    const request = context.req.raw
    let values = { email: '', name: '' }
    try {
      assertOwnOrigin(request, baseUrl)
      const form = await readForm(request)
      values = { email: form('email'), name: form('name') }
      const given = { email: values.email, name: values.name || null, plan: defaultPlan }
      const { account, key } = await accounts.setUp(token, given)
      const agent = request.headers.get('user-agent')
      const signedIn = await database.write((tx) => sessions.create(tx, account.id, agent))
      const page = setupDonePage({ email: account.email, key: key.key, baseUrl, assets })
      const answer = ours(page)
      answer.headers.append('set-cookie', session(signedIn))
      return answer
    } catch (err) {
      if (!(err instanceof Refusal)) throw err
      if (err.kind === 'not_found') return gone()
      return ours(setupPage({ token, values, error: err.message, host, assets }), 400)
    }
  })
  return door
}

/** For programs that read on any site, which is why any may have it. */
function markdown(text: string): Response {
  const headers = {
    'content-type': 'text/markdown; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  }
  return new Response(text, { headers })
}

function ours(body: string, status = 200, csp = SHEET_CSP): Response {
  return new Response(body, { status, headers: documentHeaders(csp) })
}
