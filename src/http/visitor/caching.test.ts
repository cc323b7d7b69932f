import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { base64 } from '../../testing/material.ts'

const RAW = { 'sec-fetch-dest': 'empty' }
const htmlOf = (words: string) => `<!doctype html><title>Copies</title><p>${words}`

async function openTwice(app: TestApp, path: string, headers = {}) {
  const opened = [await app.open(path, RAW), await app.open(path, { ...RAW, ...headers })]
  const texts = await Promise.all(opened.map((each) => each.text()))
  return { texts, first: opened[0]!, second: opened[1]! }
}

for (const engine of ENGINES) {
  describe(`a page that is viewed again on ${engine}`, () => {
    it('has the same headers and bytes, and each view counts', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(htmlOf('once'))
      const { texts, first, second } = await openTwice(app, `/p/${slug}`)
      expect(texts).toEqual([htmlOf('once'), htmlOf('once')])
      expect([...second.headers]).toEqual([...first.headers])
      expect((await owner.page(id)).views).toBe(2)
    })

    it('is sent as it is now: its content, its settings, its password', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(htmlOf('old words'))
      const { first } = await openTwice(app, `/p/${slug}`)
      await owner.update(id, { html: htmlOf('new words') })
      await owner.ask('POST', `/pages/${id}/publish`)
      const after = await openTwice(app, `/p/${slug}`)
      expect(after.texts).toEqual([htmlOf('new words'), htmlOf('new words')])
      expect(after.second.headers.get('etag')).not.toBe(first.headers.get('etag'))
      expect(after.second.headers.get('x-robots-tag')).toBe('noindex')
      await owner.update(id, { indexed: true })
      const listed = await openTwice(app, `/p/${slug}`)
      expect(listed.second.headers.get('x-robots-tag')).toBeNull()
      await owner.update(id, { access: 'password', password: 'abcd' })
      const locked = await openTwice(app, `/p/${slug}`)
      expect(locked.second.status).toBe(403)
      expect(locked.texts.join()).not.toContain('new words')
    })

    it('is sent whole or in part as each request asks, whatever was asked before', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const files = [{ path: 'index.html', html: htmlOf('deck') }]
      const assets = [{ path: 'a.json', data_base64: base64('"0123456789"') }]
      const { slug } = await owner.publish({ files, assets })
      const path = `/p/${slug}/a.json`
      const parts = await openTwice(app, path, { range: 'bytes=1-4' })
      expect(parts.texts).toEqual(['"0123456789"', '0123'])
      expect(parts.second.status).toBe(206)
      const { texts, second } = await openTwice(app, path)
      expect(texts).toEqual(['"0123456789"', '"0123456789"'])
      expect([second.status, second.headers.get('content-range')]).toEqual([200, null])
    })
  })
}
