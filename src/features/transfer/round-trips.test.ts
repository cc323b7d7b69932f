import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { exported, imported, nameOf } from '../../testing/archives.ts'

const ONE = { baseUrl: 'https://one.example' }
const TWO = { baseUrl: 'https://two.example' }
const THREE = { baseUrl: 'https://three.example' }

function pageIn(archive: Map<string, string>): Record<string, unknown> {
  return JSON.parse(archive.get(nameOf(archive, 'page.json'))!)
}

for (const engine of ENGINES) {
  describe(`a page that moves from server to server, on ${engine}`, () => {
    it('is imported once, although its slug changed on the way', async () => {
      await using one = await testApp(engine, ONE)
      await using two = await testApp(engine, TWO)
      const [owner, target, stranger] = [await one.owner(), await two.owner(), await two.owner()]
      await owner.publish('<p>x', { slug: 'home', title: 'Home' })
      await stranger.publish('<p>y', { slug: 'home' })
      const archive = await exported(one, owner)
      const [moved] = await imported(two, target, archive)
      expect(moved!.status).toBe('imported')
      expect(moved!.slug).not.toBe('home')
      for (const slug of [moved!.slug, 'renamed-home']) {
        await target.update(moved!.id, { slug })
        expect(await imported(two, target, archive)).toMatchObject([
          { status: 'skipped', reason: `This account has this page already: its slug is ${slug}.` },
        ])
      }
      expect(await target.ask<unknown[]>('GET', '/pages')).toHaveLength(1)
      // Of another account it is none that was made there: its slug alone is the same.
      expect(await imported(two, stranger, archive)).toMatchObject([
        { status: 'skipped', reason: 'This account has a page with this slug already.' },
      ])
      await target.call('DELETE', `/pages/${moved!.id}`)
      expect(await imported(two, target, archive)).toMatchObject([{ status: 'imported' }])
    })

    it('is known again on the server where it was made, and on a third by either way', async () => {
      await using one = await testApp(engine, ONE)
      await using two = await testApp(engine, TWO)
      await using three = await testApp(engine, THREE)
      const [owner, target, last] = [await one.owner(), await two.owner(), await three.owner()]
      const { id } = await owner.publish('<p>x', { slug: 'home', title: 'Home' })
      const first = await exported(one, owner)
      expect(pageIn(first).origin).toBeNull()
      const [there] = await imported(two, target, first)
      await target.update(there!.id, { slug: 'moved', title: 'Moved' })
      const second = await exported(two, target)
      expect(pageIn(second).origin).toEqual({ server: ONE.baseUrl, page_id: id })

      expect(await imported(one, owner, second)).toMatchObject([
        { status: 'skipped', reason: 'This account has this page already: its slug is home.' },
      ])
      const [thrice] = await imported(three, last, second)
      expect(thrice).toMatchObject({ status: 'imported', slug: 'moved' })
      expect(await imported(three, last, first)).toMatchObject([{ status: 'skipped' }])
      const third = await exported(three, last)
      const { id: _id, updated_at, ...same } = pageIn(second)
      expect(pageIn(third)).toMatchObject(same)
      expect(await imported(one, owner, third)).toMatchObject([{ status: 'skipped' }])

      await owner.call('DELETE', `/pages/${id}`)
      expect(await imported(one, owner, third)).toMatchObject([
        { status: 'imported', slug: 'moved' },
      ])
      expect(await imported(one, owner, second)).toMatchObject([{ status: 'skipped' }])
    })

    it('is imported from an export that does not say where it was made', async () => {
      await using one = await testApp(engine, ONE)
      await using two = await testApp(engine, TWO)
      const [owner, target] = [await one.owner(), await two.owner()]
      await owner.publish('<p>x', { slug: 'home' })
      const archive = await exported(one, owner)
      const { origin: _origin, ...older } = pageIn(archive)
      archive.set(nameOf(archive, 'page.json'), JSON.stringify(older))
      archive.set('handbill.json', '{"format":"handbill-archive-1"}')
      const [page] = await imported(two, target, archive)
      await target.update(page!.id, { slug: 'renamed' })
      expect(await imported(two, target, archive)).toMatchObject([{ status: 'skipped' }])
    })
  })
}
