import { describe, expect, it } from 'bun:test'
import type { PublishedPage } from '../../features/pages/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import { BASE_URL, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import {
  expectContentHeaders,
  expectOwnHeaders,
  expectOwnHostAnswer,
  expectOwnHostContent,
  expectOwnHostHeaders,
  type Policy,
} from '../../testing/isolation.ts'
import { base64, fileOf, SVG } from '../../testing/material.ts'
import { askHost, CONTENT_URL, enter, WINDOW } from '../../testing/own-host.ts'
import type { Owner } from '../../testing/people.ts'
import { BROWSER, framePathIn } from '../../testing/visitor.ts'
import { ownHostHeaders } from './request/content-headers.ts'

const WORDS = 'the-words-of-the-content'
const TITLE = 'The Secret Title'
const HTML = `<!doctype html><title>${TITLE}</title><p>${WORDS}<script></script>`

/** Files of many types, with the policy and type of each, and its type on the page's own host. */
const DECK: [path: string, policy: 'sandbox' | 'svg' | 'file', mime: string, own?: string][] = [
  ['index.html', 'sandbox', 'text/html; charset=utf-8'],
  ['about/index.html', 'sandbox', 'text/html; charset=utf-8'],
  ['old.htm', 'sandbox', 'text/html; charset=utf-8'],
  ['a/style.css', 'sandbox', 'text/css; charset=utf-8'],
  ['a/code.js', 'sandbox', 'text/javascript; charset=utf-8'],
  ['a/module.mjs', 'sandbox', 'text/javascript; charset=utf-8'],
  ['a/data.json', 'sandbox', 'application/json; charset=utf-8'],
  ['a/font.woff', 'sandbox', 'font/woff'],
  ['a/font.woff2', 'sandbox', 'font/woff2'],
  ['a/font.ttf', 'sandbox', 'font/ttf'],
  ['a/font.otf', 'sandbox', 'font/otf'],
  ['a/drawing.svg', 'svg', 'image/svg+xml; charset=utf-8'],
  ['a/image.png', 'file', 'image/png'],
  ['a/image.jpg', 'file', 'image/jpeg'],
  ['a/image.gif', 'file', 'image/gif'],
  ['a/image.webp', 'file', 'image/webp'],
  ['a/icon.ico', 'file', 'image/x-icon'],
  ['a/image.avif', 'file', 'image/avif'],
  ['a/paper.pdf', 'file', 'application/pdf'],
  ['a/notes.txt', 'sandbox', 'text/plain; charset=utf-8'],
  ['a/notes.md', 'sandbox', 'text/plain; charset=utf-8'],
  ['a/feed.xml', 'sandbox', 'text/plain; charset=utf-8', 'application/xml; charset=utf-8'],
  ['a/b.xhtml', 'sandbox', 'text/plain; charset=utf-8', 'application/xhtml+xml; charset=utf-8'],
  ['a/data.csv', 'sandbox', 'text/csv; charset=utf-8'],
  ['a/map.geojson', 'sandbox', 'application/geo+json; charset=utf-8'],
  ['a/code.js.map', 'sandbox', 'application/json; charset=utf-8'],
  ['a/app.webmanifest', 'sandbox', 'application/manifest+json; charset=utf-8'],
  ['a/code.wasm', 'sandbox', 'application/wasm'],
  ['a/film.mp4', 'sandbox', 'video/mp4'],
  ['a/film.webm', 'sandbox', 'video/webm'],
  ['a/sound.mp3', 'sandbox', 'audio/mpeg'],
  ['a/sound.wav', 'sandbox', 'audio/wav'],
  ['a/grüße & ~50%.png', 'file', 'image/png'],
  ['~ann/data.sqlite', 'sandbox', 'application/octet-stream'],
]

function bytesFor(path: string): string | Uint8Array {
  const type = path.split('.').at(-1) as 'png'
  if (/\.(?:\w*json|map|webmanifest)$/.test(path)) return '{}'
  if (/\.x(?:ht)?ml$/.test(path))
    return `<html xmlns="http://www.w3.org/1999/xhtml">${WORDS}</html>`
  if (/\.(?:css|js|mjs|txt|md|csv|sqlite)$/.test(path)) return '/* */'
  return path.endsWith('.svg') ? SVG : fileOf(type)
}
function publishDeck(owner: Owner, settings = {}): Promise<PageObject> {
  const isHtml = (path: string) => /\.html?$/.test(path)
  const paths = DECK.map(([path]) => path)
  const files = paths.filter(isHtml).map((path) => ({ path, html: HTML }))
  const assets = paths
    .filter((path) => !isHtml(path))
    .map((path) => ({ path, data_base64: base64(bytesFor(path)) }))
  return owner.publish({ files, assets, ...settings })
}
const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Requests a file in every way that programs and browsers do, and checks each response. */
async function walkFile(app: TestApp, path: string, policy: Policy, mime: string, cookie = {}) {
  const whole = await app.open(path, cookie)
  expect([path, whole.status, whole.headers.get('content-type')]).toEqual([path, 200, mime])
  const etag = whole.headers.get('etag')!
  const isHtml = mime.startsWith('text/html')
  const part = isHtml ? 200 : 206
  const requests: [status: number, headers: Record<string, string>, method?: string][] = [
    [200, {}, 'HEAD'],
    [304, { 'if-none-match': etag }],
    [304, { 'if-none-match': `"x", W/${etag}` }, 'HEAD'],
    [part, { range: 'bytes=0-1' }],
    [part, { range: 'bytes=1-' }],
    [part, { range: 'bytes=-1' }],
    [part, { range: 'bytes=0-0', 'if-range': etag }],
    [200, { range: 'bytes=0-0', 'if-range': '"another"' }],
    [200, { range: 'bytes=0-0,1-1' }],
    [isHtml ? 200 : 416, { range: 'bytes=99999999-' }],
    [200, { origin: 'https://evil.example' }],
    [200, { origin: 'null', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    [200, { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
    [200, { 'sec-fetch-dest': 'embed' }],
  ]
  expectContentHeaders(whole, policy)
  for (const [status, headers, method = 'GET'] of requests) {
    const answer = await app.open(path, { ...headers, ...cookie }, method)
    expect([path, headers, answer.status]).toEqual([path, headers, status])
    expectContentHeaders(answer, policy)
    if (status === 206) expect(answer.headers.get('content-range')).toMatch(/^bytes \d+-\d+\//)
    if (method === 'HEAD' || status === 304) expect(await answer.text()).toBe('')
  }
}

/** Requests a file of a deck as a link with `download` does. HTML is sent as ever. */
async function walkDownload(app: TestApp, path: string, policy: Policy) {
  const whole = await app.open(path)
  const etag = whole.headers.get('etag')!
  const extension = path.split('.').at(-1)!
  const isHtml = /^html?$/.test(extension)
  const name = `attachment; filename=setup.exe.${extension}`
  for (const [status, headers, method = 'GET'] of [
    [200, {}],
    [200, {}, 'HEAD'],
    [200, { 'accept-encoding': 'br, gzip' }],
    [200, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
    [304, { 'if-none-match': etag }],
    ...(isHtml ? [] : [[206, { range: 'bytes=0-0' }] as const]),
  ] as [number, Record<string, string>, string?][]) {
    const answer = await app.open(`${path}?~download=setup.exe`, headers, method)
    expect([path, headers, answer.status]).toEqual([path, headers, status])
    expectContentHeaders(answer, policy)
    expect(answer.headers.get('content-disposition')).toBe(isHtml ? null : name)
    expect(answer.headers.get('content-type')).toBe(whole.headers.get('content-type'))
  }
  const isUnknown = extension === 'sqlite'
  expect(whole.headers.get('content-disposition')).toBe(isUnknown ? 'attachment' : null)
}

async function expectRedirect(
  app: TestApp,
  from: string,
  to: string,
  cookie = {},
  policy: Policy = 'sandbox',
): Promise<void> {
  for (const method of ['GET', 'HEAD']) {
    const answer = await app.open(from, cookie, method)
    expect([from, answer.status, answer.headers.get('location')]).toEqual([from, 307, to])
    expectContentHeaders(answer, policy)
    expect(await answer.text()).toBe('')
  }
}

for (const engine of ENGINES) {
  describe(`every response with content has the isolation headers on ${engine}`, () => {
    it('a single page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const all = [{}, { og_title: 'Preview' }, { indexed: true }, { allow_comments: true }]
      for (const settings of [...all, { max_views: 1000 }, { expires_at: '2100-01-01T00:00Z' }]) {
        const { slug } = await owner.publish(HTML, { ...settings, title: null })
        await walkFile(app, `/p/${slug}`, 'sandbox', 'text/html; charset=utf-8')
        await expectRedirect(app, `/p/${slug}/`, `/p/${slug}`)
        await expectRedirect(app, `/p/${slug}/?a=1`, `/p/${slug}?a=1`)
        await walkFile(app, `/p/${slug}?x=/~v1.1.1/`, 'sandbox', 'text/html; charset=utf-8')
      }
    })

    it('a deck, whatever the file', async () => {
      await using app = await testApp(engine)
      const { slug } = await publishDeck(await app.owner())
      for (const [path, policy, mime] of DECK) {
        await walkFile(app, `/p/${slug}/${encoded(path)}`, policy, mime)
        await walkDownload(app, `/p/${slug}/${encoded(path)}`, policy)
      }
      await walkFile(app, `/p/${slug}/about/`, 'sandbox', 'text/html; charset=utf-8')
      await expectRedirect(app, `/p/${slug}`, `/p/${slug}/index.html`)
      await expectRedirect(app, `/p/${slug}/?q`, `/p/${slug}/index.html?q`)
      await expectRedirect(app, `/p/${slug}/about`, `/p/${slug}/about/`)
    })

    it('a deck with a view limit or a gate, to an admitted visitor', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const limited = await publishDeck(owner, { max_views: 1, title: 'Limited' })
      const opener = app.visitor()
      await opener.open(`/p/${limited.slug}/index.html`)
      const locked = await publishDeck(owner, { access: 'password', title: 'Locked' })
      const knower = app.visitor()
      await knower.givePassword(`/p/${locked.slug}`, locked.password!)
      const insiders = [
        [limited, opener],
        [locked, knower],
      ] as const
      for (const [{ slug }, visitor] of insiders) {
        for (const [path, policy, mime] of DECK) {
          const at = `/p/${slug}/${encoded(path)}`
          const cookie = { cookie: visitor.cookieFor(at) }
          await walkFile(app, at, policy, mime, cookie)
          expect((await visitor.open(at)).headers.get('cache-control')).toBe('private, no-store')
        }
        await expectRedirect(app, `/p/${slug}`, `/p/${slug}/index.html`, {
          cookie: visitor.cookieFor(`/p/${slug}`),
        })
      }
    })

    it('a page’s files by frame token, and redirects in the frame', async () => {
      await using app = await testApp(engine)
      const deck = await publishDeck(await app.owner(), { allow_comments: true })
      const base = await framePathIn(await app.open(`/p/${deck.slug}/index.html`, BROWSER))
      for (const [path, policy, mime] of DECK) {
        await walkFile(app, base + encoded(path), policy, mime)
      }
      await walkFile(app, `${base}about/`, 'sandbox', 'text/html; charset=utf-8')
      await expectRedirect(app, base, `${base}index.html`)
      await expectRedirect(app, `${base}about`, `${base}about/`)
      const alone = await app.open(`${base}a/style.css`, { 'sec-fetch-dest': 'document' })
      expect([alone.status, alone.headers.get('location')]).toEqual([
        307,
        `/p/${deck.slug}/a/style.css`,
      ])
      expectContentHeaders(alone, 'sandbox')
    })

    it('a PDF or image; its viewer has the headers of our documents', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const files = [
        ['pdf', 'application/pdf'],
        ['png', 'image/png'],
        ['jpg', 'image/jpeg'],
        ['gif', 'image/gif'],
        ['webp', 'image/webp'],
      ] as const
      for (const [type, mime] of files) {
        for (const size of [500, 100_000]) {
          const file = { file_base64: base64(fileOf(type, size)), filename: `a file.${type}` }
          const { slug } = await owner.publish(file)
          await walkFile(app, `/p/${slug}`, 'file', mime)
          const viewer = await app.open(`/p/${slug}`, BROWSER)
          expectOwnHeaders(viewer)
          const base = await framePathIn(viewer)
          await walkFile(app, `${base}a%20file.${type}`, 'file', mime)
          await walkFile(app, `${base}a%20file.${type}?download`, 'file', mime)
          const answer = await app.open(`${base}a%20file.${type}`, BROWSER)
          expect(answer.headers.get('location')).toBe(`/p/${slug}`)
          expectContentHeaders(answer, 'sandbox')
        }
      }
    })

    it('a page in the shell; the shell has the headers of our documents', async () => {
      await using app = await testApp(engine)
      const { slug } = await (await app.owner()).publish(HTML, { collect_votes: false })
      expectContentHeaders(await app.open(`/p/${slug}`, BROWSER), 'sandbox')
      const owner = await app.owner()
      const commented = await owner.publish(HTML, { allow_comments: true })
      const shell = await app.open(`/p/${commented.slug}`, BROWSER)
      expect(shell.status).toBe(200)
      expectOwnHeaders(shell)
      const text = await shell.clone().text()
      expect(text).not.toContain(WORDS)
      expect(text).toMatch(/<iframe[^>]* sandbox="allow-scripts[^"]*"/)
      expect(text).not.toMatch(/allow-same-origin|allow-top-navigation/)
      const framed = await app.open(`${await framePathIn(shell)}index.html`)
      expectContentHeaders(framed, 'sandbox')
      expect(await framed.text()).toContain(WORDS)
    })

    it('a preview of a draft, which our own documents alone may frame', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const deck = await publishDeck(owner, { publish: false, indexed: true })
      const { url } = await owner.ask<{ url: string }>('POST', `/pages/${deck.id}/preview`)
      const base = new URL(url).pathname.replace('index.html', '')
      for (const [path, policy, mime] of DECK) {
        const framed = policy === 'file' ? policy : (`${policy} preview` as const)
        await walkFile(app, base + encoded(path), framed, mime)
        const { headers } = await app.open(base + encoded(path))
        expect(headers.get('cache-control')).toBe('private, no-store')
        expect(headers.get('x-robots-tag')).toBe('noindex')
      }
      await expectRedirect(app, base, `${base}index.html`, {}, 'sandbox preview')
      const owning = await app.signedIn(owner)
      const alone = await owning.open(`${base}a/style.css`, { 'sec-fetch-dest': 'document' })
      expect([alone.status, await alone.text()]).toEqual([200, '/* */'])
      expectContentHeaders(alone, 'sandbox preview')
    })

    it('a draft that only its owner sees', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { slug } = await owner.publish(HTML, { publish: false, access: 'private' })
      const visitor = await app.signedIn(owner)
      const raw = await visitor.open(`/p/${slug}`)
      expect(await raw.clone().text()).toBe(HTML)
      expectContentHeaders(raw, 'sandbox')
      const shell = await visitor.open(`/p/${slug}`, BROWSER)
      expectOwnHeaders(shell)
      const framed = await app.open(`${await framePathIn(shell)}index.html`)
      expectContentHeaders(framed, 'sandbox')
      expect(await framed.text()).toContain(WORDS)
    })
  })
}

type OwnHost = Awaited<ReturnType<typeof enter>>

/** Requests a file on the page's own host in every way that programs and browsers do. */
async function walkOwnFile(own: OwnHost, path: string, mime: string): Promise<void> {
  const whole = await own.load(path)
  expect([path, whole.status, whole.headers.get('content-type')]).toEqual([path, 200, mime])
  const etag = whole.headers.get('etag')!
  const isHtml = mime.startsWith('text/html')
  const part = isHtml ? 200 : 206
  const requests: [status: number, headers: Record<string, string>, method?: string][] = [
    [200, {}, 'HEAD'],
    [304, { 'if-none-match': etag }],
    [part, { range: 'bytes=0-1' }],
    [200, { range: 'bytes=0-0', 'if-range': '"another"' }],
    [isHtml ? 200 : 416, { range: 'bytes=99999999-' }],
    [200, { origin: own.origin }],
    [200, { 'sec-fetch-dest': 'iframe' }],
    [200, { 'accept-encoding': 'gzip' }],
    [200, { 'service-worker': 'script' }],
  ]
  expectOwnHostContent(whole)
  for (const [status, headers, method = 'GET'] of requests) {
    const answer = await own.load(path, headers, method)
    expect([path, headers, answer.status]).toEqual([path, headers, status])
    expectOwnHostContent(answer)
  }
}

it('lets no rule of a deck’s `_headers` replace what keeps other hosts out', () => {
  const hosted = {
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'content-security-policy': 'default-src *',
  }
  const page = { gate: { is_open: true }, max_views: null } as PublishedPage
  const file = { mime: 'text/html; charset=utf-8', isDocument: true, hosted }
  const inWindow = ownHostHeaders(page, { ...file, framedBy: null })
  expect(inWindow).toMatchObject({
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'content-security-policy': "frame-ancestors 'self'",
  })
  const strict = { ...hosted, 'cross-origin-resource-policy': 'same-origin' }
  const framed = ownHostHeaders(page, { ...file, hosted: strict, framedBy: BASE_URL })
  expect(framed['cross-origin-resource-policy']).toBe('cross-origin')
})

for (const engine of ENGINES) {
  describe(`every response of a page’s own host has its headers on ${engine}`, () => {
    const start = () => testApp(engine, { contentUrl: CONTENT_URL })

    it('content, whatever the file', async () => {
      await using app = await start()
      const { slug } = await publishDeck(await app.owner())
      const host = await enter(app, app.visitor(), `/p/${slug}/index.html`)
      for (const [path, , mime, own = mime] of DECK) {
        await walkOwnFile(host, `/${encoded(path)}`, own)
      }
      await walkOwnFile(host, '/about/', 'text/html; charset=utf-8')
      for (const path of ['/', '/old.htm']) expectOwnHostContent(await host.open(path))
    })

    it('what it answers besides, by any method, with and without a visit', async () => {
      await using app = await start()
      const owner = await app.owner()
      const { id, slug } = await publishDeck(owner)
      const own = await enter(app, app.visitor(), `/p/${slug}/index.html`)
      const stranger = { ...WINDOW, cookie: '' }
      const answers: [status: number, answer: Response][] = [
        [303, own.taken],
        [303, await own.open('/about')],
        [303, await askHost(app, `${own.origin}/about`, stranger)],
        [404, await own.open('/nothing')],
        [404, await own.load('/nothing.js')],
        [404, await own.open('/%2f')],
        [404, await own.open('/~/frame/v1.1.x/index.html', { 'sec-fetch-dest': 'iframe' })],
        [404, await askHost(app, `http://${'a'.repeat(26)}.content.test/`, WINDOW)],
        [403, await askHost(app, `${own.origin}/a/style.css`, { 'sec-fetch-dest': 'style' })],
        [403, await own.load('/a/style.css', { 'sec-fetch-site': 'same-site' })],
        [403, await own.load('/~/visit?ticket=x&to=/')],
        [403, await own.load('/~/visit?ticket=x&to=/', { accept: WINDOW.accept! })],
        [204, await own.load('/favicon.ico')],
        [200, await askHost(app, `${own.origin}/sw.js`, { 'service-worker': 'script' })],
      ]
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const status = method === 'OPTIONS' ? 204 : 405
        for (const headers of [{}, WINDOW]) {
          answers.push([status, await own.load('/index.html', headers, method)])
        }
        answers.push([status, await askHost(app, `${own.origin}/p/x`, stranger, method)])
      }
      app.advance(30 * MINUTE_MS)
      answers.push([303, await own.open('/index.html')])
      await owner.ask('DELETE', `/pages/${id}/publish`)
      answers.push([403, await own.load('/a/style.css')], [303, await own.open('/index.html')])
      for (const [status, answer] of answers) {
        expect([answer.url, answer.status]).toEqual([answer.url, status])
        expectOwnHostAnswer(answer, BASE_URL)
        const text = await answer.text()
        expect(text).not.toContain(WORDS)
        expect(text).not.toContain(TITLE)
        // Files of the service are not served there.
        expect(text).not.toContain('/~/')
      }
    })

    it('content in the frame of our document, which may frame it', async () => {
      await using app = await start()
      const { slug } = await publishDeck(await app.owner(), { allow_comments: true })
      const shell = await (await app.open(`/p/${slug}/index.html`, WINDOW)).text()
      const files = /data-files="([^"]+)"/.exec(shell)?.[1] ?? ''
      const { origin } = new URL(files)
      const inFrame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', accept: '*/*' }
      const entered = await askHost(app, `${files}index.html`, inFrame)
      const [cookie = ''] = entered.headers.getSetCookie().map((line) => line.split(';')[0])
      expectOwnHostAnswer(entered, BASE_URL)
      const ask = (path: string, headers = {}) =>
        askHost(app, origin + path, { ...inFrame, ...headers, cookie })
      for (const path of ['/index.html', '/about/', '/a/style.css']) {
        const answer = await ask(path)
        expect([path, answer.status]).toEqual([path, 200])
        expectOwnHostHeaders(answer, BASE_URL)
      }
      const lost = await ask('/nothing', { accept: WINDOW.accept! })
      expect([lost.status, await lost.text()]).toEqual([
        404,
        expect.stringContaining('There is nothing at this address'),
      ])
      // Its only script reports to the shell where its frame is.
      expectOwnHostHeaders(lost, BASE_URL)
      const policy = lost.headers.get('content-security-policy')
      expect(policy).toMatch(/^default-src 'none'; .*; script-src 'sha256-[\w+/]{43}='; frame-/)
      expect(lost.headers.get('cache-control')).toBe('no-store')
    })
  })
}
