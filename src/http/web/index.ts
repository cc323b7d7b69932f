import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import type { Accounts } from '../../features/accounts/index.ts'
import type { Notifications } from '../../features/notifications/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import { Refusal } from '../../model/errors.ts'
import type { Operation } from '../../model/operation.ts'
import type { Plan } from '../../model/plan.ts'
import { createCookies } from '../kit/cookies.ts'
import { readForm } from '../kit/form.ts'
import { openapi } from '../rest/openapi.ts'
import { assertOwnOrigin } from '../kit/csrf.ts'
import { documentHeaders, NOTICE_CSP, notice, robotsTxt, sitemap } from '../visitor/index.ts'
import { type AppMachines, appDoor } from './app/index.ts'
import type { Assets } from '../kit/assets.ts'
import { docsCsp, docsPage } from './docs.ts'
import type { Health } from './health.ts'
import { homePage, SHEET_CSP } from './home.ts'
import { llmsFullTxt, llmsTxt } from './llms.ts'
import { setupDonePage, setupGonePage, setupPage } from './setup.ts'
import { unsubscribeDoor } from './unsubscribe.ts'

const NO_ICON = {
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
}

export interface WebMachines extends AppMachines {
  notifications: Notifications
  accounts: Accounts
  pages: Pages
  operations: Operation[]
  assets: Assets
  health: Health
  base_url: string
  default_plan: Plan
}

/** The pages and documents of the service itself. */
export function webDoor(machines: WebMachines) {
  const { pages, operations, assets, health, base_url, accounts } = machines
  const host = new URL(base_url).host
  let document: ReturnType<typeof openapi> | undefined
  /** Made when it is first asked for: a start does not wait for it. */
  const described = () => {
    document ??= openapi(operations, base_url)
    return document
  }
  const door = new Hono()

  door.get('/', async () =>
    ours(homePage({ base_url, fresh: !(await accounts.areThereAny()), assets })),
  )
  door.get('/openapi.json', () =>
    Response.json(described(), { headers: { 'access-control-allow-origin': '*' } }),
  )
  door.get('/docs', () => {
    const nonce = randomBytes(16).toString('base64')
    return ours(docsPage(described(), { nonce, assets, base_url }), 200, docsCsp(nonce))
  })
  door.get('/llms.txt', () => markdown(llmsTxt(described(), base_url)))
  door.get('/llms-full.txt', () => markdown(llmsFullTxt(described(), base_url)))
  door.get('/healthz', health.live)
  door.get('/readyz', health.ready)
  // A page's origin is opaque: an icon that only our origin may have is an error in its console.
  door.get('/favicon.ico', () => new Response(null, { status: 204, headers: NO_ICON }))
  door.get('/robots.txt', () => robotsTxt(base_url))
  door.get('/sitemap.xml', () => sitemap(pages, base_url))
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
  door.route('/setup', setupDoor(machines))
  door.route('/app', appDoor(machines))
  door.route('/unsubscribe', unsubscribeDoor(machines))
  door.all('*', () => notFound())

  function notFound(): Response {
    return ours(notice('not_found', { host, assets }), 404, NOTICE_CSP)
  }
  return door
}

/** The one-time link of the first start: looking at it changes nothing, its button does. */
function setupDoor(machines: WebMachines): Hono {
  const { accounts, sessions, database, assets, base_url, default_plan } = machines
  const host = new URL(base_url).host
  const gone = () => ours(setupGonePage({ host, assets }), 410)
  const door = new Hono()
  door.get('/:token', async (context) => {
    const token = context.req.param('token')
    return (await accounts.isSetupLink(token)) ? ours(setupPage({ token, host, assets })) : gone()
  })
  const { session } = createCookies(base_url)
  door.post('/:token', async (context) => {
    const token = context.req.param('token')
    const request = context.req.raw
    let values = { email: '', name: '' }
    try {
      assertOwnOrigin(request, base_url)
      const form = await readForm(request)
      values = { email: form('email'), name: form('name') }
      const given = { email: values.email, name: values.name || null, plan: default_plan }
      const { account, key } = await accounts.setUp(token, given)
      const agent = request.headers.get('user-agent')
      const signed_in = await database.write((tx) => sessions.create(tx, account.id, agent))
      const page = setupDonePage({ email: account.email, key: key.key, base_url, assets })
      const answer = ours(page)
      answer.headers.append('set-cookie', session(signed_in))
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
