import { describe, expect, it } from 'bun:test'
import type { Report } from '../../../features/analytics/contract.ts'
import { ENGINES, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { PDF } from '../../../testing/views.ts'
import { BROWSER } from '../../../testing/visitor.ts'

const FORM = '<!doctype html><form data-service><input name="a"></form>'
const DECK = { files: ['index.html', 'b.html'].map((path) => ({ path, html: `<p>${path}` })) }

function tokensIn(html: string): { token: string; stamp: string } {
  const [, token = ''] = /data-time="([^"]*)"/.exec(html) ?? []
  const [, stamp = ''] = /data-stamp="([^"]*)"/.exec(html) ?? []
  return { token, stamp }
}

function report(app: TestApp, body: object, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  return app.fetch(new Request('http://handbill.test/~/time', init))
}

for (const engine of ENGINES) {
  describe(`the time of views on ${engine}`, () => {
    it('of a PDF is counted once however often it is reported, up to what has passed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(PDF())
      const read = () => owner.ask<Report>('GET', `/pages/${id}/analytics`)
      const tokens = tokensIn(await (await app.open(`/p/${slug}`, BROWSER)).text())
      const parts = [
        ['1', 10],
        ['3', 5],
        ['nothing', 5],
      ]
      app.advance(MINUTE_MS)
      for (let i = 0; i < 3; i += 1) {
        expect((await report(app, { ...tokens, seconds: 15, parts })).status).toBe(200)
      }
      expect(await read()).toMatchObject({
        measured: { opens: 1, seconds: 15, seconds_median: 15 },
        sheets: [
          { sheet: 1, views: 1, seconds: 10 },
          { sheet: 3, views: 1, seconds: 5 },
        ],
      })
      await report(app, { ...tokens, seconds: 900_000, parts: [['1', 900_000]] })
      await report(app, { ...tokens, seconds: 3, parts: [] })
      const { measured, sheets } = await read()
      expect(measured!.opens).toBe(1)
      expect(measured!.seconds).toBeGreaterThanOrEqual(60)
      expect(measured!.seconds).toBeLessThan(120)
      expect(sheets![0]!.seconds).toBe(measured!.seconds)
    })

    it('counts the files of a deck and places in them, and nothing that it lacks', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish({ ...DECK, allow_comments: true })
      const shell = await app.open(`/p/${slug}/index.html`, BROWSER)
      const tokens = tokensIn(await shell.text())
      app.advance(MINUTE_MS)
      const parts = [
        ['', 4],
        ['b.html#prices', 6],
        ['none.html', 6],
      ]
      await report(app, { ...tokens, seconds: 10, parts })
      const { files, sections } = await owner.ask<Report>('GET', `/pages/${id}/analytics`)
      expect(sections).toEqual([{ path: 'b.html#prices', views: 1, seconds: 6 }])
      expect(JSON.stringify(files)).not.toContain('none.html')
      const seconds = (await app.rows('view_facets')).filter(({ facet }) => facet === 'file')
      expect(seconds.map(({ value, seconds: spent }) => [value, spent]).sort()).toEqual([
        ['b.html', 6],
        ['index.html', 4],
      ])
    })

    it('is not measured of the owner, of a browser that asks not to be, or without a view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish({ ...PDF(), title: 'P' })
      const signedIn = await app.signedIn(owner)
      const own = tokensIn(await (await signedIn.open(`/p/${slug}`, BROWSER)).text())
      expect(own.token).toBe('')
      for (const header of ['dnt', 'sec-gpc']) {
        const answer = await app.open(`/p/${slug}`, { ...BROWSER, [header]: '1' })
        expect(tokensIn(await answer.text()).token).toBe('')
        const tokens = tokensIn(await (await app.open(`/p/${slug}`, BROWSER)).text())
        expect((await report(app, { ...tokens, seconds: 0 }, { [header]: '1' })).status).toBe(200)
      }
      const link = await owner.ask<{ url: string }>('POST', `/pages/${id}/links`, { label: 'Ann' })
      const visitor = app.visitor({ ...BROWSER, dnt: '1' })
      const sent = await visitor.open(new URL(link.url).pathname)
      const response = await visitor.open(sent.headers.get('location')!)
      expect(tokensIn(await response.text()).token).toBe('')
      const wrong = await report(app, { token: 'x', stamp: 'y', seconds: 5 })
      expect(wrong.status).toBe(403)
      const form = await owner.publish(FORM)
      await app.open(`/p/${form.slug}`)
      const { measured } = await owner.ask<Report>('GET', `/pages/${id}/analytics`)
      expect(measured).toEqual({ opens: 0, seconds: 0, seconds_median: null })
      expect(await app.rows('measured_views')).toEqual([])
    })
  })
}
