import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { base64, fileOf } from '../../testing/material.ts'
import { BROWSER } from '../../testing/visitor.ts'

const page = (path: string) => ({ path, html: `<!doctype html><title>T ${path}</title><p>words` })
const asset = (path: string) => ({ path, data_base64: base64(fileOf('png')) })

/** The cookie of a known browser: without it, each response would set a new one. */
const KNOWN = { cookie: `handbill_browser=${'b'.repeat(22)}` }

/** Status, headers and body as one text. */
async function whole(app: TestApp, path: string, headers: Record<string, string>, method = 'GET') {
  const answer = await app.open(path, { ...KNOWN, ...headers }, method)
  const lines = [...answer.headers].map((pair) => pair.join(': ')).sort()
  return [answer.status, ...lines, await answer.text()].join('\n')
}

const CLOSED: [string, object][] = [
  ['private', { access: 'private' }],
  ['password', { access: 'password' }],
  ['people', { access: 'people', allowed_emails: ['ann@example.com'] }],
  ['people who sign in', { access: 'people', require_signin: true, allow_access_requests: true }],
  ['email_gate', { access: 'email_gate', allowed_domains: ['example.com'] }],
  ['agreement', { agreement: { text: 'Tell nobody.' } }],
  ['unpublished', { publish: false }],
  ['expired', { expires_at: '2020-01-01T00:00:00Z' }],
]

for (const engine of ENGINES) {
  describe(`the response to a visitor whom a page does not admit, on ${engine}`, () => {
    it('is byte for byte the same whether or not the file exists', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const paths = ['team.html', 'about/', 'about', 'a.png', 'deep/b.png', '', 'index.html?x=1']
      for (const [, settings] of CLOSED) {
        const withAll = {
          files: ['index.html', 'team.html', 'about/index.html'].map(page),
          assets: ['a.png', 'deep/b.png'].map(asset),
        }
        const { id, slug } = await owner.publish({ ...withAll, ...settings, title: null })
        const requests = paths.flatMap((path) =>
          [{}, BROWSER, { range: 'bytes=0-1' }, { 'user-agent': 'Slackbot 1.0' }].flatMap(
            (headers) =>
              ['GET', 'HEAD'].map((method) => [`/p/${slug}/${path}`, headers, method] as const),
          ),
        )
        const answerAll = async () => {
          const answers: string[] = []
          for (const each of requests) answers.push(await whole(app, ...each))
          return answers
        }
        const there = await answerAll()
        const few = { files: [page('other.html')], assets: [], entry: 'other.html' }
        await owner.update(id, few)
        if (!('publish' in settings)) await owner.ask('POST', `/pages/${id}/publish`)
        expect(await answerAll()).toEqual(there)
      }
    })

    it('is the same for a page, a deck and a file, whatever their content', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const sources = [
        { html: '<title>One</title><p>words' },
        { html: `<title>Two</title><p>${'x'.repeat(90_000)}` },
        { files: [page('index.html')] },
        { file_base64: base64(fileOf('pdf', 5000)), filename: 'a.pdf' },
      ]
      for (const [, settings] of CLOSED) {
        const answers = new Set<string>()
        for (const source of sources) {
          const { id, slug } = await owner.publish({ ...source, ...settings })
          await owner.update(id, { slug: 'always-this-slug' })
          const text = await whole(app, '/p/always-this-slug', BROWSER)
          answers.add(text.replace(/name="token" value="[\w-]+"/g, ''))
          expect((await app.open(`/p/${slug}`)).status).toBe(404)
          await owner.call('DELETE', `/pages/${id}`)
        }
        expect(answers.size).toBe(1)
      }
    })

    it('is the same for invited people and for strangers', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const access = { access: 'people', allowed_emails: ['ann@example.com'] }
      const { id, slug } = await owner.publish('<p>words', access)
      const before = await whole(app, `/p/${slug}`, BROWSER)
      await owner.update(id, { allowed_emails: ['bob@example.org', 'eve@example.net'] })
      expect(await whole(app, `/p/${slug}`, BROWSER)).toBe(before)
      for (const address of ['ann@', 'bob@', 'eve@', 'example.org', owner.email]) {
        expect(before).not.toContain(address)
      }
    })

    it('is, for a preview agent, a stub with the owner’s words, which counts no view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const words = { og_title: 'For <previews>', og_description: 'And & more' }
      const agent = { 'user-agent': 'facebookexternalhit/1.1' }
      const gated = CLOSED.filter(([name]) => /^(password|people|email|agreement)/.test(name))
      for (const [, settings] of [...gated, ['limited', { max_views: 1 }] as const]) {
        const { id, slug } = await owner.publish({ html: page('').html, ...settings, ...words })
        const answer = await app.open(`/p/${slug}`, agent)
        const text = await answer.text()
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
        expect(text).toContain('content="For &lt;previews&gt;"')
        expect(text).not.toContain('words')
        expect(text).not.toContain('T <')
        expect((await owner.page(id)).views).toBe(0)
      }
      const { slug } = await owner.publish({ html: page('').html, access: 'private', ...words })
      expect((await app.open(`/p/${slug}`, agent)).status).toBe(403)
    })
  })
}
