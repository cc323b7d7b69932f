/** Sends secrets by every way that takes one, and searches logs, metrics and answers for them. */
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { APP_HEADER } from '../model/app-api.ts'
import { TOKEN_HEADER } from '../model/conversation.ts'
import { buildRouters } from '../server.ts'
import { ENGINES, type Engine, type TestApp, testApp } from '../testing/app.ts'
import { type Browser, createBrowser, formsIn } from '../testing/browser.ts'
import { FORM, RAW, readTokens } from '../testing/form-page.ts'
import { agentWith } from '../testing/mcp.ts'
import { NO_ASSETS } from '../testing/no-assets.ts'
import { BASE_URL } from '../testing/node.ts'
import { CONTENT_URL, enter, WINDOW } from '../testing/own-host.ts'
import { openPanel } from '../testing/panel/server.ts'
import { ownerWith } from '../testing/people.ts'
import { type SecretWatch, watchSecrets } from '../testing/secret-watch.ts'
import { sessionOf } from '../testing/signed-in.ts'
import { startTestProvider, type TestProvider } from '../testing/test-provider.ts'
import { BROWSER, createVisitor, framePathIn } from '../testing/visitor.ts'
import { PAGE_ROUTES } from './visitor/request/page-route.ts'

/** The parameters of all routes, and whether who knows one may do or see something by it. */
const PARAMETERS: Record<string, 'secret' | 'id' | 'name'> = {
  token: 'secret',
  signature: 'secret',
  slug: 'secret',
  id: 'id',
  page_id: 'id',
  account_id: 'id',
  key_id: 'id',
  connection_id: 'id',
  ask_id: 'id',
  comment_id: 'id',
  delivery_id: 'id',
  identity_id: 'id',
  mail_id: 'id',
  passkey_id: 'id',
  record_id: 'id',
  request_id: 'id',
  response_id: 'id',
  session_id: 'id',
  version_no: 'id',
  link_id: 'id',
  webhook_id: 'id',
  path: 'name',
  action: 'name',
  tab: 'name',
  item: 'name',
  part: 'name',
  record: 'name',
}

/** The answers that have a secret of their request in them. */
const ECHOES = [
  // The address of the link is that of its form.
  'GET /app/confirm/:token',
  'GET /setup/:token',
  'POST /setup/:token',
  'GET /app/requests/:token',
  // Owners see the passwords of their pages.
  'POST /api/v1/pages',
  'PATCH /api/v1/pages/:id',
  'POST /mcp',
  // What an app asks for is asked anew after the sign-in, and sent back to it.
  'GET /oauth/authorize',
  'POST /oauth/authorize',
]

type Config = NonNullable<Parameters<typeof testApp>[1]>
interface Route {
  method: string
  path: string
}

let provider: TestProvider
beforeAll(async () => {
  provider = await startTestProvider()
})
afterAll(() => provider.close())

function watchedApp(engine: Engine, config: Config = {}): Promise<TestApp> {
  const singleSignOn = provider.settings({ isOpen: true })
  return testApp(engine, { requestLog: 'all', contentUrl: CONTENT_URL, singleSignOn, ...config })
}

/** All routes, as the router and the server of pages have them. */
async function routesOf(app: TestApp): Promise<Route[]> {
  const parts = { assets: NO_ASSETS, confirmationActions: {}, authentication: {}, bodyReader: {} }
  const { apis, router } = buildRouters(app.platform, app, parts as never)
  const routes = [apis.api, apis.app, router].flatMap((each) => each.routes)
  const ofRouter = routes.filter(({ method }) => method !== 'ALL')
  const ofVisitors = app.visitorOperations.map(({ contract }) => contract.http)
  const ofPages = Object.values(PAGE_ROUTES).map((path) => ({ method: 'GET', path }))
  const others = ['/mcp', '/metrics', '/~/runtime.js', '/~/confirm-email', '/no/such/page'].map(
    (path) => ({ method: 'POST', path }),
  )
  const gate = { method: 'POST', path: PAGE_ROUTES.action }
  return [...ofRouter, ...ofVisitors, ...ofPages, ...others, gate]
}
function parametersIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

const COOKIES = ['session', 'browser', 'new_key', 'flow', 'review', 'email', 'known', 'pass']
const MORE_COOKIES = ['visit', 'own', 'frame', 'link']
const MEMBERS = ['password', 'token', 'stamp', 'code', 'html', 'api_key', 'data']
const QUERY = ['token', 'code', 'state', 'ticket', 'password', 'key', 'signature']

/** What lets a request in, so that it fails later. */
interface Credentials {
  key: string
  session: string
}

/** A request with a marker wherever a client can put a text. */
function markedRequest(
  watch: SecretWatch,
  { method, path }: Route,
  { key, session }: Credentials | { key?: never; session?: never },
): Request {
  const asForm = key === undefined
  const fill = (_: string, name: string) => {
    const isSecret = PARAMETERS[name] === 'secret' && name !== 'slug'
    const text = isSecret ? watch.marker() : watch.unloggedMarker()
    return name === 'record' ? `${text}.jws` : text
  }
  const isOwnHost = path.startsWith('{page}')
  const filled = path.replace('{page}', '').replaceAll(/:(\w+)(?:\{[^}]*\})?/g, fill)
  const host = isOwnHost ? CONTENT_URL.replace('{page}', watch.unloggedMarker()) : BASE_URL
  const pairs = (names: string[]) => names.map((name) => [name, watch.marker()])
  const query = new URLSearchParams(pairs(QUERY))
  const cookies = pairs([...COOKIES, ...MORE_COOKIES].map((name) => `handbill_${name}`))
  if (session !== undefined) cookies[0] = ['handbill_session', session]
  const members = Object.fromEntries(pairs(MEMBERS))
  const json = { ...members, jsonrpc: '2.0', id: 1, method: 'tools/call', params: members }
  const headers = new Headers({
    host: new URL(host).host,
    origin: BASE_URL,
    authorization: key === undefined ? `Basic ${watch.marker()}` : `Bearer ${key}`,
    cookie: cookies.map((pair) => pair.join('=')).join('; '),
    referer: `${BASE_URL}/app/confirm/${watch.marker()}?token=${watch.marker()}`,
    'user-agent': watch.marker(),
    [APP_HEADER]: '1',
    [TOKEN_HEADER]: watch.marker(),
    'content-type': asForm ? 'application/x-www-form-urlencoded' : 'application/json',
  })
  const body = asForm ? new URLSearchParams(members).toString() : JSON.stringify(json)
  const url = `${host}${filled}?${query}`
  return new Request(url, { method, headers, ...(method !== 'GET' && { body }) })
}

async function sendMarked(
  app: TestApp,
  watch: SecretWatch,
  credentials: Credentials,
): Promise<void> {
  for (const route of await routesOf(app)) {
    for (const each of [{}, credentials]) {
      await watch.fetch(markedRequest(watch, route, each))
    }
  }
}

async function expectNoLeak(app: TestApp, watch: SecretWatch): Promise<void> {
  expect(watch.loggedSecrets()).toEqual([])
  expect(watch.echoes().filter((route) => !ECHOES.includes(route))).toEqual([])
  expect(watch.foundIn(await app.platform.metrics.write())).toEqual([])
}

const TABLES = ['pages', 'accounts', 'api_keys', 'sessions', 'confirmations', 'throttles']

/** Breaks what requests read, so that they fail in the middle, and mends it again. */
async function breakDatabase({ database }: TestApp): Promise<AsyncDisposable> {
  const rename = (from: string, to: string) =>
    database.write((tx) =>
      sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.table(to)}`.execute(tx),
    )
  for (const table of TABLES) await rename(table, `no_${table}`)
  return {
    async [Symbol.asyncDispose]() {
      for (const table of TABLES) await rename(`no_${table}`, table)
    },
  }
}

/** An owner whose requests are watched, and whose key is a secret. */
async function ownerOf(app: TestApp, watch: SecretWatch) {
  const { key, email } = await app.owner()
  return ownerWith({ api: watch.api, log: app.log }, watch.secret(key), email)
}
async function publish(app: TestApp, watch: SecretWatch, settings: object, content = '<p>words') {
  const owner = await ownerOf(app, watch)
  const page = await owner.publish(content, settings)
  watch.unlogged(page.slug)
  return { owner, page, path: `/p/${page.slug}` }
}
/** The path of the button of the newest mail, whose last segment is a secret. */
function linkOf(app: TestApp, watch: SecretWatch): string {
  const path = new URL(app.mails.at(-1)!.button!.url).pathname
  watch.secret(path.split('/').at(-1)!)
  return path
}
async function press(browser: Browser, path: string): Promise<Response> {
  return browser.send(await browser.get(path))
}
async function statusOf(answer: Response | Promise<Response>): Promise<number> {
  return (await answer).status
}

type Use = (app: TestApp, watch: SecretWatch) => Promise<void>

const CONFIGS: Record<string, Config> = {
  [PAGE_ROUTES.frame]: { contentUrl: null },
  // Requests come as one mail beyond the limit of mails.
  '/app/requests/:token': { rateLimits: true },
}

/** Uses the secret of each route that has one in its path, with success. */
const USES: Record<string, Use> = {
  async '/~/uploads/:token'(app, watch) {
    const owner = await ownerOf(app, watch)
    const { url } = await owner.ask<{ url: string }>('POST', '/uploads/links', {})
    watch.secret(url.split('/').at(-1)!)
    const send = () => watch.fetch(new Request(url, { method: 'PUT', body: 'bytes' }))
    expect([await statusOf(send()), await statusOf(send())]).toEqual([201, 404])
  },
  async '/l/:token'(app, watch) {
    const { owner, page } = await publish(app, watch, {})
    const made = { label: 'Ann' }
    const { url } = await owner.ask<{ url: string }>('POST', `/pages/${page.id}/links`, made)
    const path = new URL(url).pathname
    watch.secret(path.slice('/l/'.length))
    expect(await statusOf(createBrowser(watch).get(path))).toBe(303)
  },
  async '/setup/:token'(app, watch) {
    const token = watch.secret(await app.accounts.createSetupLink())
    const browser = createBrowser(watch)
    const path = `/setup/${token}`
    expect(await statusOf(browser.get(path))).toBe(200)
    expect(await statusOf(browser.post(path, { email: 'not an address' }))).toBe(400)
    expect(await statusOf(browser.post(path, { email: 'first@example.com' }))).toBe(303)
    expect(await statusOf(browser.get(path))).toBe(410)
  },
  async '/app/confirm/:token'(app, watch) {
    const { email } = await app.owner()
    const browser = createBrowser(watch)
    const sendLink = async () => browser.send(await browser.get('/app/sign-in'), { email })
    await sendLink()
    const path = linkOf(app, watch)
    expect(await statusOf(press(browser, path))).toBe(303)
    expect(await statusOf(browser.get(path))).toBe(410)
    expect(await statusOf(browser.get('/app/account'))).toBe(200)
    const stranger = createBrowser(watch)
    const answer = await stranger.send(await stranger.get('/app/sign-in'), { email })
    const code = watch.secret(app.mails.at(-1)!.code!)
    const wrong = await stranger.send(answer, { code: watch.secret('wrong-code') })
    expect(wrong.status).toBe(400)
    expect(await statusOf(stranger.send(wrong, { code }))).toBe(303)
  },
  async '/app/confirm/:token/renew'(app, watch) {
    const invited = { access: 'people', allowed_emails: ['ann@example.com'] }
    const { owner, page } = await publish(app, watch, invited)
    await owner.ask('POST', `/pages/${page.id}/invitations`, {})
    const link = linkOf(app, watch)
    expect(await statusOf(press(createBrowser(watch), link))).toBe(303)
    const renewed = await press(createBrowser(watch), link)
    expect([renewed.status, renewed.headers.get('location')]).toEqual([303, '/app/link-sent'])
    linkOf(app, watch)
  },
  async '/app/requests/:token'(app, watch) {
    const { page } = await publish(app, watch, { access: 'people', allow_access_requests: true })
    const stored = (await app.pages.find(page.id))!
    for (let n = 0; n < 12; n++) await app.access.requestAccess(stored, `p${n}@example.com`)
    const path = linkOf(app, watch)
    const browser = createBrowser(watch)
    const { headers } = await browser.get(path)
    expect(await statusOf(press(browser, headers.get('location')!))).toBe(303)
    const response = await browser.get('/app/requests')
    expect(await statusOf(browser.send(response))).toBe(303)
  },
  async '/unsubscribe/:page_id/:signature'(app, watch) {
    const { path } = await publish(app, watch, { notify_on_view: true })
    await createBrowser(watch).get(path, RAW)
    const link = new URL(app.mails.at(-1)!.unsubscribeUrl!).pathname
    watch.secret(link.split('/').at(-1)!)
    const browser = createBrowser(watch)
    expect([await statusOf(browser.get(link)), await statusOf(browser.post(link, {}))]).toEqual([
      200, 200,
    ])
    const cut = link.slice(0, -1)
    expect(await statusOf(browser.get(cut))).toBe(404)
  },
  async [PAGE_ROUTES.page](app, watch) {
    const { path } = await publish(app, watch, {})
    expect(await statusOf(createBrowser(watch).get(path, RAW))).toBe(200)
  },
  async [PAGE_ROUTES.file](app, watch) {
    const files = [{ path: 'index.html', html: '<p>deck' }]
    const owner = await ownerOf(app, watch)
    const { slug } = await owner.publish({ files })
    watch.unlogged(slug)
    const visitor = createVisitor(watch, {})
    expect(await statusOf(visitor.open(`/p/${slug}/index.html`))).toBe(200)
    expect(await statusOf(visitor.open(`/p/${slug}/${watch.unloggedMarker()}`))).toBe(404)
  },
  async [PAGE_ROUTES.action](app, watch) {
    const [password, wrong] = [watch.marker(), watch.marker()]
    const { path } = await publish(app, watch, { access: 'password', password })
    const browser = createBrowser(watch)
    const gate = await browser.get(path, RAW)
    expect(await statusOf(browser.send(gate.clone(), { password: wrong }))).toBe(403)
    expect(await statusOf(browser.send(gate, { password }))).toBe(303)
    expect(await statusOf(browser.get(path, RAW))).toBe(200)
  },
  async [PAGE_ROUTES.frame](app, watch) {
    const { owner, page, path } = await publish(app, watch, { allow_comments: true })
    const frame = await framePathIn(await watch.fetch(opened(path)))
    watch.secret(/~([^/]+)\/$/.exec(frame)![1]!)
    const inFrame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
    const statusAt = (at: string) => statusOf(createVisitor(watch, inFrame).open(at))
    expect([await statusAt(`${frame}index.html`), await statusAt(`${frame}no`)]).toEqual([200, 404])
    const preview = await owner.ask<{ url: string }>('POST', `/pages/${page.id}/preview`, {})
    const { pathname } = new URL(preview.url)
    watch.secret(/~([^/]+)\//.exec(pathname)![1]!)
    expect([await statusAt(pathname), await statusAt(`${pathname}x`)]).toEqual([200, 404])
  },
  async [PAGE_ROUTES.ownHost](app, watch) {
    const { path } = await publish(app, watch, {}, '<p>words<script>1</script>')
    const own = await enter(watch, createVisitor(watch, {}), path)
    watch.secret(new URL(own.ticketUrl).searchParams.get('ticket')!)
    watch.secret(own.cookie.split('=')[1]!)
    watch.unlogged(own.host)
    expect(await statusOf(own.load('/'))).toBe(200)
    expect(await statusOf(own.load(`/${watch.unloggedMarker()}.css`))).toBe(404)
    const again = new Request(own.ticketUrl, { headers: { host: own.host, ...WINDOW } })
    expect(await statusOf(watch.fetch(again))).toBe(303)
  },
}
function opened(path: string): Request {
  return new Request(BASE_URL + path, { headers: BROWSER })
}

/** Uses the other secrets: those in headers, queries and bodies. */
const MORE_USES: Record<string, Use> = {
  async 'passwords and keys in the API and its tools'(app, watch) {
    const { owner, page } = await publish(app, watch, {})
    const password = watch.marker()
    await owner.update(page.id, { access: 'password', password })
    await owner.refused('PATCH', `/pages/${page.id}`, {
      password: watch.marker().repeat(9),
    })
    const agent = agentWith(
      { mcp: (init) => watch.fetch(new Request(`${BASE_URL}/mcp`, init)) },
      owner.key,
    )
    const change = { page_id: page.id, password: watch.marker() }
    expect((await agent.call('update_page', change)).isError).toBeFalsy()
    expect((await agent.call('update_page', { ...change, access: 'nobody' })).isError).toBe(true)
    const session = await sessionOf({ ...app, fetch: watch.fetch }, owner.email)
    type Made = { key: string; id: string }
    const { key, id } = await session.ask<Made>('POST', '/keys', { name: 'n' })
    const made = ownerWith({ api: watch.api, log: app.log }, watch.secret(key), owner.email)
    expect((await made.call('GET', '/pages')).status).toBe(200)
    await session.ask('DELETE', `/keys/${id}`)
    expect((await made.call('GET', '/pages')).status).toBe(401)
  },
  async 'an address that a gate confirms, by link and by code'(app, watch) {
    const { path } = await publish(app, watch, { access: 'email_gate' })
    const browser = createBrowser(watch)
    const answer = await browser.send(await browser.get(path, RAW), { email: 'ann@example.com' })
    const code = watch.secret(app.mails.at(-1)!.code!)
    const form = formsIn(await answer.text()).find(({ action }) => action.endsWith('/code'))!
    const give = (typed: string) => browser.post(form.action, { ...form.fields, code: typed })
    expect(await statusOf(give(watch.secret('no-such-code')))).toBe(403)
    expect(await statusOf(give(code))).toBe(303)
    const other = createBrowser(watch)
    await other.send(await other.get(path, RAW), { email: 'bob@example.com' })
    expect(await statusOf(press(other, linkOf(app, watch)))).toBe(303)
  },
  async 'an access request that is approved by its mail'(app, watch) {
    const { path } = await publish(app, watch, { access: 'people', allow_access_requests: true })
    const browser = createBrowser(watch)
    const forms = formsIn(await (await browser.get(path, RAW)).text())
    const { action, fields } = forms.find((form) => form.action.endsWith('/request'))!
    await browser.post(action, { ...fields, email: 'ann@example.com' })
    const link = linkOf(app, watch)
    expect(await statusOf(press(createBrowser(watch), link))).toBe(200)
    expect(await statusOf(createBrowser(watch).get(link))).toBe(410)
  },
  async 'the code and the state of single sign-on'(app, watch) {
    await app.owner()
    const browser = createBrowser(watch)
    const there = (await browser.get('/app/sign-in/sso')).headers.get('location')!
    watch.secret(new URL(there).searchParams.get('state')!)
    const back = provider.authorize(there, {
      sub: 'p1',
      email: 'p1@example.com',
      email_verified: true,
    })
    watch.secret(new URL(back, BASE_URL).searchParams.get('code')!)
    const stranger = createBrowser(watch)
    expect(await statusOf(stranger.get(back))).toBe(400)
    const wrong = back.replace(/code=\w+/, `code=${watch.marker()}`)
    const failing = createBrowser(watch)
    failing.jar.set('handbill_flow', browser.jar.get('handbill_flow')!)
    expect(await statusOf(failing.get(wrong))).toBe(400)
    expect(await statusOf(browser.get(back))).toBe(303)
  },
  async 'the tokens of a form, and of a panel'(app, watch) {
    const { path } = await publish(app, watch, { access: 'link' }, FORM)
    const { token, stamp } = readTokens(await (await createBrowser(watch).get(path, RAW)).text())
    const body = { token: watch.secret(token), stamp: watch.secret(stamp), id: 'submission-1' }
    const post = (to: string, sent: object, browser = createBrowser(watch)) =>
      browser.ask(to, { method: 'POST', headers: { origin: BASE_URL }, body: JSON.stringify(sent) })
    expect(await statusOf(post('/~/responses', { ...body, data: '{"a":1}' }))).toBe(200)
    expect(await statusOf(post('/~/responses', { ...body, data: '{' }))).toBe(400)
    const commented = await publish(app, watch, { allow_comments: true })
    const browser = createBrowser(watch)
    const panel = (await openPanel(browser, commented.path))!
    const own = { token: watch.secret(panel.token), stamp: watch.secret(panel.stamp) }
    const comment = { ...own, id: 'submission-2', body: 'words', name: 'Ann' }
    expect(await statusOf(post('/~/comments/post', comment, browser))).toBe(201)
    expect(await statusOf(post('/~/comments/post', comment))).toBe(403)
    const renewal = `${commented.path}/~/viewer`
    expect(await statusOf(browser.get(renewal, { [TOKEN_HEADER]: panel.token }))).toBe(200)
  },
}

for (const engine of ENGINES) {
  describe(`secrets on ${engine}`, () => {
    it('that open nothing are in no log, metric or answer, also where the database fails', async () => {
      await using app = await watchedApp(engine)
      const watch = watchSecrets(app)
      const { key, email } = await app.owner()
      const { id } = (await app.accounts.findByEmail(email))!
      const session = await app.database.write((tx) => app.sessions.create(tx, id, null))
      const credentials = { key: watch.secret(key), session: watch.secret(session) }
      await sendMarked(app, watch, credentials)
      await using _broken = await breakDatabase(app)
      await sendMarked(app, watch, credentials)
      expect(app.log.lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(100)
      await expectNoLeak(app, watch)
    })

    it.each(Object.entries({ ...USES, ...MORE_USES }))('are in no log: %s', async (name, use) => {
      await using app = await watchedApp(engine, CONFIGS[name])
      const watch = watchSecrets(app)
      await use(app, watch)
      await expectNoLeak(app, watch)
    })
  })
}

describe('the secrets of these tests', () => {
  it('are those of all routes', async () => {
    await using app = await watchedApp('sqlite')
    const paths = [...new Set((await routesOf(app)).map(({ path }) => path))]
    const names = [...new Set(paths.flatMap(parametersIn))]
    expect(names.sort()).toEqual(Object.keys(PARAMETERS).sort())
    const isSecret = (path: string) =>
      parametersIn(path).some((name) => PARAMETERS[name] === 'secret')
    const secret = paths.filter((path) => isSecret(path) || path === PAGE_ROUTES.ownHost)
    expect(secret.sort()).toEqual(Object.keys(USES).sort())
  })
})
