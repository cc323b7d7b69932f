/** Pages on hosts of their own, in Chromium. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed, newWindow } from './browser.ts'
import { base64, word } from './material.ts'
import { BUILT_SITE, type OriginSite, shows, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'
import { testBrowser } from './test-browser.ts'

setDefaultTimeout(240_000)

let site: OriginSite
const browser = testBrowser()
/** Service workers and permissions differ without windows. */
const withWindows = testBrowser({ withWindows: true })
beforeAll(async () => {
  site = await startOrigins()
})
afterAll(cleanUp)

const OWN_HOST = /^[a-z2-7]{26}\.localhost$/
const asset = (path: string, text: string) => ({ path, data_base64: base64(text) })
/** A page with a script has a host of its own. */
const RUNS = '<script>self.runs = true</script>'
const hostOf = (tab: Tab) => new URL(tab.url()).hostname

test('a built site works at the root of its host as it is', async () => {
  const page = await site.publish({ ...BUILT_SITE, title: word('built') })
  const { tab, problems } = await newWindow(browser())
  const failed: string[] = []
  tab.on('response', (answer) => answer.status() >= 400 && failed.push(answer.url()))
  await tab.goto(`${page.url}?from=mail#top`)
  expect(hostOf(tab)).toMatch(OWN_HOST)
  const { origin, search, hash } = new URL(tab.url())
  expect([search, hash]).toEqual(['?from=mail', '#top'])
  await shows((text) => tab.evaluate(text), '/')
  await tab.click('#team')
  await shows((text) => tab.evaluate(text), '/team')
  await tab.reload()
  await shows((text) => tab.evaluate(text), '/team')
  await becomes(() => tab.textContent('#count'), '2')
  await tab.click('#docs')
  await tab.waitForSelector('#intro')
  expect(tab.url()).toBe(`${origin}/docs/intro`)
  await becomes(() => tab.evaluate(`document.querySelector('#image').naturalWidth > 0`), true)
  await tab.click('#home')
  await shows((text) => tab.evaluate(text), '/')
  await tab.goBack()
  await tab.waitForSelector('#intro')
  await tab.goto(`${origin}/team`)
  await shows((text) => tab.evaluate(text), '/team')
  expect([problems, failed]).toEqual([[], []])
  const { views } = await site.call<{ views: number }>('GET', `/pages/${page.id}`)
  expect(views).toBe(1)
})

test('an address on the host leads through the gate and back to itself', async () => {
  const words = word('own')
  const page = await site.publish({
    ...BUILT_SITE,
    title: words,
    access: 'password',
    password: 'open sesame',
  })
  const knower = await newWindow(browser())
  await knower.tab.goto(page.url)
  await knower.tab.fill('input[name=password]', 'open sesame')
  await knower.tab.click('button')
  await shows((text) => knower.tab.evaluate(text), '/')
  const { origin } = new URL(knower.tab.url())
  const stranger = await newWindow(browser())
  await stranger.tab.goto(`${origin}/docs/intro#part`)
  expect(stranger.tab.url()).toBe(`${page.url}/docs/intro#part`)
  await stranger.tab.fill('input[name=password]', 'open sesame')
  await stranger.tab.click('button')
  await stranger.tab.waitForSelector('#intro')
  expect(stranger.tab.url()).toBe(`${origin}/docs/intro#part`)
  // A fragment for our panel is none of the page's.
  const reader = await newWindow(browser())
  await reader.tab.goto(`${page.url}/docs/intro#~comments/cmt_1`)
  await reader.tab.fill('input[name=password]', 'open sesame')
  await reader.tab.click('button')
  await reader.tab.waitForSelector('#intro')
  expect(reader.tab.url()).toBe(`${origin}/docs/intro`)
})

test('a page with comments works at the root of its host, in our document', async () => {
  // With a view limit, a frame gets each document at an address of its own.
  for (const limit of [{}, { max_views: 50 }]) {
    const talk = { title: word('talk'), allow_comments: true, ...limit }
    const page = await site.publish({ ...BUILT_SITE, ...talk })
    const { tab, problems } = await newWindow(browser())
    await tab.goto(page.url)
    const frame = await framed(tab, '#team')
    expect(new URL(frame.url()).hostname).toMatch(OWN_HOST)
    await shows((text) => frame.evaluate(text), '/')
    expect(tab.url()).toBe(page.url)
    await frame.click('#team')
    await shows((text) => frame.evaluate(text), '/team')
    await becomes(() => tab.url(), `${page.url}/team`)
    await tab.reload()
    const again = await framed(tab, '#team')
    await shows((text) => again.evaluate(text), '/team')
    await becomes(() => again.textContent('#count'), '2')
    await again.click('#docs')
    await (await framed(tab, '#intro')).click('#home')
    await framed(tab, '#team')
    await becomes(() => tab.url(), page.url)
    expect(problems).toEqual([])
    const seen = await tab.content()
    expect(await (await framed(tab, '#team')).content()).not.toContain('data-token')
    expect(seen).toContain('<iframe')
  }
})

test('a page with comments on its own host keeps the cookies that its script sets', async () => {
  const html = `<title>T</title><p id=cookies></p><script>
const times = Number(/times=(\\d+)/.exec(document.cookie)?.[1] ?? 0) + 1
document.cookie = 'times=' + times + '; max-age=3600; path=/; SameSite=Lax'
document.cookie = 'gone=1; expires=Thu, 01 Jan 1970 00:00:00 GMT'
cookies.textContent = document.cookie</script>`
  const page = await site.publish({ title: word('cookies'), html, allow_comments: true })
  const { tab } = await newWindow(browser())
  for (const times of ['times=1', 'times=2']) {
    await tab.goto(page.url)
    const frame = await framed(tab, '#cookies')
    await becomes(() => frame.textContent('#cookies'), times)
    expect(new URL(frame.url()).hostname).toMatch(OWN_HOST)
    await Bun.sleep(200)
  }
})

test('pages on hosts of their own cannot reach each other, nor the app', async () => {
  const secret = word('secret')
  const victim = await site.publish({
    title: word('victim'),
    files: [{ path: 'index.html', html: `<title>v</title><p id=v>${secret}</p>${RUNS}` }],
    assets: [asset('data.json', JSON.stringify(secret)), asset('data.js', `x = '${secret}'`)],
  })
  const page = await site.publish({ html: `<title>Hostile</title><p id=h>h</p>${RUNS}` })
  const { tab } = await newWindow(browser())
  await tab.goto(victim.url)
  const victimOrigin = new URL(tab.url()).origin
  await tab.evaluate(`localStorage.mine = '${secret}'; document.cookie = 'theirs=1'`)
  const own = await tab.context().cookies(victimOrigin)
  expect(own.find(({ name }) => name === 'handbill_own')).toMatchObject({
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
  })
  await tab.goto(page.url)
  expect(hostOf(tab)).not.toBe(new URL(victimOrigin).hostname)
  const reached = await tab.evaluate(
    async ({ victimOrigin, base, url }) => {
      const read = (address: string, init: RequestInit) =>
        fetch(address, init).then(
          (answer) => answer.text(),
          () => 'blocked',
        )
      const load = (tag: 'img' | 'script' | 'iframe', src: string) =>
        new Promise<string>((done) => {
          const element = Object.assign(document.createElement(tag), { src })
          element.onload = () => done(`loaded ${(window as { x?: string }).x ?? ''}`)
          element.onerror = () => done('blocked')
          document.body.append(element)
        })
      const credentials = 'include' as const
      Object.assign(document, { cookie: 'handbill_own=v1.tossed.a.b; domain=localhost' })
      const opened = window.open(victimOrigin)
      for (let i = 0; i < 250 && opened?.closed === false; i++) {
        await new Promise((done) => setTimeout(done, 20))
      }
      return {
        fetched: await read(`${victimOrigin}/data.json`, { credentials }),
        opaque: await read(`${victimOrigin}/data.json`, { credentials, mode: 'no-cors' }),
        script: await load('script', `${victimOrigin}/data.js`),
        api: await read(`${base}/app/api/account`, { credentials }),
        address: await read(url, { credentials }),
        opened: opened !== null && !opened.closed,
        stored: [localStorage.mine ?? null, document.cookie],
      }
    },
    { victimOrigin, base: site.base, url: victim.url },
  )
  expect(JSON.stringify(reached)).not.toContain(secret)
  expect(reached).toMatchObject({
    ...{ fetched: 'blocked', script: 'blocked', api: 'blocked', opened: false },
  })
  expect(reached.stored[0]).toBeNull()
  const framedBy = await tab.evaluate(async (src) => {
    const frame = Object.assign(document.createElement('iframe'), { src })
    document.body.append(frame)
    await new Promise((done) => frame.addEventListener('load', done, { once: true }))
    try {
      return frame.contentDocument?.body.textContent ?? 'no access'
    } catch {
      return 'no access'
    }
  }, victimOrigin)
  expect(framedBy).not.toContain(secret)
  await tab.goto(`${victimOrigin}/`)
  await tab.waitForSelector('#v')
  await tab.evaluate(() => {
    history.pushState(null, '', '/app/sign-in')
  })
  expect(hostOf(tab)).toBe(new URL(victimOrigin).hostname)
  const pushed = await tab.evaluate((app) => {
    try {
      history.pushState(null, '', app)
      return 'pushed'
    } catch (error) {
      return (error as Error).name
    }
  }, `${site.base}/app/sign-in`)
  expect(pushed).toBe('SecurityError')
})

const OFFLINE = `addEventListener('install', (event) => event.waitUntil((async () => {
  const cache = await caches.open('all')
  await cache.addAll(['/', '/data.json'])
  await skipWaiting()
})()))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith((async () =>
  (await caches.match(event.request)) ?? fetch(event.request))()))`

test('a service worker answers while the page is open, and ends with its access', async () => {
  const words = word('offline')
  const page = await site.publish({
    title: words,
    files: [{ path: 'index.html', html: `<title>Off</title><p id=words>${words}</p>${RUNS}` }],
    assets: [asset('sw.js', OFFLINE), asset('data.json', '{}')],
  })
  const { tab } = await newWindow(withWindows())
  await tab.goto(page.url)
  const { origin } = new URL(tab.url())
  await tab.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
    localStorage.kept = '1'
  })
  await becomes(() => tab.evaluate(`navigator.serviceWorker.controller !== null`), true)
  await tab.reload()
  expect(await tab.textContent('#words')).toBe(words)
  await site.call('DELETE', `/pages/${page.id}/publish`)
  // The worker answers from its cache once more. What this browser asks the server meanwhile, by
  // itself, is refused, and the worker goes with the answer.
  await tab.goto(`${origin}/`)
  const workers = 'navigator.serviceWorker.getRegistrations().then((all) => all.length)'
  await becomes(() => tab.evaluate(workers).catch(() => null), 0)
  await tab.goto(`${origin}/`)
  expect(tab.url()).toBe(page.url)
  expect(await tab.content()).not.toContain(words)
  await site.call('POST', `/pages/${page.id}/publish`)
  await tab.goto(page.url)
  await tab.waitForSelector('#words')
  const left = await tab.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: await caches.keys(),
    kept: localStorage.kept ?? null,
  }))
  expect(left).toEqual({ workers: 0, caches: [], kept: null })
})

test('a form on its own host is collected, for the browser that opened the page', async () => {
  const html = '<form data-service><input name=name value=Ann><button>Send</button></form>'
  const page = await site.publish({ html: html + RUNS })
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  expect(hostOf(tab)).toMatch(OWN_HOST)
  for (const name of ['Ann', 'Bob']) {
    await tab.fill('[name=name]', name)
    await tab.click('button')
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    await tab.reload()
  }
  const { responses } = await site.call<{ responses: unknown[] }>(
    'GET',
    `/pages/${page.id}/responses`,
  )
  expect(responses).toHaveLength(1)
  expect(problems).toEqual([])
})

test('a window that the page opens and a frame inside it work with it', async () => {
  const page = await site.publish({
    title: word('speaker'),
    files: [
      {
        path: 'index.html',
        html: `<title>Deck</title><button onclick="w = window.open('/notes')">Notes</button>
<iframe src="/inner.html"></iframe><p id=said></p>
<script>addEventListener('message', ({ data }) => { said.textContent += data })</script>`,
      },
      {
        path: 'notes.html',
        html: `<title>Notes</title><p id=notes>n</p><script>opener.postMessage('notes ', '*')</script>`,
      },
      {
        path: 'inner.html',
        html: `<title>In</title><script>parent.postMessage(parent.document.title + ' ', '*')</script>`,
      },
    ],
  })
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  await becomes(() => tab.textContent('#said'), 'Deck ')
  const [notes] = await Promise.all([tab.waitForEvent('popup'), tab.click('button')])
  await notes.waitForSelector('#notes')
  await becomes(() => tab.textContent('#said'), 'Deck notes ')
  expect(problems).toEqual([])
})

const MAY_ASK = `['geolocation', 'clipboard-read'].map((name) =>
  document.featurePolicy.allowsFeature(name))`

test('a page may ask for a permission as a window on its own host alone', async () => {
  const html = '<title>Asks</title><p id=asks>a</p><script>localStorage.a = 1</script>'
  const alone = await site.publish({ title: word('alone'), html })
  const inShell = await site.publish({ title: word('shell'), html, allow_comments: true })
  const { tab } = await newWindow(withWindows())
  await tab.goto(alone.url)
  expect(hostOf(tab)).toMatch(OWN_HOST)
  expect(await tab.evaluate(MAY_ASK)).toEqual([true, true])
  await tab.goto(inShell.url)
  expect(await (await framed(tab, '#asks')).evaluate(MAY_ASK)).toEqual([false, false])
})

test('comments are marked at every address of the file that they are on', async () => {
  const words = (text: string) => `<!doctype html><title>T</title><p>${text}</p>${RUNS}`
  const files = [
    { path: 'index.html', html: words('It begins in May.') },
    { path: 'über.html', html: words('Written by Ann Li.') },
  ]
  const page = await site.publish({ files, allow_comments: true })
  const comment = (path: string, quote: string) =>
    site.call('POST', `/pages/${page.id}/comments`, {
      ...{ path, body: 'Why?', anchor: { quote, prefix: '', suffix: '' } },
    })
  await comment('index.html', 'It begins in May.')
  await comment('über.html', 'by Ann Li')
  const { tab } = await newWindow(browser())
  const marked = async () =>
    (await framed(tab)).evaluate(`[...CSS.highlights.get('handbill-comments')].join()`)
  for (const [path, quote] of [
    ['', 'It begins in May.'],
    ['/index.html', 'It begins in May.'],
    ['/%C3%BCber', 'by Ann Li'],
    ['/%C3%BCber.html', 'by Ann Li'],
  ]) {
    await tab.goto(page.url + path)
    await becomes(() => marked().catch(String), quote)
  }
})
