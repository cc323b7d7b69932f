/** What own hosts answer from memory equals what they answer of a page that was just read. */
import { describe, expect, test } from 'bun:test'
import { ENGINES, testApp } from '../../../testing/app.ts'
import { CONTENT_URL, enter } from '../../../testing/own-host.ts'
import { serverOf } from '../../../testing/warm-server.ts'

const SCRIPT = '<script></script>'
const LONG = `<!doctype html><title>Long</title>${'<p>words and more words</p>'.repeat(90)}${SCRIPT}`
const PASSWORD = 'abcd'
const LOCKED = { html: LONG, access: 'password', password: PASSWORD }

for (const engine of ENGINES) {
  describe(`a page in memory, on its own host on ${engine}`, () => {
    test('is answered without a read, until access changes', async () => {
      await using app = await testApp(engine, { contentUrl: CONTENT_URL })
      const owner = await app.owner()
      const page = await owner.publish({ ...LOCKED, title: null })
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${page.slug}`, PASSWORD)
      const { origin, host, cookie } = await enter(app, visitor, `/p/${page.slug}`)
      const { ask, counters } = serverOf(app, true)
      const reads = async (headers = {}, method = 'GET') => {
        const all = { host, cookie, 'sec-fetch-dest': 'document', ...headers }
        const request = () => new Request(`${origin}/`, { method, headers: all })
        for (let n = 0; n < 2; n++) await ask(request())
        counters.reads = 0
        const { status } = await ask(request())
        return [status, counters.reads]
      }
      expect(await reads()).toEqual([200, 0])
      expect(await reads({}, 'HEAD')).toEqual([200, 0])
      expect(await reads({ 'if-none-match': '*' })).toEqual([304, 0])
      expect(await reads({ cookie: '' })).toEqual([303, 0])
      expect(await reads({ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' })).toEqual([
        403, 0,
      ])
      await owner.update(page.id, { password: 'another one' })
      expect(await reads()).toEqual([303, 0])
      // Its response is in memory again, after a view with the new password.
      const another = app.visitor()
      await another.givePassword(`/p/${page.slug}`, 'another one')
      const entered = await enter(app, another, `/p/${page.slug}`)
      expect(await reads({ cookie: entered.cookie })).toEqual([200, 0])
      expect(await reads()).toEqual([303, 0])
      await owner.update(page.id, { access: 'private' })
      expect(await reads()).toEqual([303, 0])
    })
  })
}
