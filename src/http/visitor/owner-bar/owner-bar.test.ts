import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { base64, fileOf } from '../../../testing/material.ts'
import type { Owner } from '../../../testing/people.ts'
import { sessionOf } from '../../../testing/signed-in.ts'
import { BROWSER } from '../../../testing/visitor.ts'

const DECK = { files: [{ path: 'index.html', html: '<title>Deck</title><p>one' }] }
const FILE = { file_base64: base64(fileOf('png')), filename: 'poster.png' }
const HTML = '<!doctype html><title>Page</title><p>one<script></script>'
const CONTENT: [string, string | object][] = [
  ['a page', HTML],
  ['a deck', DECK],
  ['an image', FILE],
]
const pathOf = (name: string, slug: string) =>
  name === 'a deck' ? `/p/${slug}/index.html` : `/p/${slug}`
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

/** The document that the signed-in owner gets. */
async function opened(app: TestApp, owner: Owner, path: string) {
  const answer = await (await app.signedIn(owner, BROWSER)).open(path)
  expect(answer.status).toBe(200)
  return { answer, text: await answer.text() }
}

/** The text of the bar, without its script. */
function barIn(text: string): string {
  const [bar = ''] =
    /<div id="owner-bar"[\s\S]*?<button type="button" id="owner-hide"/.exec(text) ?? []
  return bar
}

/** Texts that only the owner may receive. */
const BAR = /owner-bar|owner-publish|Copy link|\/app\/pages\/|x-handbill-request/i

for (const engine of ENGINES) {
  describe(`the owner’s bar on ${engine}`, () => {
    it('is in the document of the signed-in owner, on pages, decks and files', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const [name, content] of CONTENT) {
        const { id, slug, url } = await owner.publish(content)
        const { text } = await opened(app, owner, pathOf(name, slug))
        const bar = barIn(text)
        const edit = name === 'an image' ? '' : '/edit'
        expect(bar, name).toContain(`data-url="${url}"`)
        expect(bar, name).toContain(`href="/app/pages/${id}/share">Share</a>`)
        expect(bar, name).toContain(`href="/app/pages/${id}${edit}">`)
        expect(bar, name).toContain('>Live</p>')
        expect(bar, name).not.toContain('Publish')
      }
    })

    it('is in no answer to anybody else, nor to the owner’s programs and frames', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      for (const [name, content] of CONTENT) {
        const { slug } = await owner.publish(content, { allow_comments: true })
        const path = pathOf(name, slug)
        const stranger = await app.visitor(BROWSER).open(path)
        const signedIn = await (await app.signedIn(other, BROWSER)).open(path)
        const { text: own } = await opened(app, owner, path)
        const [files] = /\/p\/[\w-]+\/~v1[\w.-]+\//.exec(own) ?? []
        const frame = await app
          .visitor({ 'sec-fetch-dest': 'iframe' })
          .open(`${files}${name === 'an image' ? 'poster.png' : 'index.html'}`)
        const program = await (await app.signedIn(owner)).open(path)
        for (const answer of [stranger, signedIn, frame, program]) {
          expect(answer.status, name).toBeLessThan(300)
          const text = await answer.text()
          expect(text, name).not.toMatch(BAR)
        }
      }
    })

    it('sets no cookie and counts no view, and is not cached', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const [name, content] of CONTENT) {
        const { id, slug } = await owner.publish(content)
        const { answer, text } = await opened(app, owner, pathOf(name, slug))
        expect(answer.headers.getSetCookie(), name).toEqual([])
        expect(answer.headers.get('cache-control'), name).toMatch(/no-store/)
        expect(barIn(text), name).toContain('>0 views</a>')
        expect((await owner.page(id)).views, name).toBe(0)
      }
    })

    it('says the state in words, and offers to publish a draft that differs', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const changed = await owner.publish(HTML)
      await owner.update(changed.id, { html: `${HTML} two` })
      const limited = await owner.publish(HTML, { max_views: 1 })
      await (await app.visitor(BROWSER).open(`/p/${limited.slug}`)).text()
      const draft = await owner.publish(HTML, { publish: false, access: 'private' })
      const expired = await owner.publish(HTML, { expires_at: yesterday() })
      const cases: [string, string[], boolean][] = [
        [changed.slug, ['>Changes waiting</p>', 'Your draft differs', '>Link</span>'], true],
        [limited.slug, ['>Closed: view limit</p>', '>1 of 1 view</a>'], false],
        [draft.slug, ['>Draft</p>', 'This is your draft', '>Only you</span>'], true],
        [expired.slug, ['>Closed: expired</p>', 'The link has expired'], false],
      ]
      for (const [slug, words, mayPublish] of cases) {
        const bar = barIn((await opened(app, owner, `/p/${slug}`)).text)
        for (const each of words) expect(bar).toContain(each)
        expect(bar.includes('id="owner-publish"'), words[0]).toBe(mayPublish)
      }
    })

    it('shows the operator’s reason as text', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const operator = await app.owner()
      await app.accounts.setOperator(operator.email, true)
      const { id, slug } = await owner.publish(HTML)
      const session = await sessionOf(app, operator.email)
      await session.ask('POST', `/operator/pages/${id}/takedown`, { reason: '<b onclick="x">Spam' })
      const bar = barIn((await opened(app, owner, `/p/${slug}`)).text)
      expect(bar).toContain('>Taken down</p>')
      expect(bar).toContain('Reason: &lt;b onclick=&quot;x&quot;&gt;Spam</p>')
      expect(bar).not.toContain('<b ')
    })
  })
}

it('stays in our document where each page has an origin of its own', async () => {
  await using app = await testApp('sqlite', { contentUrl: 'http://{page}.content.test' })
  const owner = await app.owner()
  const { id, slug } = await owner.publish(HTML)
  const { text } = await opened(app, owner, `/p/${slug}`)
  expect(barIn(text)).toContain(`href="/app/pages/${id}/edit"`)
  const [files = ''] = /data-files="([^"]+)"/.exec(text)?.slice(1) ?? []
  expect(new URL(files).hostname).toEndWith('.content.test')
  const { host } = new URL(files)
  const token = /~\/frame\/([^/]+)\//.exec(files)![1]
  const cookie = `handbill_frame=${token}`
  const framed = await app.fetch(
    new Request(`http://${host}/`, { headers: { host, cookie, 'sec-fetch-dest': 'iframe' } }),
  )
  expect(framed.status).toBe(200)
  expect(await framed.text()).not.toMatch(BAR)
  const answer = await app.visitor(BROWSER).open(`/p/${slug}`)
  expect(answer.status).toBe(303)
  expect(await answer.text()).not.toMatch(BAR)
})
