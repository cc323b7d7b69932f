import { describe, expect, it } from 'bun:test'
import { ENGINES, MINUTE_MS, testApp } from '../../../testing/app.ts'
import { base64 } from '../../../testing/material.ts'
import { askHost, at, CONTENT_URL, enter, LOADED, WINDOW } from '../../../testing/own-host.ts'
import { viewsOf } from '../../../testing/views.ts'
import { framePathIn } from '../../../testing/visitor.ts'

const NOTHING = 'Nothing is served here.\n'
const asset = (path: string, text: string) => ({ path, data_base64: base64(text) })
const ANOTHER = { ...WINDOW, 'user-agent': 'Mozilla/5.0 (another browser)' }
const SITE = {
  title: null,
  files: [
    {
      path: 'index.html',
      html: '<!doctype html><title>Home</title><a href="/about">about</a><script></script>',
    },
    { path: 'about.html', html: '<!doctype html><p>about words' },
    { path: 'guide/index.html', html: '<!doctype html><p>guide words' },
    { path: '404.html', html: '<!doctype html><link href="/a.css"><p>lost words' },
  ],
  assets: [
    asset('a.css', 'p { color: red }'),
    asset('sw.js', 'addEventListener("fetch", () => {})'),
  ],
}

for (const engine of ENGINES) {
  const start = () => testApp(engine, { contentUrl: CONTENT_URL })

  describe(`a page on a host of its own on ${engine}`, () => {
    it('is sent on with a ticket, which becomes a cookie, and is one view for 30 minutes', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(SITE)
      const visitor = app.visitor()
      const own = await enter(app, visitor, `/p/${page.slug}?q=1`)
      expect(own.host).toMatch(/^[a-z2-7]{26}\.content\.test$/)
      expect(own.sent.headers.get('cache-control')).toBe('no-store')
      expect([own.taken.status, own.taken.headers.get('location')]).toEqual([303, '/?q=1'])
      expect(own.taken.headers.get('cache-control')).toBe('no-store')
      const [cookie = ''] = own.taken.headers.getSetCookie()
      expect(cookie).toMatch(
        /^handbill_own=[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      const home = await own.open('/?q=1')
      expect([home.status, await home.text()]).toEqual([200, SITE.files[0]!.html])
      for (const path of ['/about', '/guide/', '/']) expect((await own.open(path)).status).toBe(200)
      expect(await viewsOf(owner, page)).toBe(1)
      const again = await enter(app, visitor, `/p/${page.slug}/about`)
      expect(again.taken.headers.get('location')).toBe('/about')
      expect(await viewsOf(owner, page)).toBe(1)
      app.advance(30 * MINUTE_MS)
      const late = await own.open('/about?x')
      expect([late.status, late.headers.get('location')]).toEqual([303, at(page.slug, '/about?x')])
      expect(late.headers.get('clear-site-data')).toBeNull()
      expect((await own.load('/a.css')).status).toBe(200)
      await enter(app, visitor, `/p/${page.slug}`)
      expect(await viewsOf(owner, page)).toBe(2)
    })

    it('finds files as static hosts do also in a frame behind a view limit', async () => {
      await using app = await start()
      const owner = await app.owner()
      const assets = [
        ...SITE.assets,
        asset('_redirects', '/old /about 301\n/far https://x.example/'),
      ]
      const page = await owner.publish({ ...SITE, assets, allow_comments: true, max_views: 9 })
      const shell = await app.visitor().open(`/p/${page.slug}`, WINDOW)
      const [origin] = /http:[^"]+\.content\.test(?=\/p\/)/.exec(await shell.clone().text())!
      const files = (await framePathIn(shell)).slice(0, -1)
      const open = async (path: string, headers: Record<string, string>) => {
        const answer = await askHost(app, origin + files + path, headers)
        const words = /<p>(\w+)/.exec(await answer.text())?.[1] ?? null
        return [answer.status, answer.headers.get('location') ?? words]
      }
      const frame = { ...WINDOW, 'sec-fetch-dest': 'iframe' }
      expect(await open('/old?a=1', frame)).toEqual([307, `${files}/about?a=1`])
      expect(await open('/far', frame)).toEqual([307, 'https://x.example/'])
      expect(await open('/guide', frame)).toEqual([307, `${files}/guide/`])
      expect(await open('/about', frame)).toEqual([200, 'about'])
      expect(await open('/nothing.js', LOADED)).toEqual([404, null])
      expect(await open('/deep/nothing', frame)).toEqual([200, 'lost'])
      // Each document is given once for a token.
      expect(await open('/nothing', frame)).toEqual([410, null])
      expect(await viewsOf(owner, page)).toBe(1)
    })

    it('finds files as static hosts do', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(SITE)
      const own = await enter(app, app.visitor(), `/p/${page.slug}`)
      const open = async (path: string) => {
        const answer = await own.open(path)
        const words = /<p>(\w+)/.exec(await answer.text())?.[1] ?? null
        return [answer.status, answer.headers.get('location') ?? words]
      }
      expect(await open('/about')).toEqual([200, 'about'])
      expect(await open('/about.html')).toEqual([200, 'about'])
      expect(await open('/guide?a=1')).toEqual([303, '/guide/?a=1'])
      expect(await open('/guide/')).toEqual([200, 'guide'])
      expect(await open('/deep/nothing')).toEqual([404, 'lost'])
      expect(await open('/nothing.png')).toEqual([404, 'lost'])
      // Its references are as its author wrote them, whatever address it answers.
      expect(await (await own.open('/deep/nothing')).text()).toContain('href="/a.css"')
      await owner.update(page.id, { fallback: 'index.html' })
      const routed = await own.open('/deep/route')
      expect([routed.status, await routed.text()]).toEqual([200, SITE.files[0]!.html])
      expect(await open('/nothing.png')).toEqual([404, 'lost'])
      expect((await own.open('/%2e%2e/a.css')).status).toBe(200)
      expect((await own.open('/a%2fb')).status).toBe(404)
    })

    it('gives a ticket once, within a minute, for its own page, on every node', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(SITE)
      const other = await owner.publish({ ...SITE, title: 'Other' })
      const refused = async (url: string | URL, node: Pick<typeof app, 'fetch'> = app) => {
        const answer = await askHost(node, url, WINDOW)
        expect(answer.status).toBe(303)
        expect(answer.headers.getSetCookie()).toEqual([])
        return answer.headers.get('location')
      }
      const own = await enter(app, app.visitor(), `/p/${page.slug}/about`)
      expect(await refused(own.ticketUrl)).toBe(at(page.slug, '/about'))
      if (engine === 'postgres')
        expect(await refused(own.ticketUrl, await app.node())).not.toBeNull()
      const response = await askHost(app, own.ticketUrl, { ...WINDOW, cookie: own.cookie })
      expect([response.headers.get('location'), response.headers.getSetCookie()]).toEqual([
        '/about',
        [],
      ])

      const fresh = async () => {
        const sent = await app.open(`/p/${page.slug}`, { ...WINDOW, 'sec-fetch-site': 'none' })
        return new URL(sent.headers.get('location')!)
      }
      const elsewhere = await enter(app, app.visitor(), `/p/${other.slug}`)
      const stolen = await fresh()
      stolen.host = elsewhere.host
      expect(await refused(stolen)).toBe(at(other.slug))
      const late = await fresh()
      app.advance(MINUTE_MS)
      expect(await refused(late)).toBe(at(page.slug))
      const forged = await fresh()
      forged.searchParams.set('ticket', `${forged.searchParams.get('ticket')}A`)
      expect(await refused(forged)).toBe(at(page.slug))
      for (const to of ['//evil.test', 'https://evil.test/', '/\\evil.test', 'x', '/%0d%0a', '']) {
        const led = await fresh()
        led.searchParams.set('to', to)
        const { headers } = await askHost(app, led, WINDOW)
        expect(headers.get('location'), to).toMatch(/^\/(?![/\\])/)
      }
      const loaded = await askHost(app, await fresh(), LOADED)
      expect([loaded.status, loaded.headers.getSetCookie()]).toEqual([403, []])
      const changed = await fresh()
      await owner.update(page.id, { access: 'password', password: 'abcd' })
      expect(await refused(changed)).toBe(at(page.slug))
    })

    it('shows nothing to who was not let in, and sends windows to its address', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish({ ...SITE, access: 'password' })
      const other = await owner.publish({ ...SITE, title: 'Other' })
      const gate = await app.open(`/p/${page.slug}/about`, { ...WINDOW, 'sec-fetch-site': 'none' })
      expect(gate.status).toBe(403)
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${page.slug}`, page.password!)
      const own = await enter(app, visitor, `/p/${page.slug}/about`)
      expect(own.taken.headers.get('location')).toBe('/about')
      expect(await (await own.open('/about')).text()).toContain('about words')
      const others = await enter(app, app.visitor(), `/p/${other.slug}`)
      const tokens = ['', `handbill_own=${'a'.repeat(99)}`, others.cookie, 'handbill_frame=v1.9.x']
      for (const cookie of tokens) {
        const lost = await askHost(app, `${own.origin}/about?a`, { ...ANOTHER, cookie })
        expect([lost.status, lost.headers.get('location')]).toEqual([
          303,
          at(page.slug, '/about?a'),
        ])
        const paths = ['/a.css', '/about', '/', '/404.html', '/nothing', '/~/visit', '/~/frame/x/y']
        for (const path of [...paths, `/p/${page.slug}`, `/p/${page.slug}/~v1.9.x/index.html`]) {
          const answer = await askHost(app, own.origin + path, { ...LOADED, cookie })
          expect([403, 404], path).toContain(answer.status)
          expect(await answer.text(), path).toBe(NOTHING)
          expect(answer.headers.getSetCookie(), path).toEqual([])
        }
      }
      // A sibling host may set a cookie for all of them: this page's own still counts.
      const tossed = `handbill_own=v1.a.b.c; ${own.cookie}; ${others.cookie}`
      expect((await own.open('/about', { cookie: tossed })).status).toBe(200)
    })

    it('is led to by a document where a form of ours has led to its address', async () => {
      await using app = await start()
      const page = await (await app.owner()).publish(SITE)
      const sent = await app.open(`/p/${page.slug}/about?a=1`, {
        ...WINDOW,
        'sec-fetch-site': 'same-origin',
      })
      expect([sent.status, sent.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const [, url = ''] = /content="0; url=([^"]+)"/.exec(await sent.text()) ?? []
      const taken = await askHost(app, url.replaceAll('&amp;', '&'), WINDOW)
      expect(taken.headers.get('location')).toBe('/about?a=1')
      expect(taken.headers.getSetCookie()).toHaveLength(1)
    })

    it('says that it needs a cookie where a browser keeps none, and leads it in no circle', async () => {
      await using app = await start()
      const page = await (await app.owner()).publish(SITE)
      const enterAgain = () => enter(app, app.visitor(), `/p/${page.slug}`)
      const { origin } = await enterAgain()
      expect((await askHost(app, `${origin}/`, WINDOW)).status).toBe(303)
      await enterAgain()
      await enterAgain()
      const answer = await askHost(app, `${origin}/`, WINDOW)
      expect([answer.status, await answer.text()]).toEqual([
        403,
        expect.stringContaining('<h1>This page needs a cookie</h1>'),
      ])
    })

    it('does not say so where a cookie was kept, and was taken as the access ended', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(SITE)
      const own = await enter(app, app.visitor(), `/p/${page.slug}`)
      for (let times = 0; times < 3; times++) {
        const again = await app.visitor().open(`/p/${page.slug}`, WINDOW)
        const taken = await own.open(again.headers.get('location')!.slice(own.origin.length))
        expect(taken.headers.getSetCookie()).toHaveLength(1)
      }
      await owner.call('POST', `/pages/${page.id}/trash`)
      expect((await own.open('/about')).headers.getSetCookie()).toHaveLength(1)
      const next = await askHost(app, `${own.origin}/guide/`, WINDOW)
      expect([next.status, next.headers.get('location')]).toEqual([303, at(page.slug, '/guide/')])
    })

    it('serves no other page, no app and no API, to no other method', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(SITE)
      const own = await enter(app, app.visitor(), `/p/${page.slug}`)
      for (const path of ['/app', '/api/v1/pages', '/docs', '/openapi.json', '/healthz', '/mcp']) {
        const answer = await own.load(path, { authorization: `Bearer ${owner.key}` })
        expect(answer.status, path).toBe(404)
        expect(await answer.text(), path).toContain('lost words')
      }
      for (const method of ['PUT', 'DELETE', 'PATCH']) {
        const answer = await own.load('/~/responses', {}, method)
        expect([answer.status, await answer.text()], method).toEqual([405, 'Method Not Allowed\n'])
      }
      const request = { origin: 'null', 'access-control-request-method': 'GET' }
      for (const url of [own.origin, `${own.origin}/a.css`, 'http://unknown.content.test/']) {
        const { status, headers } = await askHost(app, url, request, 'OPTIONS')
        expect([url, status, headers.get('allow')]).toEqual([url, 204, 'GET, HEAD, OPTIONS'])
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
      // A form gets what it gets at the page's address.
      for (const [headers, words] of [
        [{}, 'add data-service to the <form>'],
        [{ accept: WINDOW.accept! }, 'add data-service to its &lt;form&gt;'],
      ] as const) {
        for (const ask of [
          own.load,
          (path: string, sent: object, method: string) =>
            askHost(app, `http://unknown.content.test${path}`, { ...sent }, method),
        ]) {
          const answer = await ask('/', headers, 'POST')
          expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
          expect(await answer.text()).toContain(words)
        }
      }
      for (const label of [
        'unknown',
        'a'.repeat(26),
        '7'.repeat(26),
        'aaaaaaaaaaaaaaaaaaaaaaaaab',
      ]) {
        const answer = await askHost(app, `http://${label}.content.test/`, WINDOW)
        expect([answer.status, await answer.text()], label).toEqual([
          404,
          expect.stringContaining('There is nothing at this address'),
        ])
      }
      expect((await own.load('/', { 'sec-fetch-site': 'same-site' })).status).toBe(403)
      expect((await own.load('/a.css', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    })
  })

  describe(`access that ends on a host of its own on ${engine}`, () => {
    it.each([
      ['expiry', { expires_at: '2020-01-01T00:00:00Z' }],
      ['another access level', { access: 'private' }],
      ['another password', { password: 'another' }],
    ])('by %s ends at once, and clears what the browser keeps', async (_name, change) => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish({ ...SITE, access: 'password' })
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${page.slug}`, page.password!)
      const own = await enter(app, visitor, `/p/${page.slug}`)
      expect((await own.load('/a.css')).status).toBe(200)
      await owner.update(page.id, change)
      const window = await own.open('/about')
      expect([window.status, window.headers.get('location')]).toEqual([
        303,
        at(page.slug, '/about'),
      ])
      expect(window.headers.getSetCookie()[0]).toStartWith('handbill_own=; Path=/; Max-Age=0')
      // A frame of the page itself, which no document of ours watches.
      const frame = { accept: WINDOW.accept!, 'sec-fetch-dest': 'iframe' }
      const framed = await own.load('/about', { ...frame, 'sec-fetch-mode': 'navigate' })
      expect([framed.status, await framed.text()]).toEqual([
        403,
        expect.stringContaining('<h1>This page has to be opened again</h1>'),
      ])
      const loaded = await own.load('/a.css')
      expect([loaded.status, await loaded.text()]).toEqual([403, NOTHING])
      const worker = await own.load('/sw.js', { 'service-worker': 'script' })
      expect(await worker.text()).toContain('registration.unregister()')
      for (const { headers } of [window, loaded]) {
        expect(headers.get('clear-site-data')).toBe('"cache", "storage", "executionContexts"')
      }
    })

    it('also to a document that was prefetched, which browsers would show without asking', async () => {
      await using app = await start()
      const page = await (await app.owner()).publish(SITE)
      const own = await enter(app, app.visitor(), `/p/${page.slug}`)
      for (const purpose of ['prefetch', 'prefetch;prerender']) {
        const ahead = await own.open('/about', { 'sec-purpose': purpose })
        expect([ahead.status, ahead.headers.get('cache-control')]).toEqual([503, 'no-store'])
        expect(await ahead.text()).toBe('A prefetch is not served.\n')
        expect((await own.load('/a.css', { 'sec-purpose': purpose })).status).toBe(200)
      }
      expect((await own.open('/about')).status).toBe(200)
    })

    it('for an invited person who is removed, and for nobody else', async () => {
      await using app = await start()
      const owner = await app.owner()
      const people = ['ann@example.com', 'bob@example.com']
      const page = await owner.publish({ ...SITE, access: 'people', allowed_emails: people })
      const enterAs = async (email: string) =>
        enter(app, await app.signedIn(await app.owner({ email })), `/p/${page.slug}`)
      const [ann, bob] = [await enterAs(people[0]!), await enterAs(people[1]!)]
      await owner.update(page.id, { allowed_emails: [people[0]!] })
      const [stays, goes] = [await ann.open('/about'), await bob.open('/about')]
      expect([stays.status, stays.headers.get('clear-site-data')]).toEqual([303, null])
      expect(goes.headers.get('clear-site-data')).toContain('storage')
      expect((await bob.load('/a.css')).status).toBe(403)
    })

    it('by unpublishing, deleting, and a view limit once the visit is over', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish({ ...SITE, max_views: 1 })
      const own = await enter(app, app.visitor(), `/p/${page.slug}`)
      const second = await app.open(`/p/${page.slug}`, { ...WINDOW, 'sec-fetch-site': 'none' })
      expect(second.status).toBe(410)
      expect((await own.open('/about')).status).toBe(200)
      app.advance(30 * MINUTE_MS)
      expect((await own.open('/about')).headers.get('clear-site-data')).toContain('storage')
      expect((await own.load('/a.css')).status).toBe(403)

      const open = await owner.publish({ ...SITE, title: 'Open' })
      const visit = await enter(app, app.visitor(), `/p/${open.slug}`)
      await owner.ask('DELETE', `/pages/${open.id}/publish`)
      expect((await visit.load('/a.css')).status).toBe(403)
      await owner.ask('DELETE', `/pages/${open.id}`)
      expect((await visit.load('/a.css')).status).toBe(404)
    })

    it('leaves a service worker without a cookie, as in a frame, only while it is open', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(SITE)
      const own = await enter(app, app.visitor(), `/p/${page.slug}`)
      const question = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' }
      const view = await own.load('/sw.js', question)
      expect(await view.text()).toContain('addEventListener("fetch"')
      expect(view.headers.get('service-worker-allowed')).toBeNull()
      // Ours have a line before it, so the file that a browser has by its address is another.
      const condition = { 'if-none-match': view.headers.get('etag')! }
      expect((await own.load('/sw.js', { ...question, ...condition })).status).toBe(304)
      const file = await own.load('/sw.js', condition)
      expect([file.status, await file.text()]).toEqual([200, 'addEventListener("fetch", () => {})'])
      const inFrame = await askHost(app, `${own.origin}/sw.js`, { ...LOADED, ...question })
      expect(await inFrame.text()).toContain('addEventListener("fetch"')
      await owner.update(page.id, { access: 'password', password: 'abcd' })
      const last = await askHost(app, `${own.origin}/sw.js`, { ...LOADED, ...question })
      expect([last.status, last.headers.get('content-type')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ])
      expect(await last.text()).not.toContain('fetch')
      expect(last.headers.get('clear-site-data')).toBeNull()
    })
  })
}
