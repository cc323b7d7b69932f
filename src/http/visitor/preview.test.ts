import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { expectContentHeaders } from '../../testing/isolation.ts'
import { base64, fileOf } from '../../testing/material.ts'
import { BASE_URL } from '../../testing/node.ts'
import type { Owner } from '../../testing/people.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { BROWSER } from '../../testing/visitor.ts'

/** Headers of a frame in a document of ours. */
const FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }

async function previewOf(owner: Owner, id: string, input = {}): Promise<string> {
  const { url } = await owner.ask<{ url: string }>('POST', `/pages/${id}/preview`, input)
  expect(url).toStartWith(`${BASE_URL}/p/`)
  return url.slice(BASE_URL.length)
}
async function statusOf(app: TestApp, path: string): Promise<number> {
  return (await app.open(path, FRAME)).status
}
/** The answer for a file that is missing, to compare with. */
async function missing(app: TestApp): Promise<string> {
  return (await app.open('/p/there-is-no-such-page')).text()
}

for (const engine of ENGINES) {
  describe(`the preview of a page on ${engine}`, () => {
    it('shows the draft and any version, whatever is published, and counts no view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one', { max_views: 1, access: 'private' })
      await owner.update(id, { html: '<p>two' })
      const [draft, first] = [
        await previewOf(owner, id),
        await previewOf(owner, id, { version_no: 1 }),
      ]
      for (let time = 0; time < 3; time++) {
        expect(await (await app.open(draft, FRAME)).text()).toContain('<p>two')
        expect(await (await app.open(first, FRAME)).text()).toContain('<p>one')
      }
      await owner.ask('POST', `/pages/${id}/publish`)
      await owner.update(id, { html: '<p>three', expires_at: '2020-01-01T00:00Z' })
      expect(await (await app.open(draft, FRAME)).text()).toContain('<p>two')
      expect(await (await app.open(await previewOf(owner, id), FRAME)).text()).toContain('<p>three')
      expect((await owner.page(id)).views).toBe(0)
      const none = await owner.refused('POST', `/pages/${id}/preview`, { version_no: 99 })
      expect([none.status, none.body.error.code]).toEqual([404, 'version_not_found'])
    })

    it('is of one page and content, and ends: otherwise it is like a missing file', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const [page, theirs] = [await owner.publish('<p>mine'), await other.publish('<p>theirs')]
      const path = await previewOf(owner, page.id)
      const own = await previewOf(other, theirs.id)
      const [, token = ''] = /\/~([^/]+)\//.exec(path) ?? []
      const [, otherToken = ''] = /\/~([^/]+)\//.exec(own) ?? []
      const [version, seal, nonce, text, tag] = token.split('.')
      const [, , , otherText, otherTag] = otherToken.split('.')
      const forged = [
        [version, seal, nonce, otherText, tag],
        [version, seal, nonce, otherText, otherTag],
        [version, seal, nonce, text, tag!.slice(1)],
        [version, seal, nonce, text, tag, ''],
        [version, seal, nonce, text],
        [version],
        ['preview-v1', seal, nonce, text, tag],
      ].map((parts) => path.replace(token, parts.join('.')))
      const foreign = [
        path.replace(page.slug, theirs.slug),
        own.replace(theirs.slug, page.slug),
        `${path}/more`,
        path.replace('index.html', 'other.html'),
      ]
      const notFound = await missing(app)
      for (const bad of [...forged, ...foreign]) {
        const answer = await app.open(bad, FRAME)
        expect([bad, answer.status, await answer.text()]).toEqual([bad, 404, notFound])
      }
      expect((await other.refused('POST', `/pages/${page.id}/preview`)).status).toBe(404)
      expect(await statusOf(app, path)).toBe(200)
      app.advance(HOUR_MS - 5000)
      expect(await statusOf(app, path)).toBe(200)
      app.advance(6000)
      expect(await (await app.open(path, FRAME)).text()).toBe(notFound)
    })

    it('ends with the page, and with the version that it shows', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>0')
      const first = await previewOf(owner, id)
      for (let no = 1; no <= 52; no++) await owner.update(id, { html: `<p>${no}` })
      const published = await owner.ask<{ version_no: number }[]>('GET', `/pages/${id}/versions`)
      expect(published.at(-1)?.version_no).toBe(1)
      expect(await statusOf(app, first)).toBe(200)
      const draft = await previewOf(owner, id)
      await owner.ask('POST', `/pages/${id}/publish`)
      await owner.update(id, { html: '<p>last' })
      expect(await statusOf(app, first)).toBe(404)
      expect(await statusOf(app, draft)).toBe(200)
      await owner.call('DELETE', `/pages/${id}`)
      expect(await statusOf(app, draft)).toBe(404)
    })

    it('serves every file of a deck', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish({
        files: [
          { path: 'index.html', html: '<link rel="stylesheet" href="/a/style.css">' },
          { path: 'about/index.html', html: '<p>about' },
        ],
        assets: [{ path: 'a/style.css', data_base64: base64('p { color: red }') }],
      })
      const entry = await previewOf(owner, id)
      const root = entry.replace('index.html', '')
      expect(entry).toEndWith('/index.html')
      const [, style] = /href="([^"]+)"/.exec(await (await app.open(entry, FRAME)).text()) ?? []
      const styled = await app.open(new URL(style!, BASE_URL + entry).pathname)
      expect(await styled.text()).toBe('p { color: red }')
      for (const [from, to] of [
        [root, entry],
        [`${root}about`, `${root}about/`],
      ] as const) {
        const answer = await app.open(from, FRAME)
        expect([answer.status, answer.headers.get('location')]).toEqual([307, to])
      }
      const posted = await app.open(entry, FRAME, 'POST')
      expect(posted.status).toBe(405)
    })

    it('in a window shows the draft to its signed-in owner alone, and counts no view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const settings = { allow_comments: true, notify_on_view: true }
      const { id, slug } = await owner.publish('<p>live', settings)
      await owner.update(id, { html: '<form data-service><p>draft' })
      const path = await previewOf(owner, id)
      const browser = await app.signedIn(owner)
      for (const headers of [BROWSER, { ...BROWSER, 'if-none-match': '"x"', range: 'bytes=0-1' }]) {
        const response = await browser.open(path, headers)
        expect([response.status, (await response.text()).includes('<p>draft')]).toEqual([200, true])
        expect(response.headers.getSetCookie()).toEqual([])
        expect(response.headers.get('cache-control')).toBe('private, no-store')
        expectContentHeaders(response, 'sandbox preview')
      }
      const stranger = await app.open(path, BROWSER)
      const gate = await stranger.text()
      expect([stranger.status, gate.includes('draft'), gate.includes('live')]).toEqual([
        ...[403, false, false],
      ])
      expect(gate).toContain('This is a preview')
      expect(gate).toContain(`/app/sign-in?next=${encodeURIComponent(path)}`)
      const other = await app.signedIn(await app.owner())
      expect((await other.open(path, BROWSER)).status).toBe(403)
      const agent = await app.open(path, { 'user-agent': 'Slackbot 1.0' })
      expect(await agent.text()).not.toContain('draft')
      expect((await owner.page(id)).views).toBe(0)
      expect([...(await app.rows('view_facets')), ...(await app.rows('view_hours'))]).toEqual([])
      expect(app.mails.filter(({ to }) => to === owner.email)).toEqual([])
      expect((await browser.open(`/p/${slug}`, BROWSER)).status).toBe(200)
    })

    it('ends with the session that made it', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one')
      const [maker, other] = [await sessionOf(app, owner.email), await app.signedIn(owner)]
      const made = await maker.ask<{ url: string }>('POST', `/pages/${id}/preview`)
      const path = made.url.slice(BASE_URL.length)
      const byKey = await previewOf(owner, id)
      const all = () => Promise.all([path, byKey].map((each) => statusOf(app, each)))
      expect(await all()).toEqual([200, 200])
      expect((await other.open(path, BROWSER)).status).toBe(200)
      await maker.ask('DELETE', '/sessions/current')
      expect(await all()).toEqual([403, 200])
      expect((await other.open(path, BROWSER)).status).toBe(403)
    })

    it('shows a PDF or image in the viewer, with its file and without a download', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const type of ['pdf', 'png'] as const) {
        const content = fileOf(type)
        const file = { file_base64: base64(content), filename: `a "file".${type}` }
        const { id } = await owner.publish(file, { publish: false, allow_comments: true })
        const viewer = await app.open(await previewOf(owner, id), FRAME)
        const text = await viewer.text()
        expect(viewer.headers.get('content-security-policy')).toEndWith("; frame-ancestors 'self'")
        expect(viewer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
        expect(text).not.toContain('id="download"')
        expect(text).not.toContain('id="conversations"')
        const [, path] = /data-file="([^"]+)"/.exec(text) ?? []
        const bytes = await (await app.open(path!)).bytes()
        expect(Buffer.from(bytes).equals(Buffer.from(content))).toBe(true)
        const part = await app.open(path!, { range: 'bytes=0-3' })
        expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4])
        expectContentHeaders(part, 'file')
        expect(part.headers.get('cache-control')).toBe('private, no-store')
      }
    })

    it('holds no credential: nothing can be sent from it', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<form data-service><input name="a"></form>', {
        allow_comments: true,
        collect_votes: true,
        poll_question: 'Which?',
        poll_options: ['a', 'b'],
      })
      const answer = await app.open(await previewOf(owner, id), FRAME)
      const text = await answer.text()
      expect(text).toContain('data-preview')
      expect(text).not.toMatch(/data-token|data-stamp="[^"]/)
      expect(answer.headers.getSetCookie()).toEqual([])
      for (const token of ['', 'undefined']) {
        const sent = await app.respond({
          token,
          stamp: '',
          id: 'submission-1',
          data: '{"a":1}',
          controls: [],
        })
        expect(sent.status).toBe(403)
      }
      expect(await app.rows('responses')).toEqual([])
    })
  })
}

it('has no own origin where pages have theirs', async () => {
  await using app = await testApp('sqlite', { contentUrl: 'http://{page}.content.test' })
  const owner = await app.owner()
  const { id, slug } = await owner.publish('<p>x<script></script>')
  const path = await previewOf(owner, id)
  expect(await statusOf(app, path)).toBe(200)
  const sent = await app.open(`/p/${slug}`, BROWSER)
  const { host } = new URL(sent.headers.get('location')!)
  expect(host).toEndWith('.content.test')
  const answer = await app.fetch(new Request(`http://${host}${path}`, { headers: { host } }))
  expect([answer.status, (await answer.text()).includes('<p>x')]).toEqual([403, false])
})
