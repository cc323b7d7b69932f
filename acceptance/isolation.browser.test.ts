import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Request } from 'playwright-core'
import { becomes, framed, launch, newWindow } from './browser.ts'
import { type Page, pro, send, team } from './client.ts'
import { base64, word } from './material.ts'
import { server } from './server.ts'

setDefaultTimeout(60_000)

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => browser.close())

const SESSION = 'a'.repeat(43)
const PASSWORD = 'open sesame'

/** A page of the victim's, and a browser that has unlocked it and is signed in to the app. */
async function unlocked() {
  const secret = word('secret')
  const html = `<title>${secret}</title><p id=secret>${secret}</p><img src="x.png">`
  const page = await pro.publish({ html, access: 'password', password: PASSWORD })
  const window = await newWindow(browser)
  const { tab } = window
  const context = tab.context()
  const at = { url: server.url, httpOnly: true, sameSite: 'Lax' as const }
  await context.addCookies([{ ...at, name: 'handbill_session', value: SESSION }])
  await tab.goto(page.url)
  await tab.fill('input[name=password]', PASSWORD)
  await tab.click('button')
  const frame = await framed(tab, '#secret')
  return { ...window, context, page, secret, frame }
}

/** Everything a page may try, each with what came of it as text. */
const ATTACKS = `
const seen = (look) => { try { return String(look()) } catch { return 'refused' } }
const text = (url, init) =>
  fetch(url, { credentials: 'include', ...init }).then((r) => r.text())
const tries = {
  popup: (b) => new Promise((done) => {
    const w = window.open(b)
    if (w === null) return done('no window')
    const all = new Set()
    const timer = setInterval(() => {
      all.add('frames ' + w.length).add('closed ' + w.closed)
      all.add(seen(() => w.location.href)).add(seen(() => w.document.body.textContent))
      w.postMessage({ handbill: 'guess' }, '*')
    }, 100)
    setTimeout(() => { clearInterval(timer); done([...all].join(', ')) }, 1500)
  }),
  cookie: () => document.cookie,
  fetch: (b) => text(b),
  fetch_cached: (b) => text(b, { cache: 'force-cache' }),
  fetch_only_cached: (b) => text(b, { cache: 'only-if-cached', mode: 'same-origin' }),
  fetch_as_document: (b) => text(b, { headers: { accept: 'text/html' } }),
  etag: (b) => text(b, { method: 'HEAD', headers: { 'if-none-match': '"x"' } }),
  app: () => text('/app'),
  api: () => text('/api/v1/pages'),
  api_post: () => text('/api/v1/pages', { method: 'POST', body: '{"html":"x"}' }),
  worker: (b) => navigator.serviceWorker.register('sw.js').then(() => 'registered'),
  cache_storage: () => caches.keys().then((k) => 'keys ' + k),
  iframe: (b) => new Promise((done) => {
    const frame = document.createElement('iframe')
    frame.onload = () => done(seen(() => frame.contentDocument.body.textContent))
    frame.src = b
    document.body.append(frame)
    setTimeout(() => done('nothing came'), 1500)
  }),
  prefetch: (b) => new Promise((done) => {
    const link = document.createElement('link')
    link.rel = 'prefetch'; link.href = b
    link.onload = () => done('loaded'); link.onerror = () => done('failed')
    document.head.append(link)
    setTimeout(() => done('nothing came'), 1000)
  }),
  form: () => {
    const form = document.createElement('form')
    form.method = 'post'; form.action = '/api/v1/pages'
    form.target = '_blank'; form.enctype = 'text/plain'
    form.innerHTML = '<input name=\\'{"html":"forged","x":"\\' value=\\'"}\\'>'
    document.body.append(form)
    form.submit()
    return 'sent'
  },
  parent: () => parent === window ? 'none' : seen(() => parent.document.body.textContent),
  opener: () => String(window.opener),
  top: () => top === window ? 'none' : seen(() => { top.location = '/app' }),
  push: () => { history.pushState(null, '', '/app/sign-in'); return 'tried' },
}
window.attack = async (b) => {
  const results = {}
  for (const name of Object.keys(tries)) {
    try { results[name] = String(await tries[name](b)) } catch (error) { results[name] = 'threw ' + error.name }
  }
  window.results = results
}
`
const HOSTILE = `<!doctype html><title>Nice</title><body><button id=nice>nice</button><script>${ATTACKS}
nice.onclick = () => attack(window.target)</script>`

type Attacked = typeof window & { results?: Record<string, string> }

/** Cookies that went with requests which are not the opening of a window by the browser itself. */
function cookiesSent(context: BrowserContext) {
  const sent: Promise<string>[] = []
  context.on('request', (request: Request) => {
    const about = async () => {
      const headers = await request.allHeaders().catch(() => ({}) as Record<string, string>)
      const is_opening = headers['sec-fetch-dest'] === 'document' && request.method() === 'GET'
      const is_shell = headers['sec-fetch-site'] === 'same-origin'
      if (is_opening || is_shell || !headers.cookie) return ''
      return `${request.method()} ${request.url()}: ${headers.cookie}`
    }
    sent.push(about())
  })
  return async () => (await Promise.all(sent)).filter((text) => text !== '')
}

async function attackFrom(hostile: Page, is_in_shell: boolean): Promise<void> {
  const victim = await unlocked()
  const { context, page, secret } = victim
  const cookies = cookiesSent(context)
  const pages_before = (await team.list()).data.length
  const tab = await context.newPage()
  await tab.goto(hostile.url)
  const attacker = is_in_shell ? await framed(tab, '#nice') : tab.mainFrame()
  await attacker.evaluate((url) => Object.assign(window, { target: url }), page.url)
  await attacker.click('#nice')
  const read = () => attacker.evaluate(() => (window as Attacked).results)
  await becomes(async () => (await read()) !== undefined, true)
  const results = (await read())!
  expect(Object.keys(results).length).toBeGreaterThan(15)
  for (const [name, text] of Object.entries(results)) {
    expect(text, name).not.toContain(secret)
    expect(text, name).not.toContain(SESSION)
    expect(text, name).not.toContain('/~')
  }
  const refused = ['worker', 'cache_storage', 'fetch', 'fetch_cached', 'fetch_only_cached']
  for (const name of [...refused, 'fetch_as_document', 'etag', 'app', 'api', 'api_post']) {
    expect(results[name], name).toMatch(/^threw/)
  }
  expect(results.popup).toMatch(is_in_shell ? /^no window$/ : /closed true/)
  expect(results.popup).not.toMatch(/frames [1-9]/)
  if (is_in_shell) {
    expect(results.parent).toBe('refused')
    await Bun.sleep(300)
    expect(tab.url(), 'the address stays the page’s').toStartWith(hostile.url)
  }
  for (const opened of context.pages()) {
    if (opened !== victim.tab && opened !== tab) {
      expect(await opened.evaluate(() => window.opener)).toBeNull()
    }
  }
  expect(await cookies()).toEqual([])
  expect((await team.list()).data.length).toBe(pages_before)
  expect(await victim.frame.textContent('#secret'), 'the victim’s own window works').toBe(secret)
}

test('a hostile page in the shell reaches neither the session nor an unlocked page', async () => {
  const hostile = await team.publish({ html: HOSTILE, allow_comments: true })
  await attackFrom(hostile, true)
})

test('a hostile page served directly reaches neither the session nor an unlocked page', async () => {
  // A page that names what it could store would come in the shell.
  const hostile = await team.publish({ html: HOSTILE.replace('document.cookie', '0') })
  await attackFrom(hostile, false)
})

test('a gated page loads nothing of others with its address, nor shows it to them', async () => {
  const seen: (string | null)[] = []
  const elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      seen.push(request.headers.get('referer'))
      return new Response('', { headers: { 'access-control-allow-origin': '*' } })
    },
  })
  const html = `<p id=in>in</p><img src="http://localhost:${elsewhere.port}/a.png">
<script>fetch('http://localhost:${elsewhere.port}/b')</script>`
  const page = await pro.publish({ html, access: 'password', password: PASSWORD })
  const { tab } = await newWindow(browser)
  await tab.goto(page.url)
  await tab.fill('input[name=password]', PASSWORD)
  await tab.click('button')
  await framed(tab, '#in')
  await becomes(() => seen.length, 2)
  for (const referer of seen) expect(referer ?? '').not.toMatch(/\/p\//)
  elsewhere.stop(true)
})

test('the address of a frame, opened elsewhere, meets the gate', async () => {
  const { frame, page, secret } = await unlocked()
  const address = frame.url()
  expect(address).toContain(`/p/${page.slug}/~`)
  const { tab } = await newWindow(browser)
  const answer = await tab.goto(address)
  expect(answer?.status()).toBe(403)
  expect(tab.url()).toBe(page.url)
  expect(await tab.content()).not.toContain(secret)
  await pro.update(page.id, { password: 'another one' })
  const gone = await send(address)
  expect(gone.status).toBeGreaterThanOrEqual(400)
  expect(gone.text).not.toContain(secret)
})

test('a gated deck works whole: styles, fonts, modules, data, frames and links from the root', async () => {
  const woff2 = readFileSync(fontFile())
  const index = `<!doctype html><html><head><title>Deck</title>
<link rel=stylesheet href="css/deck.css"></head><body>
<p id=styled>styled</p><p id=data></p><p id=module></p><p id=stored></p>
<a id=root href="/team.html">team</a><iframe src="parts/inner.html"></iframe>
<script type=module src="js/main.js"></script>
<script>fetch('data.json').then((r) => r.json()).then((d) => { document.querySelector('#data').textContent = d.n })
document.fonts.load('20px Deck').then((f) => { document.body.dataset.fonts = f.length })
</script></body></html>`
  const page = await pro.publish({
    access: 'password',
    password: PASSWORD,
    files: [
      { path: 'index.html', html: index },
      { path: 'team.html', html: '<title>Team</title><p id=team>team</p>' },
      { path: 'parts/inner.html', html: '<p id=inner>inner</p><img id=i src="../img.svg">' },
    ],
    assets: [
      ['css/deck.css', `@import "more.css";@font-face{font-family:Deck;src:url(../deck.woff2)}`],
      ['css/more.css', '#styled{color:rgb(1, 2, 3)}'],
      [
        'js/main.js',
        `import { n } from './lib/n.js'\ndocument.querySelector('#module').textContent = n`,
      ],
      ['js/lib/n.js', `import { m } from '../m.js'\nexport const n = 'n' + m`],
      ['js/m.js', `export const m = (await import('./late.js')).late`],
      ['js/late.js', `export const late = 'late'`],
      ['data.json', '{"n":"data"}'],
      ['img.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
      ['deck.woff2', woff2],
    ].map(([path, data]) => ({ path, data_base64: base64(data!) })),
  })
  const { tab, problems } = await newWindow(browser)
  await tab.goto(page.url)
  await tab.fill('input[name=password]', PASSWORD)
  problems.length = 0
  await tab.click('button')
  const frame = await framed(tab, '#styled')
  await becomes(() => frame.textContent('#module'), 'nlate')
  await becomes(() => frame.textContent('#data'), 'data')
  await becomes(() => frame.getAttribute('body', 'data-fonts'), '1')
  const color = (id: string) => getComputedStyle(document.querySelector(id)!).color
  expect(await frame.evaluate(color, '#styled')).toBe('rgb(1, 2, 3)')
  const inner = tab.frames().find((child) => child.parentFrame() === frame)!
  expect(await inner.textContent('#inner')).toBe('inner')
  expect(await inner.evaluate(() => (document.images[0] as HTMLImageElement).naturalWidth)).toBe(9)
  await frame.click('#root')
  await becomes(() => tab.url(), `${new URL(page.url).origin}/p/${page.slug}/team.html`)
  await framed(tab, '#team')
  expect(problems).toEqual([])
  expect((await pro.page(page.id)).views).toBe(1)
})

function fontFile(): string {
  const folder = join(import.meta.dir, '../node_modules/@fontsource-variable/newsreader/files')
  return join(folder, 'newsreader-latin-wght-normal.woff2')
}
