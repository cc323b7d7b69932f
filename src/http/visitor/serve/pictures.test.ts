import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { base64, fileOf } from '../../../testing/material.ts'
import { BASE_URL } from '../../../testing/node.ts'

const AGENT = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }
const SECRET = 'Merger with Example Corp'

const pictureOf = (app: TestApp, slug: string, headers = {}) =>
  app.open(`/p/${slug}/~/preview.png`, headers)
const tagFor = (slug: string) =>
  `<meta property="og:image" content="${BASE_URL}/p/${slug}/~/preview.png">`

async function etagOf(app: TestApp, slug: string): Promise<string> {
  const answer = await pictureOf(app, slug)
  expect(answer.status).toBe(200)
  return answer.headers.get('etag')!
}

for (const engine of ENGINES) {
  describe(`the picture of a link on ${engine}`, () => {
    it('is a PNG of the title, which is asked for again each time', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { slug, id } = await owner.publish('<p>x', { title: 'Quarterly plan' })
      const answer = await pictureOf(app, slug)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      const etag = answer.headers.get('etag')!
      expect((await pictureOf(app, slug, { 'if-none-match': etag })).status).toBe(304)
      await owner.update(id, { title: 'Another plan' })
      expect(await etagOf(app, slug)).not.toBe(etag)
      expect((await owner.page(id)).views).toBe(0)
    })

    it('of a gated or limited page shows nothing of it but what the owner wrote for links', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const open = await owner.publish('<p>x', { title: SECRET })
      // As nothing can be drawn of this title, it is the picture that says nothing.
      const neutral = await owner.publish('<p>x', { title: '年度報告' })
      const [shown, none] = [await etagOf(app, open.slug), await etagOf(app, neutral.slug)]
      expect(shown).not.toBe(none)
      for (const settings of [
        { access: 'password', password: 'open sesame' },
        { access: 'people', allowed_emails: ['ann@example.com'] },
        { access: 'email_gate' },
        { max_views: 5 },
      ]) {
        // A title is an account's once.
        const other = await app.owner()
        const { id, slug } = await other.publish('<p>x', { title: SECRET, ...settings })
        expect(await etagOf(app, slug)).toBe(none)
        await other.update(id, { og_title: SECRET })
        expect(await etagOf(app, slug)).toBe(shown)
      }
    })

    it('is not there where the page shows strangers nothing', async () => {
      await using app = await testApp(engine)
      const missing = await pictureOf(app, 'there-is-no-such-page')
      const notFound = await missing.text()
      for (const settings of [
        { access: 'private' },
        { publish: false },
        { expires_at: '2020-01-01T00:00:00Z' },
      ]) {
        const owner = await app.owner()
        const browser = await app.signedIn(owner)
        const texts = { title: SECRET, og_title: SECRET }
        const { slug } = await owner.publish('<p>x', { ...texts, ...settings })
        for (const open of [app.open, browser.open]) {
          const answer = await open(`/p/${slug}/~/preview.png`)
          expect([answer.status, await answer.text()]).toEqual([404, notFound])
        }
      }
      const owner = await app.owner()
      const { slug } = await owner.publish('<p>x', { max_views: 1 })
      expect((await pictureOf(app, slug)).status).toBe(200)
      await app.open(`/p/${slug}`)
      expect((await pictureOf(app, slug)).status).toBe(404)
    })

    it('is named to preview agents alone, where the page names no picture', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const plain = '<!doctype html><head><title>T</title><p>x'
      const { slug } = await owner.publish(plain)
      const named = await (await app.open(`/p/${slug}`, AGENT)).text()
      expect(named).toContain(`${tagFor(slug)}<meta name="twitter:card"`)
      expect(named).toContain('<p>x')
      expect(await (await app.open(`/p/${slug}`)).text()).toBe(plain)
      for (const tag of ['property="og:image"', 'name="twitter:image"', 'property=og:image:url']) {
        const html = `<!doctype html><head><meta ${tag} content=i.png><p>x`
        const own = await owner.publish(html)
        expect(await (await app.open(`/p/${own.slug}`, AGENT)).text()).toBe(html)
      }
      const gated = await owner.publish(plain, { access: 'password', title: SECRET })
      const stub = await (await app.open(`/p/${gated.slug}`, AGENT)).text()
      expect(stub).toContain(tagFor(gated.slug))
      expect(stub).not.toContain(SECRET)
    })

    it('of PDF and image pages is named with any Accept; an image is its own', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const file = (type: 'pdf' | 'png') =>
        owner.publish({ file_base64: base64(fileOf(type)), filename: `a.${type}` })
      const [pdf, png] = [await file('pdf'), await file('png')]
      for (const accept of ['*/*', 'text/html', 'image/*', 'application/pdf']) {
        const request = { ...AGENT, accept, range: 'bytes=0-99' }
        expect(await (await app.open(`/p/${pdf.slug}`, request)).text()).toContain(tagFor(pdf.slug))
        const own = `property="og:image" content="${BASE_URL}/p/${png.slug}?file"`
        expect(await (await app.open(`/p/${png.slug}`, request)).text()).toContain(own)
      }
      const image = await app.open(`/p/${png.slug}?file`, { ...AGENT, accept: '*/*' })
      expect(image.headers.get('content-type')).toBe('image/png')
      const person = await app.open(`/p/${pdf.slug}`, { accept: '*/*' })
      expect(person.headers.get('content-type')).toBe('application/pdf')
    })

    it('is drawn for one address 120 times in five minutes; drawn ones are sent', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x', { title: 'First' })
      const etag = await etagOf(app, slug)
      const { throttles } = app
      const limit = { name: 'link-picture', count: 120, windowS: 300 }
      for (let no = 1; no < 120; no++) await throttles.consume(limit, 'unknown')
      expect(await etagOf(app, slug)).toBe(etag)
      await owner.update(id, { title: 'Second' })
      const refused = await pictureOf(app, slug)
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    })
  })
}
