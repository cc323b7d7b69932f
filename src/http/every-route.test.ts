/**
 * Every route of the API and of our own pages, as the router lists them: none answers content of a
 * page to anybody but its owner. Pages themselves: `visitor/content-routes.test.ts`.
 */
import { expect, it } from 'bun:test'
import { APP_HEADER } from '../model/app-api.ts'
import { buildRouters } from '../server.ts'
import { BASE_URL, type TestApp, testApp } from '../testing/app.ts'
import { KINDS, MARKER, wordsOf } from '../testing/content-routes.ts'
import { NO_ASSETS } from '../testing/no-assets.ts'
import type { Owner } from '../testing/people.ts'
import { sessionOf } from '../testing/signed-in.ts'
import { createAuthentication } from './authenticate.ts'
import { createBodyReader } from './kit/body.ts'
import { createBodyBudgets } from './kit/body-budget.ts'
import { createCompressor } from './kit/compressor.ts'

interface Route {
  method: string
  /** With its parameters, such as `/app/pages/:id`. */
  pattern: string
}

async function routesOf(app: TestApp): Promise<Route[]> {
  const addressOf = () => 'test'
  const budgets = createBodyBudgets(addressOf)
  const { temporaryFiles } = app.platform
  const { apis, router } = buildRouters(app.platform, app, {
    assets: NO_ASSETS,
    authentication: createAuthentication({ ...app, baseUrl: BASE_URL }),
    bodyReader: createBodyReader({ budgets, temporaryFiles }),
    compressor: createCompressor(),
    addressOf,
    confirmationActions: {},
    openLink: async () => new Response(),
  })
  const all = [...apis.api.routes, ...apis.app.routes, ...router.routes].map(
    ({ method, path }) => `${method === 'ALL' ? 'GET' : method} ${path}`,
  )
  return [...new Set(all)].map((route) => {
    const [method = '', pattern = ''] = route.split(' ')
    return { method, pattern }
  })
}

/** The routes whose answer to the owner of a page has words of its content or its title. */
const FOR_OWNERS = {
  api: [
    '/inbox',
    '/inbox/pages',
    '/pages',
    '/pages/:id',
    '/pages/:id/comments',
    '/pages/:id/download',
    '/pages/:id/files/:path{.+}',
    '/pages/:id/html',
    '/pages/:id/versions/:version_no',
  ],
  web: [
    '/app',
    '/app/pages/:id/approvals/record',
    '/app/pages/:id/download',
    '/app/pages/:id/responses.csv',
  ],
}

async function setUp() {
  const app = await testApp('sqlite')
  const owner = await app.owner()
  const page = await owner.publish(KINDS.deck, { indexed: true })
  await owner.ask('POST', `/pages/${page.id}/comments`, { body: MARKER })
  const values: Record<string, string> = { id: page.id, path: 'index.html', version_no: '1' }
  const addressOf = ({ pattern }: Route) =>
    pattern.replace(/:(\w+)(\{[^}]*\}+)?/g, (_, name) => values[name] ?? 'x').replace('*', 'x')

  async function ask(route: Route, caller: Record<string, string>): Promise<string> {
    const { method } = route
    const isRead = method === 'GET'
    const headers = { ...caller, ...(!isRead && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(!isRead && { body: '{}' }) }
    return wordsOf(await app.fetch(new Request(BASE_URL + addressOf(route), init)))
  }
  const callerOf = async ({ email, key }: Owner) => ({
    cookie: (await sessionOf(app, email)).cookie,
    authorization: `Bearer ${key}`,
    ...{ origin: BASE_URL, [APP_HEADER]: '1' },
  })
  return { app, owner, routes: await routesOf(app), ask, callerOf }
}

it('content is answered to its owner, by the routes that are listed here', async () => {
  const { app, owner, routes, ask, callerOf } = await setUp()
  await using _ = app
  const caller = await callerOf(owner)
  const results: string[] = []
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    if ((await ask(route, caller)).includes(MARKER)) results.push(route.pattern)
  }
  const { api, web } = FOR_OWNERS
  const below = (root: string) => api.map((path) => root + path)
  expect(results.sort()).toEqual([...below('/api/v1'), ...web, ...below('/app/api')].sort())
})

it('nobody else is answered any: neither strangers, nor accounts, nor what the owner revoked', async () => {
  const { app, owner, routes, ask, callerOf } = await setUp()
  await using _ = app
  const [revoked, other] = [await callerOf(owner), await callerOf(await app.owner())]
  const { id } = (await app.accounts.findByEmail(owner.email))!
  await app.sessions.revokeAll(id)
  for (const key of await app.accounts.activeKeys(id)) await app.accounts.revokeKey(key.id)
  for (const route of routes) {
    const isOfPage = route.pattern.includes('/pages/:id')
    const callers = {
      stranger: {},
      revoked,
      ...((route.method === 'GET' || isOfPage) && { other }),
    }
    for (const [name, caller] of Object.entries(callers)) {
      const request = `${name}: ${route.method} ${route.pattern}`
      expect([request, (await ask(route, caller)).includes(MARKER)]).toEqual([request, false])
    }
  }
})
