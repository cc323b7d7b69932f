import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { storedKeys } from '../../testing/dump.ts'
import { base64, fileOf, htmlOf } from '../../testing/material.ts'

const IN_ROW_BYTES = 65_536

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** The blobs that hold this content: one, or none. */
async function blobsOf(app: TestApp, content: string | Uint8Array) {
  const hash = sha256(content)
  return (await app.rows('blobs')).filter((blob) => blob.hash === hash)
}

for (const engine of ENGINES) {
  describe(`content on ${engine}`, () => {
    it('up to 64 KiB is stored in its row, and larger content in a file', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [small, large] = [htmlOf(IN_ROW_BYTES), htmlOf(IN_ROW_BYTES + 1)]
      for (const html of [small, large]) {
        const { slug } = await owner.publish(html)
        expect(await (await app.open(`/p/${slug}`)).text()).toBe(html)
      }
      const [inRow] = await blobsOf(app, small)
      expect(inRow).toMatchObject({ size_bytes: IN_ROW_BYTES, storage_key: null })
      expect(Buffer.from(inRow!.data!).toString()).toBe(small)
      const [inFile] = await blobsOf(app, large)
      expect(inFile).toMatchObject({ size_bytes: IN_ROW_BYTES + 1, data: null })
      expect(await storedKeys(app)).toEqual([inFile!.storage_key!])
    })

    it('that is uploaded is stored in the same way', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [small, large] = [fileOf('pdf', IN_ROW_BYTES), fileOf('pdf', IN_ROW_BYTES + 1)]
      for (const bytes of [small, large]) {
        const { id } = await owner.upload(bytes)
        const { slug } = await owner.publish({ file_upload: id, filename: 'a.pdf' })
        expect(await (await app.open(`/p/${slug}`)).bytes()).toEqual(new Uint8Array(bytes))
      }
      expect(await blobsOf(app, small)).toMatchObject([{ storage_key: null }])
      const [inFile] = await blobsOf(app, large)
      expect(await storedKeys(app)).toEqual([inFile!.storage_key!])
    })

    it('has a random name on the disk, with nothing of the request or the content in it', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const bytes = fileOf('pdf', 100_000)
      await owner.publish({ file_base64: base64(bytes), filename: 'secret-plan.pdf' })
      const names = readdirSync(app.folder, { recursive: true, encoding: 'utf8' })
      expect(names.join('\n')).not.toContain('secret-plan')
      expect(names.join('\n')).not.toContain(sha256(bytes))
      expect(await storedKeys(app)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
      expect(readdirSync(join(app.folder, 'blobs', 'tmp'))).toEqual([])
    })

    it('of equal bytes is stored once, for all accounts and sources', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const bytes = fileOf('png', 200_000)
      const deck = {
        files: [{ path: 'index.html', html: '<img src="a.png">' }],
        assets: [
          { path: 'a.png', data_base64: base64(bytes) },
          { path: 'b.png', data_base64: base64(bytes) },
        ],
      }
      const { id } = await owner.upload(bytes)
      await other.upload(bytes)
      await owner.publish({ file_upload: id, filename: 'a.png' })
      await other.publish({ file_base64: base64(bytes), filename: 'other.png' })
      await other.publish(deck)
      expect(await blobsOf(app, bytes)).toHaveLength(1)
      expect(await storedKeys(app)).toHaveLength(1)
      expect(await app.rows('manifests')).toHaveLength(3)
    })

    it('is stored once when it is sent several times at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [small, large] = [htmlOf(300), htmlOf(100_000)]
      const all = [...Array(6).fill(small), ...Array(6).fill(large)]
      const pages = await Promise.all(all.map((html) => owner.publish(html)))
      expect(await blobsOf(app, small)).toHaveLength(1)
      expect(await blobsOf(app, large)).toHaveLength(1)
      expect(await storedKeys(app)).toHaveLength(1)
      for (const [at, { slug }] of pages.entries()) {
        expect(await (await app.open(`/p/${slug}`)).text()).toBe(all[at])
      }
    })

    it('that is uploaded after it was stored in a row stays there, without a file', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(500)
      await owner.publish(html)
      const upload = await owner.upload(html)
      expect(upload).toMatchObject({ sha256: sha256(html), size_bytes: 500 })
      expect(await storedKeys(app)).toEqual([])
      const { slug } = await owner.publish({ html_upload: upload.id })
      expect(await (await app.open(`/p/${slug}`)).text()).toBe(html)
    })

    it('that differs in anything visitors can see has another id', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const png = base64(fileOf('png'))
      const deck = (entry: string, ...paths: string[]) =>
        owner.publish({ files: paths.map((path) => ({ path, html: `<p>${path}` })), entry })
      await deck('a.html', 'a.html', 'b.html')
      await deck('a.html', 'b.html', 'a.html')
      expect(await app.rows('manifests')).toHaveLength(1)
      await deck('b.html', 'a.html', 'b.html')
      await owner.publish({ file_base64: png, filename: 'a.png' })
      await owner.publish({ file_base64: png, filename: 'b.png' })
      expect(await app.rows('manifests')).toHaveLength(4)
    })

    it('has its files in the order of the request', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const paths = ['z.html', 'a.html', 'm/index.html']
      const files = paths.map((path) => ({ path, html: `<p>${path}` }))
      const { id } = await owner.publish({ files, entry: 'm/index.html' })
      const read = await owner.ask<{ files: object[]; entry: string }>('GET', `/pages/${id}/html`)
      expect(read).toMatchObject({ files, entry: 'm/index.html' })
    })

    it('whose transaction fails leaves no row and no page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<p>first', { title: 'Taken' })
      const html = htmlOf(400)
      const { status } = await owner.refused('POST', '/pages', { html, title: 'Taken' })
      expect(status).toBe(409)
      expect(await blobsOf(app, html)).toEqual([])
      expect(await app.rows('manifests')).toHaveLength(1)
      expect(await app.rows('pages')).toHaveLength(1)
    })
  })
}
