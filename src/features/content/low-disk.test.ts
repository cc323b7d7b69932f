import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { rowCounts, storedKeys } from '../../testing/dump.ts'
import { base64, fileOf, htmlOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createForm, outcomeOf } from '../../testing/test-form.ts'

const GB = 1024 ** 3

/** Of a disk of 100 GB, content leaves 1 GB free. */
function leave(app: TestApp, bytes: number): void {
  app.disk.free_bytes = GB + bytes
}

async function storedIn(app: TestApp) {
  await app.quiet()
  return [await rowCounts(app), await storedKeys(app)]
}

async function upload(app: TestApp, { key }: Owner, bytes: Uint8Array | string, path = 'uploads') {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await app.api(`/${path}`, { method: 'POST', headers, body: bytes as BodyInit })
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string } } }
}

for (const engine of ENGINES) {
  describe(`on a disk with its reserve alone, on ${engine}`, () => {
    it('nothing that stores content is stored, and each route says so with 507', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const single = await owner.publish(htmlOf(1000))
      const deck = await owner.publish({ files: [{ path: 'index.html', html: '<p>deck' }] })
      const pdf = await owner.publish({ file_base64: base64(fileOf('pdf')), filename: 'a.pdf' })
      const { id: uploaded } = await owner.upload(htmlOf(2000))
      const link = await owner.ask<{ url: string }>('POST', '/uploads/links')
      const archive = await app.api('/account/export', {
        headers: { authorization: `Bearer ${owner.key}` },
      })
      const zip = await archive.bytes()
      const url = 'https://elsewhere.example/page'
      app.fetched.set(url, { bytes: Buffer.from(htmlOf(3000)), contentType: 'text/html' })
      const [form, thread] = [await createForm(app, owner), await createThread(app, owner)]
      const before = await storedIn(app)
      leave(app, 0)

      const [small, large] = [htmlOf(1000), htmlOf(300_000)]
      const edits = [{ find: '<p>', replace: '<p class="x">' }]
      const asset = { path: 'a.png', data_base64: base64(fileOf('png')) }
      const files = [{ path: 'index.html', html: small }]
      const writes: [method: string, path: string, body: object][] = [
        ['POST', '/pages', { html: small }],
        ['POST', '/pages', { html: large }],
        ['POST', '/pages', { html_base64: base64(small), publish: false }],
        ['POST', '/pages', { html_url: url }],
        ['POST', '/pages', { html_upload: uploaded, title: 'Uploaded' }],
        ['POST', '/pages', { files, assets: [asset] }],
        ['POST', '/pages', { file_base64: base64(fileOf('pdf')), filename: 'b.pdf' }],
        ['PATCH', `/pages/${single.id}`, { html: small }],
        ['PATCH', `/pages/${deck.id}`, { files, assets: [asset] }],
        ['PATCH', `/pages/${pdf.id}`, { file_base64: base64(fileOf('pdf')), filename: 'a.pdf' }],
        ['PATCH', `/pages/${single.id}/html`, { edits }],
        ['POST', `/pages/${thread.id}/comments`, { body: 'A comment' }],
      ]
      for (const [method, path, body] of writes) {
        const { status, body: answer } = await owner.refused(method, path, body)
        const what = `${method} ${path} ${Object.keys(body)}`
        expect([what, status, answer.error.code]).toEqual([what, 507, 'storage_full'])
        expect(answer.error.message).toContain('no space left, and nothing was saved')
      }
      for (const body of ['small', fileOf('pdf', 300_000)]) {
        expect(await upload(app, owner, body)).toMatchObject({
          status: 507,
          body: { error: { code: 'storage_full' } },
        })
      }
      const linked = await app.fetch(new Request(link.url, { method: 'PUT', body: 'small' }))
      expect(linked.status).toBe(507)
      expect(await upload(app, owner, zip, 'account/import')).toMatchObject({
        status: 507,
        body: { error: { code: 'storage_full' } },
      })
      expect(await outcomeOf(form.send('browser', { a: 'b' }))).toBe('storage_full')
      expect(await outcomeOf(thread.post('ann', 'A comment'))).toBe('storage_full')
      expect(await storedIn(app)).toEqual(before)

      leave(app, 10_000_000)
      for (const [method, path, body] of writes) {
        const { status } = await owner.call(method, path, body)
        expect([path, Object.keys(body), status < 300]).toEqual([path, Object.keys(body), true])
      }
      expect(await outcomeOf(form.send('browser', { a: 'b' }))).toBe('stored')
      expect(await outcomeOf(thread.post('ann', 'A comment'))).toBe('stored')
    })

    it('what is larger than the space above the reserve is refused, what is smaller is not', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      leave(app, 200_000)
      expect((await owner.call('POST', '/pages', { html: htmlOf(250_000) })).status).toBe(507)
      expect((await upload(app, owner, fileOf('pdf', 250_000))).status).toBe(507)
      expect((await owner.call('POST', '/pages', { html: htmlOf(150_000) })).status).toBe(201)
      expect((await upload(app, owner, fileOf('pdf', 150_000))).status).toBe(201)
    })

    it('an import that begins above it ends page by page', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      for (const size of [100_000, 100_000]) await owner.publish(htmlOf(size))
      const archive = await app.api('/account/export', {
        headers: { authorization: `Bearer ${owner.key}` },
      })
      const hold = app.holdWrite()
      const importing = upload(app, other, await archive.bytes(), 'account/import')
      await hold.reached
      leave(app, 0)
      hold.release()
      const { status, body } = await importing
      expect(status).toBe(200)
      // What the last transaction of the first page shows was stored before.
      const { data } = body as { data: { pages: { status: string; reason: string | null }[] } }
      expect(data.pages.map((each) => each.status)).toEqual(['imported', 'failed'])
      expect(data.pages[1]!.reason).toMatch(/no space left|has space for/)
      expect(await other.ask<unknown[]>('GET', '/pages')).toHaveLength(1)
    })

    it('views, deletes, changes of access and signing in go on', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(htmlOf(1000), { max_views: 10 })
      const form = await createForm(app, owner)
      const receipt = await form.send('browser', { a: 'b' })
      const { id: draft } = await owner.publish(htmlOf(2000), { publish: false })
      leave(app, -GB / 2)
      expect((await app.open(`/p/${page.slug}`)).status).toBe(200)
      expect((await owner.page(page.id)).views).toBe(1)
      expect((await owner.update(page.id, { access: 'private', title: 'Shut' })).title).toBe('Shut')
      expect((await app.open(`/p/${page.slug}`)).status).toBe(403)
      for (const [method, path, status] of [
        ['POST', `/pages/${draft}/publish`, 200],
        ['DELETE', `/pages/${draft}/publish`, 200],
        ['POST', `/pages/${draft}/versions/1/restore`, 200],
        ['DELETE', `/pages/${form.id}/responses/${receipt.id}`, 204],
        ['DELETE', `/pages/${page.id}`, 204],
      ] as const) {
        const body = path.endsWith('restore') ? {} : undefined
        expect([path, (await owner.call(method, path, body)).status]).toEqual([path, status])
      }
      const visitor = await app.signedIn(owner)
      expect((await visitor.open('/app')).status).toBe(200)
    })
  })
}
