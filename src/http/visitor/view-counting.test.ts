import { describe, expect, it, test } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { DECK, HTML, PDF, publishEachKind, viewsOf } from '../../testing/views.ts'
import { BROWSER } from '../../testing/visitor.ts'

type Sent = Record<string, string>

for (const engine of ENGINES) {
  describe(`a view on ${engine}`, () => {
    it('is a GET of the top document that is answered with 200 or 304', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const settings of [{}, { max_views: 1000 }]) {
        for (const { page, path } of await publishEachKind(owner, settings)) {
          const first = await app.open(path)
          expect([first.status, await viewsOf(owner, page)]).toEqual([200, 1])
          const etag = first.headers.get('etag')!
          const second = await app.open(path, { 'if-none-match': etag })
          expect([second.status, await viewsOf(owner, page)]).toEqual([304, 2])
          await app.open(path, BROWSER)
          expect(await viewsOf(owner, page)).toBe(3)
        }
      }
    })

    it('is committed before the response begins, where the page has a view limit', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const { page, path } of await publishEachKind(owner, { max_views: 9 })) {
        await app.open(path)
        const hold = app.holdWrite()
        let isAnswered = false
        const answering = app.open(path).then((answer) => {
          isAnswered = true
          return answer
        })
        await hold.reached
        expect([isAnswered, await viewsOf(owner, page)]).toEqual([false, 1])
        hold.release()
        expect((await answering).status).toBe(200)
        expect(await viewsOf(owner, page)).toBe(2)
      }
    })

    it('is not a HEAD, OPTIONS or other request', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const { page, path } of await publishEachKind(owner)) {
        const statuses = { HEAD: 200, OPTIONS: 204, POST: 405, PUT: 405, DELETE: 405 }
        for (const [method, status] of Object.entries(statuses)) {
          expect((await app.open(path, {}, method)).status).toBe(status)
        }
        expect(await viewsOf(owner, page)).toBe(0)
      }
    })

    it('is not an asset, nor a redirect to the document', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const settings of [{}, { max_views: 1000 }]) {
        const deck = await owner.publish({ ...DECK, ...settings })
        for (const path of ['/a.css', '/a.png', '', '/', '/about', '/nothing.html']) {
          await app.open(`/p/${deck.slug}${path}`)
          await app.open(`/p/${deck.slug}${path}`, BROWSER)
        }
        expect(await viewsOf(owner, deck)).toBe(0)
        await app.open(`/p/${deck.slug}/about/`)
        expect(await viewsOf(owner, deck)).toBe(1)
      }
    })

    it('is not a frame, except on a page with a view limit', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const frames = ['iframe', 'frame', 'embed', 'object', 'fencedframe']
      for (const [settings, counted] of [
        [{}, 0],
        [{ max_views: 1000 }, frames.length],
      ] as const) {
        for (const { page, path } of await publishEachKind(owner, settings)) {
          for (const dest of frames) {
            expect((await app.open(path, { 'sec-fetch-dest': dest })).status).toBe(200)
          }
          expect(await viewsOf(owner, page)).toBe(counted)
        }
      }
    })

    it('is not a later part of a file, except outside a visit on a page with a view limit', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const free = await owner.publish(PDF())
      const later = ['bytes=1-', 'bytes=4000-4999', 'bytes=-500', 'bytes=1000-1999']
      expect((await app.open(`/p/${free.slug}`, { range: 'bytes=0-999' })).status).toBe(206)
      for (const range of later) {
        expect((await app.open(`/p/${free.slug}`, { range })).status).toBe(206)
      }
      expect(await viewsOf(owner, free)).toBe(1)

      const limited = await owner.publish({ ...PDF(), max_views: 2 })
      const reader = app.visitor()
      const path = `/p/${limited.slug}`
      expect((await reader.open(path, { range: 'bytes=0-999' })).status).toBe(206)
      for (const range of later) expect((await reader.open(path, { range })).status).toBe(206)
      expect(await viewsOf(owner, limited)).toBe(1)
      expect((await app.open(path, { range: 'bytes=1000-' })).status).toBe(206)
      expect(await viewsOf(owner, limited)).toBe(2)
      expect((await app.open(path, { range: 'bytes=1000-' })).status).toBe(410)
      expect((await reader.open(path, { range: 'bytes=1000-' })).status).toBe(206)
      expect(await viewsOf(owner, limited)).toBe(2)
    })

    it('of HTML is answered whole, whatever range is asked for', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(HTML)
      for (const range of ['bytes=5-', 'bytes=-5', 'bytes=0-1', 'bytes=999999-']) {
        const answer = await app.open(`/p/${page.slug}`, { range })
        expect([answer.status, await answer.text()]).toEqual([200, HTML])
      }
      expect(await viewsOf(owner, page)).toBe(4)
    })

    it('is not a gate or a notice', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const shut = [
        ...[{ access: 'private' }, { access: 'password' }, { access: 'email_gate' }],
        ...[{ access: 'people' }, { expires_at: '2020-01-01T00:00Z' }, { publish: false }],
      ]
      for (const settings of shut) {
        for (const { page, path } of await publishEachKind(owner, settings)) {
          expect((await app.open(path)).status).toBeGreaterThanOrEqual(403)
          await app.open(path, BROWSER)
          expect(await viewsOf(owner, page)).toBe(0)
        }
      }
      for (const { page, path } of await publishEachKind(owner, {
        access: 'password',
        max_views: 1,
      })) {
        const visitor = app.visitor()
        for (let i = 0; i < 3; i++) await visitor.open(path)
        await visitor.givePassword(path, 'not the password')
        await visitor.givePassword(path, page.password!)
        expect(await viewsOf(owner, page)).toBe(0)
        expect((await visitor.open(path)).status).toBe(200)
        expect(await viewsOf(owner, page)).toBe(1)
      }
    })

    it('is not one by the signed-in owner, who passes every gate', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const [mine, theirs] = [await app.signedIn(owner), await app.signedIn(other)]
      for (const settings of [{}, { max_views: 1 }, { access: 'private' }, { publish: false }]) {
        for (const { page, path } of await publishEachKind(owner, settings)) {
          for (const headers of [{}, BROWSER]) {
            expect((await mine.open(path, headers)).status).toBe(200)
          }
          expect(await viewsOf(owner, page)).toBe(0)
          const isOpen = !('access' in settings || 'publish' in settings)
          expect((await theirs.open(path)).status === 200).toBe(isOpen)
          expect(await viewsOf(owner, page)).toBe(isOpen ? 1 : 0)
          expect((await mine.open(path)).status).toBe(200)
        }
      }
    })

    it('is one by any program or browser', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(HTML)
      const agents = ['', 'curl/8.5.0', 'python-requests/2.31', 'SomeUnknownBot/1.0', 'node']
      const headless = 'Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 HeadlessChrome/140 Safari/537'
      for (const agent of [...agents, headless]) {
        await app.open(`/p/${page.slug}`, { 'user-agent': agent })
      }
      expect(await viewsOf(owner, page)).toBe(6)
    })

    it('is not one by a preview agent, which gets a stub of a page with a view limit', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const agents = [
        ...['Slackbot-LinkExpanding 1.0', 'Twitterbot/1.0', 'facebookexternalhit/1.1'],
        ...['LinkedInBot/1.0', 'WhatsApp/2.23', 'Mozilla/5.0 (compatible; Discordbot/2.0)'],
        ...['TelegramBot (like TwitterBot)', 'SkypeUriPreview Preview/0.5', 'Applebot/0.1'],
        ...['Mozilla/5.0 (compatible; Googlebot/2.1)', 'Mozilla/5.0 (compatible; bingbot/2.0)'],
      ]
      for (const [settings, shows] of [
        [{}, true],
        [{ max_views: 1 }, false],
      ] as const) {
        for (const { page, path } of await publishEachKind(owner, settings)) {
          for (const agent of agents) {
            const answer = await app.open(path, { 'user-agent': agent })
            const text = await answer.text()
            expect([answer.status, /words|data-kind="pdf"/.test(text)]).toEqual([200, shows])
          }
          expect(await viewsOf(owner, page)).toBe(0)
          expect((await app.open(path)).status).toBe(200)
        }
      }
      const deck = await owner.publish({ ...DECK, max_views: 1 })
      const asset = await app.open(`/p/${deck.slug}/a.css`, { 'user-agent': agents[0]! })
      expect(await asset.text()).not.toContain('p{}')
    })

    it('is not a prefetch, which gets 503', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const ahead: Sent[] = [{ 'sec-purpose': 'prefetch' }, { purpose: 'prefetch' }]
      for (const { page, path } of await publishEachKind(owner, { max_views: 1 })) {
        for (const headers of ahead) {
          const answer = await app.open(path, { ...BROWSER, ...headers })
          expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store'])
          expect(await answer.text()).not.toContain('words')
        }
        expect(await viewsOf(owner, page)).toBe(0)
      }
    })
  })

  describe(`a Range that is answered with the whole file on ${engine}`, () => {
    const whole = ['bytes=5-9,20-29', 'bytes=9-5', 'items=1-2', 'bytes=a-b', 'bytes']

    test('is a view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(PDF())
      for (const range of whole) {
        expect((await app.open(`/p/${page.slug}`, { range })).status).toBe(200)
      }
      const stale = { range: 'bytes=100-', 'if-range': '"another"' }
      expect((await app.open(`/p/${page.slug}`, stale)).status).toBe(200)
      expect((await app.open(`/p/${page.slug}`, { ...BROWSER, range: 'bytes=1-' })).status).toBe(
        200,
      )
      expect(await viewsOf(owner, page)).toBe(whole.length + 2)
    })

    test('is not a view when it is answered with 416', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish({ ...PDF(), max_views: 1 })
      const beyond = { range: 'bytes=999999-' }
      expect((await app.open(`/p/${page.slug}`, beyond)).status).toBe(416)
      expect(await viewsOf(owner, page)).toBe(0)
    })
  })
}
