/**
 * A service worker of a page whose panel of comments stands beside it: its document is in a frame
 * then, and browsers keep what it stores apart.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { becomes } from './browser.ts'
import { base64 } from './material.ts'
import { type OriginSite, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'

const WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  event.respondWith(pathname === '/answer' ? new Response('of the worker') : fetch(event.request))
})`
const PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>Worker</title>
<p id="worker">none</p><script>
const shown = document.querySelector('#worker')
navigator.serviceWorker.register('/sw.js').then(
  async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller) {
      await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done))
    }
    const texts = ['/answer', '/data.txt'].map(async (path) => (await fetch(path)).text())
    shown.textContent = (await Promise.all(texts)).join(', ')
  },
  (err) => { shown.textContent = err.name },
)
</script>`

/** As builds of apps have it: it answers every navigation with the document that it has stored. */
const STORING = `addEventListener('install', (event) => {
  event.waitUntil(caches.open('app').then((cache) => cache.add('/index.html')).then(skipWaiting))
})
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(caches.match('/index.html'))
})`
const APP = `<!doctype html><meta name="viewport" content="width=device-width"><title>App</title>
<p id="worker">none</p><script>
const by = navigator.serviceWorker.controller ? 'stored' : 'sent'
navigator.serviceWorker.register('/sw.js')
navigator.serviceWorker.ready.then(() => {
  document.querySelector('#worker').textContent = by + ' at ' + location.pathname
})
</script>`

const profile = mkdtempSync(join(tmpdir(), 'handbill-profile-'))
let site: OriginSite
/** A browser as people have it: a profile on the disk, and no private window. */
let people: BrowserContext
beforeAll(async () => {
  site = await startOrigins()
  mkdirSync(join(profile, 'Default'))
  // As Chrome has it by default. Debian's Chromium blocks what frames of other sites store.
  const preferences = { profile: { cookie_controls_mode: 0 } }
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(preferences))
  people = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
}, 240_000)
afterAll(async () => {
  await people?.close()
  rmSync(profile, { recursive: true, force: true })
  await cleanUp()
})

async function publish(html: string, worker: string, allow_comments: boolean) {
  const answer = await fetch(`${site.base}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      files: [{ path: 'index.html', html }],
      assets: [
        { path: 'sw.js', data_base64: base64(worker) },
        { path: 'data.txt', data_base64: base64('of the server') },
      ],
      allow_comments,
    }),
  })
  const { data, warnings } = (await answer.json()) as { data: { url: string }; warnings: object[] }
  return { url: data.url, warnings }
}

const ownHost = /^http:\/\/[a-z2-7]{26}\.localhost:/
async function shownIn(tab: Page) {
  const frame = tab.frames().find((each) => ownHost.test(each.url()))
  return frame?.textContent('#worker', { timeout: 5000 }).catch(() => null)
}

test('answers in a normal profile with and without the panel, and again after a reload', async () => {
  for (const allow_comments of [false, true]) {
    const { url, warnings } = await publish(PAGE, WORKER, allow_comments)
    expect(warnings).toEqual([])
    const tab = await people.newPage()
    await tab.goto(url)
    expect(ownHost.test(tab.url())).toBe(!allow_comments)
    if (allow_comments) await tab.getByRole('button', { name: 'Comments' }).waitFor()
    const visible = () => shownIn(tab)
    await becomes(visible, 'of the worker, of the server')
    await tab.reload()
    await becomes(visible, 'of the worker, of the server')
    await tab.close()
  }
}, 240_000)

test('may answer with what it has stored, beside the panel too, at each address and by the link', async () => {
  for (const allow_comments of [false, true]) {
    const { url } = await publish(APP, STORING, allow_comments)
    const tab = await people.newPage()
    await tab.goto(url)
    await becomes(() => shownIn(tab), 'sent at /')
    await tab.reload()
    await becomes(() => shownIn(tab), 'stored at /')
    const root = allow_comments ? url : new URL(tab.url()).origin
    await tab.goto(`${root}/docs?a=1#b`)
    await becomes(() => shownIn(tab), 'stored at /docs')
    expect(tab.url()).toBe(`${root}/docs?a=1#b`)
    await tab.goto(`${url}/team?c=2`)
    await becomes(() => shownIn(tab), 'stored at /team')
    expect(tab.url()).toBe(`${root}/team?c=2`)
    await tab.close()
  }
}, 240_000)
