import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'

const LINES = '<p>some words of a page\n'.repeat(60_000)
const HEAD =
  '<!doctype html><html><head><title>Large</title><meta property="og:title" content="own">'
const UNCOMPRESSED = { 'accept-encoding': 'identity' }

for (const engine of ENGINES) {
  describe(`a page that is not kept in memory, on ${engine}`, () => {
    it('is sent with its tags and the viewer’s token, as a small one is', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = '</head><form data-service><input name=a></form>'
      const settings = { og_title: 'Ours' }
      const small = await owner.publish(`${HEAD}${form}`, { ...settings, slug: 'small' })
      const large = await owner.publish(`${HEAD}${form}${LINES}`, { ...settings, title: 'x' })
      const read = async (url: string) => {
        const answer = await app.open(new URL(url).pathname, UNCOMPRESSED)
        expect(answer.status).toBe(200)
        return { answer, text: await answer.text() }
      }
      const [one, other] = [await read(small.url), await read(large.url)]
      expect(other.text).toEndWith(LINES)
      expect(other.text).toContain('content="Ours"')
      expect(other.text).not.toContain('content="own"')
      // What stands before the lines differs in what is the page's and the viewer's own.
      const start = other.text.slice(0, -LINES.length)
      expect(start).toMatch(/ data-token="[\w.-]+"/)
      const own = /(data-(?:token|stamp)=")[\w.-]+/g
      expect(start.replace(own, '$1')).toBe(one.text.replace(own, '$1'))
      const { headers } = await app.open(new URL(large.url).pathname, UNCOMPRESSED, 'HEAD')
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(other.text)))
      expect(headers.get('content-type')).toBe(other.answer.headers.get('content-type'))
    })
  })
}
