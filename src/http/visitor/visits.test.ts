import { describe, expect, it } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { DECK, HTML, publishEachKind, viewsOf } from '../../testing/views.ts'
import { BROWSER, framePathIn } from '../../testing/visitor.ts'

type Sent = Record<string, string>

for (const engine of ENGINES) {
  describe(`a visit of a deck on ${engine}`, () => {
    const walk = ['/index.html', '/team.html', '/a.css', '/about/', '', '/index.html', '/team.html']

    async function walkAll(visitor: ReturnType<TestApp['visitor']>, { slug }: PageObject) {
      for (const path of walk) {
        expect((await visitor.open(`/p/${slug}${path}`)).status).toBe(path === '' ? 307 : 200)
      }
    }

    it('is one view for 30 minutes in one browser, however many files are opened', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const settings of [{}, { max_views: 1000 }]) {
        const deck = await owner.publish({ ...DECK, ...settings })
        const [one, two] = [app.visitor(), app.visitor(BROWSER)]
        await walkAll(one, deck)
        expect(await viewsOf(owner, deck)).toBe(1)
        await walkAll(two, deck)
        expect(await viewsOf(owner, deck)).toBe(2)
        app.advance(30 * MINUTE_MS - 10_000)
        await walkAll(one, deck)
        expect(await viewsOf(owner, deck)).toBe(2)
        app.advance(10_000)
        await walkAll(one, deck)
        expect(await viewsOf(owner, deck)).toBe(3)
      }
    })

    it('of one deck is not a visit of another', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [one, two] = [await owner.publish(DECK), await owner.publish(DECK)]
      const visitor = app.visitor()
      await walkAll(visitor, one)
      await walkAll(visitor, two)
      expect([await viewsOf(owner, one), await viewsOf(owner, two)]).toEqual([1, 1])
    })

    it('ends at once for a program without cookies: each page it opens counts', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const deck = await owner.publish(DECK)
      for (const path of walk) await app.open(`/p/${deck.slug}${path}`)
      expect(await viewsOf(owner, deck)).toBe(5)
    })
  })

  describe(`the last view that a limit allows on ${engine}`, () => {
    it('loads the files of a deck for 30 minutes, and nobody else does', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const deck = await owner.publish({ ...DECK, max_views: 1 })
      const at = (path: string) => `/p/${deck.slug}${path}`
      const last = app.visitor()
      expect((await last.open(at('/index.html'))).status).toBe(200)
      const rest = ['/a.css', '/a.png', '/team.html', '/about/', '/index.html']
      for (const path of rest) {
        expect((await last.open(at(path))).status).toBe(200)
        const late = await app.open(at(path))
        expect([late.status, (await late.text()).includes('no longer available')]).toEqual([
          410,
          true,
        ])
      }
      app.advance(30 * MINUTE_MS)
      for (const path of rest) expect((await last.open(at(path))).status).toBe(410)
      expect(await viewsOf(owner, deck)).toBe(1)
    })

    it('loads the files of the shell and the viewer, which have a frame token', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [, deck, pdf] = await publishEachKind(owner, { max_views: 1 })
      const files = [
        [deck!, ['index.html', 'team.html', 'a.css']],
        [pdf!, ['a.pdf']],
      ] as const
      for (const [{ page, path }, names] of files) {
        const base = await framePathIn(await app.open(path, BROWSER))
        expect(await viewsOf(owner, page)).toBe(1)
        for (const name of names) {
          // A document is sent once, other files as often as the browser requests them.
          const isDocument = name.endsWith('.html')
          const more: Sent[] = isDocument ? [] : [{}, { range: 'bytes=1-' }]
          const requests: Sent[] = [{ 'sec-fetch-dest': 'iframe' }, ...more]
          for (const headers of requests) {
            expect((await app.open(base + name, headers)).status).toBeLessThan(300)
          }
        }
        expect((await app.open(path, BROWSER)).status).toBe(410)
        app.advance(30 * MINUTE_MS)
        for (const name of names) expect((await app.open(base + name)).status).toBe(410)
        expect(await viewsOf(owner, page)).toBe(1)
      }
    })

    it('counts again when a single page is opened again', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(HTML, { max_views: 2 })
      const visitor = app.visitor()
      const statuses: number[] = []
      for (let i = 0; i < 3; i++) statuses.push((await visitor.open(`/p/${page.slug}`)).status)
      expect(statuses).toEqual([200, 200, 410])
      expect(await viewsOf(owner, page)).toBe(2)
    })
  })
}
