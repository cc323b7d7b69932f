import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import type { PageObject } from '../../../model/page/page-object.ts'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { rowCounts, storedKeys } from '../../../testing/dump.ts'
import { base64, fileOf, HTML, htmlOf } from '../../../testing/material.ts'
import type { Owner } from '../../../testing/people.ts'
import type { Warning } from '../contract.ts'

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const MB = 1024 * 1024

async function served(app: TestApp, path: string): Promise<Uint8Array> {
  const answer = await app.open(path)
  expect(answer.status).toBe(200)
  return answer.bytes()
}

/** Expects that the content is refused with this code and that nothing of it is stored. */
async function expectNothing(app: TestApp, owner: Owner, body: object, code: string) {
  await app.quiet()
  const before = await rowCounts(app)
  const answer = await owner.refused('POST', '/pages', body)
  expect(answer.body.error.code).toBe(code)
  expect(answer.body.error.message).toMatch(/\.$|: handbill account plan \S+ pro$/)
  expect(await rowCounts(app)).toEqual(before)
  expect(await storedKeys(app)).toEqual([])
}

for (const engine of ENGINES) {
  describe(`content is imported on ${engine}`, () => {
    it('as html, html_base64, html_url or html_upload: the same bytes, the same content', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = '<!doctype html><p>Grüße 😀'
      const url = 'https://elsewhere.example/page'
      app.fetched.set(url, { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' })
      const { id } = await owner.upload(html)
      const sources = [
        { html },
        { html_base64: base64(html) },
        { html_url: url },
        { html_upload: id },
      ]
      for (const source of sources) {
        const page = await owner.publish({ ...source, sha256: sha256(html).toUpperCase() })
        expect(page).toMatchObject({ kind: 'single', entry_path: null, file: null, file_count: 1 })
        expect(Buffer.from(await served(app, `/p/${page.slug}`)).toString()).toBe(html)
        expect(await owner.html(page.id)).toBe(html)
      }
      expect(await app.rows('manifests')).toHaveLength(1)
      expect(await app.rows('blobs')).toHaveLength(1)
    })

    it('as a file: file_base64, file_url or file_upload, served byte for byte', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const bytes = fileOf('pdf', 5000)
      const url = 'https://elsewhere.example/a/Report%201.pdf?x=1'
      app.fetched.set(url, { bytes, contentType: 'text/plain' })
      const { id } = await owner.upload(bytes)
      const named = { filename: 'Report 1.pdf' }
      const sources = [
        { file_base64: base64(bytes), ...named },
        { file_url: url },
        { file_upload: id, ...named, mime: 'application/pdf' },
      ]
      for (const [at, source] of sources.entries()) {
        const page = await owner.publish(source)
        const file = { name: 'Report 1.pdf', mime: 'application/pdf', size_bytes: 5000 }
        const title = at === 0 ? 'Report 1.pdf' : `Report 1.pdf (${at + 1})`
        expect(page).toMatchObject({ kind: 'single', entry_path: null, file, title })
        expect(Buffer.from(await served(app, `/p/${page.slug}`)).equals(bytes)).toBe(true)
        const read = await owner.refused('GET', `/pages/${page.id}/html`)
        expect([read.status, read.body.error.code]).toEqual([400, 'not_html'])
      }
      expect(await app.rows('manifests')).toHaveLength(1)
    })

    it('as a deck, with files and assets in the request or uploaded before', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [icon, big] = [fileOf('png'), htmlOf(2 * MB)]
      const [image, pageTwo] = [await owner.upload(icon), await owner.upload(big)]
      const page = await owner.publish({
        files: [
          { path: 'a/start.html', html: HTML },
          { path: './two.html', upload: pageTwo.id },
        ],
        assets: [
          { path: 'img/one.png', data_base64: base64(icon) },
          { path: 'img/two.png', upload: image.id },
        ],
      })
      expect(page).toMatchObject({ kind: 'bundle', entry_path: 'two.html', file_count: 2 })
      const at = (path: string) => served(app, `/p/${page.slug}/${path}`)
      expect(Buffer.from(await at('a/start.html')).toString()).toBe(HTML)
      expect(Buffer.from(await at('two.html')).toString()).toBe(big)
      expect(Buffer.from(await at('img/one.png')).equals(icon)).toBe(true)
      expect(Buffer.from(await at('img/two.png')).equals(icon)).toBe(true)
    })

    it('and leaves nothing where it is refused', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'free' })
      const html = '<p>x'
      const fileBase64 = base64('neither PDF nor image')
      const deck = { files: [{ path: 'index.html', html }] }
      const refused: [string, object][] = [
        ['content_source', { title: 'Nothing' }],
        ['content_source', { html, html_base64: base64(html) }],
        ['content_source', { html, ...deck }],
        ['content_source', { html, entry: 'index.html' }],
        ['content_source', { ...deck, sha256: sha256(html) }],
        ['sha256_mismatch', { html, sha256: sha256('<p>y') }],
        ['empty_html', { html: '' }],
        ['invalid_html_base64', { html_base64: '' }],
        ['invalid_html_base64', { html_base64: base64(new Uint8Array([0xc3, 0x28])) }],
        ['elided_html', { html: '<img src="ELIDED-BY-SERVICE-2000-CHARS">' }],
        ['unsupported_file_type', { file_base64: fileBase64, filename: 'a.pdf' }],
        ['upload_not_found', { html_upload: 'up_none' }],
        ['empty_deck', { files: [] }],
        ['bad_path', { files: [{ path: '../up.html', html }] }],
        ['empty_deck', { files: [{ path: '~v1.cap/x.html', html }] }],
        [
          'empty_html',
          {
            files: [
              { path: 'index.html', html: ' ' },
              { path: 'a.html', html },
            ],
          },
        ],
        ['duplicate_path', { files: [...deck.files, { path: './index.html', html }] }],
        ['bad_entry', { ...deck, entry: 'other.html' }],
        ['unsupported_file_type', { ...deck, assets: [{ path: 'a.html', data_base64: 'AAAA' }] }],
        ['too_many_files', { files: Array(61).fill(deck.files[0]) }],
        ['plan_required', { html, max_views: 1 }],
      ]
      for (const [code, body] of refused) await expectNothing(app, owner, body, code)
    })

    it('without what cannot be kept, which warnings list, and all that is wrong at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const latin1 = await owner.upload(Buffer.from('<title>é</title>\n<p>\x9d\x93', 'latin1'))
      const files = [
        { path: 'index.html', html: HTML },
        { path: 'part.html', html: '' },
        { path: 'old.html', upload: latin1.id },
      ]
      const asset = (path: string) => ({ path, data_base64: base64('p{}\xe9') })
      const assets = ['~v1.cap/a.css', 'Icon\r', '~ann/A.css', '~ann/a.css'].map(asset)
      const { body } = await owner.call<{ data: PageObject; warnings: Warning[] }>(
        'POST',
        '/pages',
        { files, assets },
      )
      expect(body.warnings.slice(0, 3)).toMatchObject([
        { code: 'left_out', path: '~v1.cap/a.css', message: expect.stringMatching(/reserved/) },
        { code: 'left_out', path: 'Icon\r', message: expect.stringMatching(/control character/) },
        { code: 'guessed_encoding', path: 'old.html', line: 1 },
      ])
      const { slug } = body.data
      expect(Buffer.from(await served(app, `/p/${slug}/~ann/A.css`)).toString()).toBe('p{}é')
      expect(Buffer.from(await served(app, `/p/${slug}/old.html`)).toString()).toContain('>\x9d“')
      // The same content again is what the page has: with its warnings, and no further version.
      const kept = files.map(({ path }) => ({ path, keep: path }))
      const again = await owner.call<{ warnings: Warning[] }>('PATCH', `/pages/${body.data.id}`, {
        files: kept,
      })
      expect(again.body.warnings).toContainEqual(body.warnings[2]!)
      expect(await app.rows('versions')).toHaveLength(1)

      const wrong = await owner.refused('POST', '/pages', {
        files: [...files, { path: '../a.html', html: HTML }],
        assets: [{ path: 'a.png', upload: 'up_none' }],
      })
      expect(wrong.body.error).toMatchObject({
        code: 'bad_path',
        param: 'files.3.path',
        message: expect.stringMatching(/"\.\.\/a\.html" contains \. or \.\..*no such upload/),
        problems: [
          { code: 'bad_path', param: 'files.3.path' },
          { code: 'upload_not_found', param: 'assets.0.upload' },
        ],
      })
    })

    it('not when it is over the plan’s limit, and then nothing of it is stored', async () => {
      await using app = await testApp(engine)
      const [free, pro] = [await app.owner({ plan: 'free' }), await app.owner()]
      const url = 'https://elsewhere.example/large'
      app.fetched.set(url, { bytes: Buffer.from(htmlOf(5 * MB + 1)), contentType: null })
      await expectNothing(app, free, { html_url: url }, 'content_too_large')
      expect((await pro.publish({ html_url: url })).is_published).toBe(true)
      app.fetched.set(url, { bytes: Buffer.from(htmlOf(5 * MB)), contentType: null })
      expect((await free.publish({ html_url: url })).is_published).toBe(true)
    })

    it('from uploads of the same account, within 24 hours', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id } = await owner.upload(HTML)
      const foreign = await other.refused('POST', '/pages', { html_upload: id })
      expect([foreign.status, foreign.body.error.code]).toEqual([400, 'upload_not_found'])
      expect((await owner.publish({ html_upload: id })).title).toBe('Plan')
      expect((await owner.publish({ html_upload: id })).title).toBe('Plan (2)')
      app.advance(DAY_MS)
      const late = await owner.refused('POST', '/pages', { html_upload: id })
      expect([late.status, late.body.error.param]).toEqual([400, 'html_upload'])
    })

    it('not from uploads that are empty, too large or interrupted', async () => {
      await using app = await testApp(engine)
      const { key } = await app.owner({ plan: 'free' })
      const chunk = new Uint8Array(MB)
      async function* chunks(count: number, end?: Error) {
        for (let i = 0; i < count; i++) yield chunk
        if (end !== undefined) throw end
      }
      const upload = (body: BodyInit | AsyncIterable<Uint8Array>) =>
        app.api('/uploads', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: body as BodyInit,
        })
      const before = await rowCounts(app)
      expect((await upload('')).status).toBe(400)
      const over = await upload(chunks(6))
      expect([over.status, ((await over.json()) as { error: object }).error]).toMatchObject([
        413,
        { code: 'content_too_large', limit: 5 * MB, plan: 'free' },
      ])
      const broken = upload(chunks(2, new Error('the line went dead')))
      expect((await broken.catch(() => ({ status: 500 }))).status).toBe(500)
      await app.quiet()
      expect(await rowCounts(app)).toEqual(before)
      expect(await storedKeys(app)).toEqual([])
    })
  })
}
