import { describe, expect, it } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newBlobKey } from '../../platform/blobs/index.ts'
import { sha256 } from '../../platform/ids.ts'
import { DAY_MS, ENGINES, HOUR_MS, MINUTE_MS, testApp } from '../../testing/app.ts'
import { storedKeys } from '../../testing/dump.ts'
import { base64, fileOf, htmlOf } from '../../testing/material.ts'
import { contentRows, expectReadable, NO_ROWS, sweepAll } from '../../testing/sweeping.ts'

/** Too large for a row. */
const LARGE = 100_000

for (const engine of ENGINES) {
  describe(`sweeping on ${engine}`, () => {
    it('removes content of a deleted page that was new, an hour after it was stored', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pages = [await owner.publish(htmlOf(200)), await owner.publish(htmlOf(LARGE))]
      for (const { id } of pages) await owner.call('DELETE', `/pages/${id}`)
      app.advance(HOUR_MS - MINUTE_MS)
      expect(await app.sweeper.sweep()).toEqual({ manifests: 0, blobs: 0 })
      expect(await contentRows(app)).toMatchObject({ blobs: 2, manifests: 2 })
      expect(await storedKeys(app)).toHaveLength(1)
      app.advance(MINUTE_MS + 1000)
      expect(await app.sweeper.sweep()).toEqual({ manifests: 2, blobs: 1 })
      expect(await contentRows(app)).toEqual(NO_ROWS)
      expect(await storedKeys(app)).toEqual([])
      expect(await app.sweeper.sweep()).toEqual({ manifests: 0, blobs: 0 })
    })

    it('removes the content of a page five minutes after it is deleted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [kept, gone] = [await owner.publish(htmlOf(LARGE)), await owner.publish(htmlOf(LARGE))]
      app.advance(2 * HOUR_MS)
      await app.sweeper.sweep()
      expect(await app.sweeper.isDue()).toBe(false)
      await owner.call('DELETE', `/pages/${gone.id}`)
      app.advance(4 * MINUTE_MS)
      expect(await app.sweeper.isDue()).toBe(false)
      expect(await app.sweeper.sweep()).toEqual({ manifests: 0, blobs: 0 })
      app.advance(MINUTE_MS + 1000)
      expect(await app.sweeper.isDue()).toBe(true)
      expect(await app.sweeper.sweep()).toEqual({ manifests: 1, blobs: 1 })
      expect(await app.sweeper.isDue()).toBe(false)
      expect(await storedKeys(app)).toHaveLength(1)
      expect((await app.open(`/p/${kept.slug}`)).status).toBe(200)
    })

    it('never removes what a draft, a version or the published page refers to', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const size of [300, LARGE]) {
        const [live, older, draft] = [htmlOf(size), htmlOf(size), htmlOf(size)]
        const { id, slug } = await owner.publish(live)
        await owner.update(id, { html: older })
        await owner.update(id, { html: draft })
        await sweepAll(app)
        expect(await owner.html(id)).toBe(draft)
        const version = await owner.ask<{ html: string }>('GET', `/pages/${id}/versions/2`)
        expect(version.html).toBe(older)
        expect(await (await app.open(`/p/${slug}`)).text()).toBe(live)
        await owner.ask('POST', `/pages/${id}/versions/1/restore`, { publish: true })
        await expectReadable(app, { owner, id, html: live })
      }
    })

    it('never removes what another page refers to', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      for (const html of [htmlOf(300), htmlOf(LARGE)]) {
        const gone = await owner.publish(html)
        const survivor = await other.publish(html)
        await owner.call('DELETE', `/pages/${gone.id}`)
        await sweepAll(app)
        await expectReadable(app, { owner: other, id: survivor.id, html })
      }
      expect(await contentRows(app)).toMatchObject({
        blobs: 2,
        manifests: 2,
        gc_candidate_manifests: 0,
      })
    })

    it('never removes a file that other content has as well', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const icon = fileOf('png', LARGE)
      const image = await owner.publish({ file_base64: base64(icon), filename: 'a.png' })
      const deck = await owner.publish({
        files: [{ path: 'index.html', html: '<img src="/a.png">' }],
        assets: [{ path: 'a.png', data_base64: base64(icon) }],
      })
      await owner.call('DELETE', `/pages/${image.id}`)
      await sweepAll(app)
      const answer = await app.open(`/p/${deck.slug}/a.png`)
      expect(Buffer.from(await answer.bytes()).equals(icon)).toBe(true)
      const served = await (await app.open(`/p/${deck.slug}/index.html`)).text()
      expect(served).toContain('a.png')
      expect(await contentRows(app)).toMatchObject({ manifests: 1, gc_candidate_blobs: 0 })
    })

    it('removes versions that were pruned, and not the published one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const live = htmlOf(200)
      const { id, slug } = await owner.publish(live)
      for (let i = 0; i < 55; i++) await owner.update(id, { html: `<!doctype html><p>edit ${i}` })
      await sweepAll(app)
      expect(await contentRows(app)).toMatchObject({ blobs: 51, manifests: 51 })
      expect(await (await app.open(`/p/${slug}`)).text()).toBe(live)
      for (const { version_no } of await owner.versions(id)) {
        await owner.ask('GET', `/pages/${id}/versions/${version_no}`)
      }
    })

    it('removes an upload an hour after its 24 hours are over', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      const { id } = await owner.upload(html)
      await owner.upload(html)
      for (let hours = 0; hours < 23; hours++) {
        app.advance(HOUR_MS)
        await app.sweeper.sweep()
        await app.sweeper.sweepOrphans()
      }
      const page = await owner.publish({ html_upload: id })
      await owner.call('DELETE', `/pages/${page.id}`)
      app.advance(2 * HOUR_MS)
      await app.sweeper.sweep()
      expect(await app.rows('uploads')).toEqual([])
      await sweepAll(app)
      expect(await contentRows(app)).toEqual(NO_ROWS)
      expect(await storedKeys(app)).toEqual([])
    })

    it('never removes a page’s content because an upload of the same bytes has expired', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      const { id } = await owner.publish({ html_upload: (await owner.upload(html)).id })
      app.advance(DAY_MS)
      await sweepAll(app)
      expect(await app.rows('uploads')).toEqual([])
      await expectReadable(app, { owner, id, html })
    })

    it('removes what was stored for a page that was then refused, also after several tries', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<!doctype html><p>x', { title: 'Taken' })
      const body = { html: htmlOf(LARGE), title: 'Taken' }
      await owner.refused('POST', '/pages', body)
      expect(await storedKeys(app)).toHaveLength(1)
      app.advance(50 * MINUTE_MS)
      await owner.refused('POST', '/pages', body)
      expect(await storedKeys(app)).toHaveLength(1)
      // The first try is more than an hour ago and the second is not: the file stays a candidate.
      app.advance(20 * MINUTE_MS)
      await app.sweeper.sweep()
      expect(await storedKeys(app)).toHaveLength(1)
      await sweepAll(app)
      expect(await storedKeys(app)).toEqual([])
      expect(await contentRows(app)).toMatchObject({
        blobs: 1,
        manifests: 1,
        gc_candidate_blobs: 0,
      })
    })

    it('removes files that no row names, an hour after they were written, and no others', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      const { id } = await owner.publish(html)
      const orphan = 'f'.repeat(32)
      const left = 'left by a crash'
      await app.blobs.put(orphan, Buffer.from(left), () => sha256(left))
      expect(await app.sweeper.sweepOrphans()).toBe(0)
      app.advance(HOUR_MS - MINUTE_MS)
      expect(await app.sweeper.sweepOrphans()).toBe(0)
      expect(await storedKeys(app)).toContain(orphan)
      app.advance(MINUTE_MS + 1000)
      expect(await app.sweeper.sweepOrphans()).toBe(1)
      expect(await storedKeys(app)).toHaveLength(1)
      await expectReadable(app, { owner, id, html })
    })

    it('keeps files that are older than the database: they are those of another one', async () => {
      await using app = await testApp(engine)
      const key = newBlobKey()
      await app.blobs.put(key, Buffer.from(key), () => sha256(key))
      await sweepAll(app)
      expect(await storedKeys(app)).toEqual([key])
      await (await app.owner()).publish(htmlOf(LARGE))
      await sweepAll(app)
      expect(await storedKeys(app)).toContain(key)
    })

    it('removes an unfinished file of a crash, an hour later', async () => {
      await using app = await testApp(engine)
      const halves = join(app.folder, 'blobs', 'tmp')
      await (await app.owner()).publish(htmlOf(LARGE))
      writeFileSync(join(halves, 'half'), 'the first half of a fi')
      expect(await app.sweeper.sweepOrphans()).toBe(0)
      app.advance(HOUR_MS - MINUTE_MS)
      expect(await app.sweeper.sweepOrphans()).toBe(0)
      expect(readdirSync(halves)).toEqual(['half'])
      app.advance(MINUTE_MS + 1000)
      expect(await app.sweeper.sweepOrphans()).toBe(1)
      expect(readdirSync(halves)).toEqual([])
      expect(await storedKeys(app)).toHaveLength(1)
    })
  })
}
