/** Which requests are sent on to a host below localhost, as a program sees it. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { BUILT_SITE, BY_ITSELF, type OriginSite, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'

setDefaultTimeout(60_000)
afterAll(cleanUp)

const CHROMIUM = {
  accept: 'text/html,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
}
const SAFARI = {
  ...CHROMIUM,
  'user-agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
}

/** Asks the server itself, by any name: names below localhost may not resolve here. */
async function ask(
  { port }: OriginSite,
  url: string,
  headers: Record<string, string>,
  method = 'GET',
) {
  const { host, pathname, search } = new URL(url)
  const at = `http://127.0.0.1:${port}${pathname}${search}`
  return fetch(at, { method, headers: { host, ...headers }, redirect: 'manual' })
}

async function expectSandbox(site: OriginSite, url: string, headers: Record<string, string>) {
  const answer = await ask(site, url, headers)
  expect([url, answer.headers.get('location')]).toEqual([url, null])
  const policy = answer.headers.get('content-security-policy') ?? ''
  const isShell = (await answer.text()).includes('<iframe')
  expect(isShell || policy.startsWith('sandbox ')).toBe(true)
  expect(policy).not.toContain("frame-ancestors 'self'")
}

test('browsers that resolve names of localhost are sent on, and nobody else', async () => {
  const site = await startOrigins(BY_ITSELF)
  const page = await site.publish(BUILT_SITE)
  const url = `${page.url}/docs/intro.html`
  const sent = await ask(site, url, CHROMIUM)
  const led = new URL(sent.headers.get('location')!)
  expect([sent.status, led.port]).toEqual([303, site.port])
  expect(led.hostname).toMatch(/^[a-z2-7]{26}\.localhost$/)
  const taken = await ask(site, led.href, CHROMIUM)
  const [cookie = ''] = taken.headers.getSetCookie()
  expect(cookie).toMatch(/^handbill_own=[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const own = { ...CHROMIUM, cookie: cookie.split(';')[0]! }
  expect(await (await ask(site, `${led.origin}/docs/intro`, own)).text()).toContain('id="intro"')

  await expectSandbox(site, url, SAFARI)
  await expectSandbox(site, url, {})
  await expectSandbox(site, url.replace('localhost', '127.0.0.1'), CHROMIUM)
  await expectSandbox(site, url.replace('localhost', 'rebound.example'), CHROMIUM)
  for (const name of ['app', 'a'.repeat(26), '7'.repeat(26)]) {
    for (const path of ['/', '/app', '/api/v1/pages', `/p/${page.slug}`]) {
      const answer = await ask(site, `http://${name}.localhost:${site.port}${path}`, own)
      expect([name, path, answer.status]).toEqual([name, path, 404])
    }
  }
})

test('a page’s own host answers OPTIONS, and tells a frame without a visit what to do', async () => {
  const site = await startOrigins(BY_ITSELF)
  const page = await site.publish(BUILT_SITE)
  const sent = await ask(site, `${page.url}/docs/intro.html`, CHROMIUM)
  const { origin } = new URL(sent.headers.get('location')!)
  const preflight = { origin: 'null', 'access-control-request-method': 'GET' }
  const options = await ask(site, `${origin}/docs/intro`, preflight, 'OPTIONS')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  const names = [...options.headers.keys()]
  expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
  const frame = { ...CHROMIUM, 'sec-fetch-dest': 'iframe' }
  const notice = await ask(site, `${origin}/docs/intro`, frame)
  expect([notice.status, await notice.text()]).toEqual([
    403,
    expect.stringContaining('<h1>This page has to be opened again</h1>'),
  ])
  const loaded = await ask(site, `${origin}/docs/intro`, { 'sec-fetch-dest': 'empty' })
  expect([loaded.status, await loaded.text()]).toEqual([403, 'Nothing is served here.\n'])
})

test.each([
  ['CONTENT_URL=off', { contentUrl: 'off' }],
  ['BASE_URL on 127.0.0.1', { host: '127.0.0.1', contentUrl: '' }],
])('with %s every page stays in the sandbox, and publishing says so', async (_name, settings) => {
  const site = await startOrigins(settings)
  const page = await site.publish(BUILT_SITE)
  await expectSandbox(site, `${page.url}/docs/intro.html`, CHROMIUM)
  const { headers } = await ask(site, `http://${'a'.repeat(26)}.localhost:${site.port}/`, CHROMIUM)
  expect(headers.get('origin-agent-cluster')).toBeNull()
  const answer = await fetch(`${site.base}/api/v1/pages/${page.id}/publish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key}` },
  })
  const { warnings } = (await answer.json()) as { warnings: { code: string; message: string }[] }
  const root = warnings.find(({ code }) => code === 'root_address')
  expect(root?.message).toContain('where this page does not stand')
})
