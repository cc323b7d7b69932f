import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import type { Owner, Version } from '../../testing/people.ts'

async function contentOf(owner: Owner, id: string, versionNo: number): Promise<string> {
  const version = await owner.ask<{ html: string }>('GET', `/pages/${id}/versions/${versionNo}`)
  return version.html
}
const numbersOf = async (owner: Owner, id: string) =>
  (await owner.versions(id)).map((version) => version.version_no)
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)

for (const engine of ENGINES) {
  describe(`versions on ${engine}`, () => {
    it('keep the newest 50 unnamed ones, all named ones, and the published one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>live')
      await owner.update(id, { html: '<p>named' })
      const named: Version = await owner.ask('PATCH', `/pages/${id}/versions/2`, {
        label: ' Keep ',
      })
      expect(named).toMatchObject({ version_no: 2, label: 'Keep', source: 'edit' })
      for (let i = 3; i <= 51; i++) await owner.update(id, { html: `<p>edit ${i}` })
      expect(await numbersOf(owner, id)).toEqual(down(51, 1))
      for (let i = 52; i <= 60; i++) await owner.update(id, { html: `<p>edit ${i}` })
      expect(await numbersOf(owner, id)).toEqual([...down(60, 11), 2, 1])
      expect(await contentOf(owner, id, 1)).toBe('<p>live')
      expect(await contentOf(owner, id, 2)).toBe('<p>named')
      expect((await owner.refused('GET', `/pages/${id}/versions/10`)).status).toBe(404)
      expect(await (await app.open(`/p/${slug}`)).text()).toEndWith('<p>live')
    })

    it('are removed once they are neither named nor published', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>1')
      for (let i = 2; i <= 55; i++) await owner.update(id, { html: `<p>${i}` })
      await owner.ask('PATCH', `/pages/${id}/versions/6`, { label: 'Kept' })
      await owner.update(id, { html: '<p>56' })
      expect(await numbersOf(owner, id)).toEqual([...down(56, 6), 1])
      await owner.ask('POST', `/pages/${id}/publish`)
      await owner.ask('PATCH', `/pages/${id}/versions/6`, { label: null })
      await owner.update(id, { html: '<p>57' })
      expect(await numbersOf(owner, id)).toEqual(down(57, 8))
    })

    it('never use a number twice', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>0')
      const seen = new Map<number, string>()
      for (let i = 1; i <= 60; i++) {
        await owner.update(id, { html: `<p>${i}` })
        if (i % 20 === 0) await owner.ask('POST', `/pages/${id}/versions/${i - 2}/restore`)
        for (const { version_no, created_at } of await owner.versions(id)) {
          expect(seen.get(version_no) ?? created_at).toBe(created_at)
          seen.set(version_no, created_at)
        }
      }
      expect([...seen.keys()].sort((a, b) => a - b)).toEqual(down(64, 1).reverse())
    })
  })
}
