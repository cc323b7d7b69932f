import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed, newWindow } from './browser.ts'
import { base64, word } from './material.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'
import { testBrowser } from './test-browser.ts'

setDefaultTimeout(60_000)

/** A server that gives each page its own origin, and the key of an account there. */
const browser = testBrowser()
let base = ''
let port = ''
let key = ''
beforeAll(async () => {
  const env = freshEnvironment()
  port = env.PORT!
  base = `http://localhost:${port}`
  await start({ ...env, BASE_URL: base, CONTENT_URL: `http://{page}.localhost:${port}` })
  key = await newKey({ ...env, BASE_URL: base }, 'pro')
})
afterAll(cleanUp)

async function publish(fields: object) {
  const answer = await fetch(`${base}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  const { data } = (await answer.json()) as { data: { id: string; url: string; slug: string } }
  return data
}

const STORING = `<title>Own</title><p id=count></p><script>
localStorage.count = Number(localStorage.count ?? 0) + 1
count.textContent = localStorage.count
</script>`

test('a page on its own origin has storage and workers, and finds its data after a reload', async () => {
  const page = await publish({
    files: [
      { path: 'index.html', html: `${STORING}<a id=next href="/two.html">two</a>` },
      { path: 'two.html', html: '<title>Two</title><p id=two>two</p>' },
    ],
    assets: [{ path: 'w.js', data_base64: base64('postMessage("works")') }],
  })
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  const frame = await framed(tab, '#count')
  expect(new URL(frame.url()).hostname).toMatch(/^[a-z2-7]{26}\.localhost$/)
  const native = await frame.evaluate(async () => ({
    origin: self.origin === location.origin,
    worker: await new Promise((done) => {
      const worker = new Worker('w.js')
      worker.onmessage = ({ data }) => done(data)
      worker.onerror = ({ message }) => done(`failed ${message}`)
    }),
    root: await fetch('/w.js').then((answer) => answer.status),
    api: await fetch('/api/v1/pages').then((answer) => answer.status),
    registered: await navigator.serviceWorker.register('w.js').then(
      () => true,
      () => false,
    ),
  }))
  expect(native).toEqual({
    origin: true,
    worker: 'works',
    root: 200,
    api: 404,
    registered: false,
  })
  await tab.reload()
  await becomes(async () => (await framed(tab, '#count')).textContent('#count'), '2')
  expect(problems.filter((text) => !/404|403/.test(text))).toEqual([])
  await (await framed(tab, '#next')).click('#next')
  await framed(tab, '#two')
  await becomes(() => tab.url(), `${page.url}/two.html`)
  await tab.goBack()
  await framed(tab, '#count')
  await becomes(() => tab.url(), `${page.url}/index.html`)
})

test('a page’s own host serves its admitted files and nothing else', async () => {
  const words = word('own')
  const page = await publish({ html: `<p id=own>${words}</p>`, allow_comments: true })
  const other = await publish({ html: '<p id=own>other</p>', allow_comments: true })
  const { tab } = await newWindow(browser())
  await tab.goto(page.url)
  const address = new URL((await framed(tab, '#own')).url())
  await tab.goto(other.url)
  const elsewhere = new URL((await framed(tab, '#own')).url())
  const ask = async (url: URL | string, path = '', headers = {}, method = 'GET') => {
    const { host, pathname } = new URL(url)
    return fetch(`http://127.0.0.1:${port}${path || pathname}`, {
      method,
      headers: { ...headers, host },
      redirect: 'manual',
    })
  }
  const whole = await ask(address)
  expect(await whole.text()).toContain(words)
  const policy = whole.headers.get('content-security-policy')
  expect(policy).toContain(`frame-ancestors 'self' ${base}`)
  expect(policy).not.toContain('allow-top-navigation')
  const paths = ['/', '/app', '/app/sign-in', '/api/v1/pages', '/docs', '/openapi.json', '/healthz']
  for (const path of [...paths, `/p/${page.slug}`, elsewhere.pathname, '/~/manifest.json']) {
    const answer = await ask(address, path)
    expect(answer.status, path).toBe(404)
    expect(answer.headers.get('set-cookie'), path).toBeNull()
    expect(await answer.text()).toBe('Nothing is served here.\n')
  }
  for (const path of ['/~/responses', '/mcp', '/api/v1/pages']) {
    const answer = await ask(address, path, { authorization: `Bearer ${key}` }, 'POST')
    expect([answer.status, await answer.text()], path).toEqual([405, 'Nothing is served here.\n'])
  }
  expect((await ask(`http://unknown.localhost:${port}`, address.pathname)).status).toBe(404)
  expect((await ask(address, '', { 'service-worker': 'script' })).status).toBe(404)
  const document = await ask(address, '', { 'sec-fetch-dest': 'document' })
  expect([document.status, document.headers.get('location')]).toEqual([307, page.url])
})

test('a page on its own origin cannot show another address of the service', async () => {
  const page = await publish({ html: '<title>Plain</title><p id=plain>plain</p>' })
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  const frame = await framed(tab, '#plain')
  const pushed = await frame.evaluate((app) => {
    history.pushState(null, '', '/app/sign-in')
    try {
      history.pushState(null, '', app)
    } catch (error) {
      return (error as Error).name
    }
  }, `${base}/app/sign-in`)
  expect(pushed).toBe('SecurityError')
  await becomes(() => tab.url(), `${page.url}/app/sign-in`)
  expect(problems).toEqual([])
})

test('a form on its own origin is collected through the shell', async () => {
  const html = '<form data-service><input name=name value=Ann><button>Send</button></form>'
  const page = await publish({ html })
  const { tab } = await newWindow(browser())
  await tab.goto(page.url)
  const frame = await framed(tab, 'form')
  await frame.click('button')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'sent')
  const seen = await frame.evaluate(() => document.documentElement.outerHTML + document.cookie)
  expect(seen).not.toContain('data-token')
  const token = await tab.getAttribute('body', 'data-token')
  expect(token).toMatch(/^pg_/)
  expect(seen).not.toContain(token!)
})
