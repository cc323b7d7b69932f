/** What is answered from memory equals what is answered of a page that was just read. */
import { describe, expect, test } from 'bun:test'
import { BASE_URL, ENGINES, HOUR_MS, testApp } from '../../../testing/app.ts'
import { DECK } from '../../../testing/views.ts'
import { serverOf } from '../../../testing/warm-server.ts'

const LONG = `<!doctype html><title>Long</title>${'<p>words and more words</p>'.repeat(90)}`
const PASSWORD = 'abcd'

for (const engine of ENGINES) {
  describe(`a page in memory on ${engine}`, () => {
    test('is answered without a read, whatever is asked for', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const single = `/p/${(await owner.publish(LONG)).slug}`
      const style = `/p/${(await owner.publish(DECK)).slug}/a.css`
      const limited = `/p/${(await owner.publish(LONG, { max_views: 1000 })).slug}`
      const gated = { html: LONG, access: 'password', password: PASSWORD }
      const locked = `/p/${(await owner.publish(gated)).slug}`
      const visitor = app.visitor()
      await visitor.givePassword(locked, PASSWORD)
      const cookie = visitor.cookieFor(locked)
      const { ask, counters } = serverOf(app, true)
      const reads = async (path: string, headers = {}, method = 'GET') => {
        const request = () => new Request(BASE_URL + path, { method, headers })
        for (let n = 0; n < 2; n++) await ask(request())
        counters.reads = 0
        const { status } = await ask(request())
        return [status, counters.reads]
      }
      const anyEtag = { 'if-none-match': '*' }
      for (const [path, headers] of [
        [single, {}],
        [single, { cookie: 'theme=dark' }],
        [style, {}],
        [style, { cookie }],
        [locked, { cookie }],
      ] as const) {
        expect(await reads(path, headers)).toEqual([200, 0])
        expect(await reads(path, headers, 'HEAD')).toEqual([200, 0])
        expect(await reads(path, { ...headers, ...anyEtag })).toEqual([304, 0])
      }
      expect(await reads(locked)).toEqual([403, 0])
      expect(await reads(style, { range: 'bytes=0-1' })).toEqual([206, 0])
      expect(await reads(limited)).toEqual([200, 0])
      // What is no view does not change the counter, so it is read.
      expect(await reads(limited, {}, 'HEAD')).toEqual([200, 1])
    })

    test('closes for HEAD and for conditions where the limit is reached', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const path = `/p/${(await owner.publish(LONG, { max_views: 2 })).slug}`
      const { ask } = serverOf(app, true)
      const status = async (method = 'GET', headers = {}) =>
        (await ask(new Request(BASE_URL + path, { method, headers }))).status
      for (let n = 0; n < 3; n++) expect(await status('HEAD')).toBe(200)
      for (let n = 0; n < 2; n++) expect(await status()).toBe(200)
      for (let n = 0; n < 3; n++) {
        expect(await status('HEAD')).toBe(410)
        expect(await status('GET', { 'if-none-match': '*' })).toBe(410)
      }
    })

    test('is shown to as many as its limit allows of those who come at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>Limited', { max_views: 30 })
      const countServed = async (requests: number) => {
        const answers = await Promise.all(
          Array.from({ length: requests }, () => app.open(`/p/${slug}`)),
        )
        const texts = await Promise.all(answers.map((answer) => answer.text()))
        const statuses = answers.map(({ status }) => status)
        for (const [at, text] of texts.entries()) {
          expect(text.includes('<p>Limited')).toBe(statuses[at] === 200)
        }
        return statuses.filter((status) => status === 200).length
      }
      // The first one puts the answer into memory.
      expect(await countServed(1)).toBe(1)
      expect(await countServed(50)).toBe(29)
      expect(await countServed(5)).toBe(0)
      expect((await owner.page(id)).views).toBe(30)
      await owner.update(id, { max_views: 34 })
      expect(await countServed(20)).toBe(4)
      expect((await owner.page(id)).views).toBe(34)
    })

    test('lets nobody in by a cookie whose password was changed, or that has expired', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const settings = { access: 'password', password: PASSWORD }
      const page = await owner.publish({ html: LONG, ...settings })
      const path = `/p/${page.slug}`
      const visitor = app.visitor()
      await visitor.givePassword(path, PASSWORD)
      const view = async () => (await visitor.open(path)).status
      for (let n = 0; n < 3; n++) expect(await view()).toBe(200)
      await owner.update(page.id, { password: 'another one' })
      for (let n = 0; n < 3; n++) expect(await view()).toBe(403)
      await visitor.givePassword(path, 'another one')
      for (let n = 0; n < 3; n++) expect(await view()).toBe(200)
      app.advance(7 * 24 * HOUR_MS - 1000)
      expect(await view()).toBe(200)
      app.advance(2000)
      for (let n = 0; n < 3; n++) expect(await view()).toBe(403)
    })

    test('ends with the change that makes a page another one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const changes = [
        ...[{ access: 'password', password: 'abcd' }, { max_views: 50 }, { allow_comments: true }],
        ...[{ notify_on_view: true }, { expires_at: '2020-01-01T00:00:00Z' }],
      ]
      for (const change of changes) {
        const page = await owner.publish(LONG)
        const { ask } = serverOf(app, true)
        const view = () => ask(new Request(`${BASE_URL}/p/${page.slug}`))
        for (let n = 0; n < 3; n++) expect((await view()).status).toBe(200)
        await owner.update(page.id, change)
        const expiry = 'expires_at' in change ? 410 : 200
        const status = 'access' in change ? 403 : expiry
        for (let n = 0; n < 3; n++) expect((await view()).status).toBe(status)
      }
    })
  })
}
