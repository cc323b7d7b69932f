import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'

const WORKING = '<!doctype html><meta name=viewport><script>s=new SharedWorker(name)</script>'

for (const engine of ENGINES) {
  describe(`pages of an earlier version on ${engine}`, () => {
    it('get the facts of this one in the background, each once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pages = []
      for (let i = 0; i < 21; i++) {
        pages.push(await owner.publish(WORKING + i, { title: `Page ${i}` }))
      }
      const edited = pages[0]!
      await owner.edit(edited.id, 's=', 't=')
      await app.database.write((tx) =>
        tx
          .updateTable('manifests')
          .set({ needs_origin: null, release: '{"format":3,"files":[]}' })
          .execute(),
      )
      expect((await owner.page(pages[1]!.id)).needs_origin).toEqual([])
      expect(await app.releaseRenewal.renewSome()).toBe(true)
      while (await app.releaseRenewal.renewSome()) {}
      for (const { id } of pages) expect((await owner.page(id)).needs_origin).toEqual(['worker'])
      const outdated = async () =>
        (await app.rows('manifests')).filter(({ needs_origin: needs }) => needs === null)
      expect(await outdated()).toEqual([])
      expect(await app.releaseRenewal.renewSome()).toBe(false)
    })

    it('leave out content that no page shows, and content whose bytes are gone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const lost = await owner.publish(`${WORKING}lost`, { title: 'Lost' })
      const survivor = await owner.publish(`${WORKING}first`, { title: 'Kept' })
      for (const word of ['second', 'third']) {
        await owner.update(survivor.id, { html: WORKING + word })
        await owner.ask('POST', `/pages/${survivor.id}/publish`)
      }
      await app.database.write(async (tx) => {
        await tx.updateTable('manifests').set({ needs_origin: null, release: null }).execute()
        await tx.deleteFrom('manifest_blobs').where('hash', '=', lost.sha256!).execute()
        await tx.deleteFrom('blobs').where('hash', '=', lost.sha256!).execute()
      })
      while (await app.releaseRenewal.renewSome()) {}
      expect((await owner.page(survivor.id)).needs_origin).toEqual(['worker'])
      expect((await owner.page(lost.id)).needs_origin).toEqual([])
      const renewed = (await app.rows('manifests')).filter(({ release }) => release !== null)
      expect(renewed).toHaveLength(1)
      const failed = app.log.lines.filter(({ level }) => level === 'error')
      expect(failed.map(({ msg }) => msg)).toEqual(['content could not be released again'])
    })
  })
}
