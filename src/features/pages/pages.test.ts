import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, testApp } from '../../testing/app.ts'
import { dumpDatabase, rowCounts, storedKeys } from '../../testing/dump.ts'
import { base64, fileOf, HTML, htmlOf } from '../../testing/material.ts'
import { sweepAll } from '../../testing/sweeping.ts'

for (const engine of ENGINES) {
  describe(`a page on ${engine}`, () => {
    it('is published when it is created, with no views', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(HTML)
      expect(page).toMatchObject({ title: 'Plan', is_published: true, views: 0, kind: 'single' })
      expect(page.slug).toMatch(/^[2-9a-km-np-z]{12}$/)
      const opened = await app.open(`/p/${page.slug}`)
      expect([opened.status, await opened.text()]).toEqual([200, HTML])
      expect((await owner.page(page.id)).views).toBe(1)
    })

    it('is a private draft with publish false, of which visitors see nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(HTML, { publish: false })
      expect(page).toMatchObject({ is_published: false, published_at: null })
      const opened = await app.open(`/p/${page.slug}`)
      const text = await opened.text()
      expect([opened.status, text.includes('not published')]).toEqual([404, true])
      expect(text).not.toContain('hello')
      expect(text).not.toContain('Plan')
      expect((await owner.page(page.id)).views).toBe(0)
    })

    it('stores nothing that its owner did not send, and no key of the account', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish(HTML)
      const [row] = (await app.rows('pages')).filter((page) => page.id === id)
      expect(row).toMatchObject({ title: 'Plan', password_sealed: null, is_listed: 0 })
      expect(await dumpDatabase(app)).not.toContain(owner.key)
    })

    it('that is edited has unpublished changes: visitors see the content from before', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<!doctype html><p>before')
      const changed = await owner.update(id, { html: '<!doctype html><p>after' })
      expect(changed).toMatchObject({ is_published: true, has_unpublished_changes: true })
      expect(await (await app.open(`/p/${slug}`)).text()).toBe('<!doctype html><p>before')
      await owner.ask('POST', `/pages/${id}/publish`)
      expect(await (await app.open(`/p/${slug}`)).text()).toBe('<!doctype html><p>after')
      expect((await owner.page(id)).has_unpublished_changes).toBe(false)
    })

    it('has a new address with a new slug: the old one is free for another page of its account', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<!doctype html><p>mine', { slug: 'first-name' })
      expect((await app.open('/p/first-name')).status).toBe(200)
      const { url } = await owner.update(id, { slug: 'second-name' })
      expect(url).toEndWith('/p/second-name')
      const gone = await app.open('/p/first-name')
      expect([gone.status, (await gone.text()).includes('mine')]).toEqual([404, false])
      expect(await (await app.open('/p/second-name')).text()).toBe('<!doctype html><p>mine')
      await owner.publish('<!doctype html><p>another', { slug: 'first-name' })
      expect(await (await app.open('/p/first-name')).text()).toBe('<!doctype html><p>another')
      const taken = await owner.refused('PATCH', `/pages/${id}`, { slug: 'first-name', title: 'T' })
      expect([taken.status, taken.body.error.code]).toEqual([409, 'slug_taken'])
      expect(await owner.page(id)).toMatchObject({ slug: 'second-name', title: null })
    })

    it('that is deleted is gone at once, with all that belonged to it alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      const pages = [
        await owner.publish(htmlOf(500), { title: 'Secret', access: 'link', max_views: 9 }),
        await owner.publish({ file_base64: base64(fileOf('pdf', 99_000)), filename: 'a.pdf' }),
        await owner.publish({ files: [{ path: 'index.html', html: '<a href="/">x</a>' }] }),
        await owner.publish('<!doctype html><p>draft', { publish: false, access: 'password' }),
      ]
      for (const { id, slug } of pages) {
        await app.open(`/p/${slug}`)
        if (id === pages[0]!.id) await owner.update(id, { html: htmlOf(70_000) })
        expect(await owner.call('DELETE', `/pages/${id}`)).toMatchObject({ status: 204, body: '' })
        expect((await app.open(`/p/${slug}`)).status).toBe(404)
        for (const method of ['GET', 'PATCH', 'DELETE']) {
          const body = method === 'PATCH' ? {} : undefined
          expect((await owner.refused(method, `/pages/${id}`, body)).status).toBe(404)
        }
      }
      const { page_versions, ...rows } = { page_versions: 0, ...(await rowCounts(app)) }
      expect(rows).toMatchObject({ pages: 0, versions: 0, view_counters: 0, view_hours: 0 })
      await sweepAll(app)
      // The salt of the day belongs to no page.
      expect<object>({ ...(await rowCounts(app)), view_salts: 0 }).toEqual(before)
      expect(await storedKeys(app)).toEqual([])
    })

    it('is listed for its owner alone, most recently edited first', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const titles = async (query = '') =>
        (await owner.ask<{ title: string }[]>('GET', `/pages${query}`)).map(({ title }) => title)
      const [a, , c] = [
        await owner.publish('<!doctype html><p>1', { title: 'A' }),
        await owner.publish('<!doctype html><p>2', { title: 'B' }),
        await owner.publish('<!doctype html><p>3', { title: 'C' }),
      ]
      await other.publish('<!doctype html><p>4', { title: 'Theirs' })
      expect(await titles()).toEqual(['C', 'B', 'A'])
      await owner.edit(a.id, '1', 'one')
      expect(await titles()).toEqual(['A', 'C', 'B'])
      await app.open(`/p/${c.slug}`)
      await owner.ask('PATCH', `/pages/${c.id}/versions/1`, { label: 'Named' })
      expect(await titles()).toEqual(['A', 'C', 'B'])
      expect(await titles('?limit=1&offset=1')).toEqual(['C'])
      const { body } = await owner.call<{ next_offset: number }>('GET', '/pages?limit=2')
      expect(body.next_offset).toBe(2)
      const last = await owner.call<{ next_offset: null }>('GET', '/pages?limit=2&offset=2')
      expect(last.body.next_offset).toBeNull()
    })

    it('keeps the settings of a plan that has ended, and cannot change them to others of it', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'pro' })
      const expiresAt = new Date(app.clock.ms() + HOUR_MS).toISOString()
      const { id, slug } = await owner.publish('<!doctype html><p>x', {
        expires_at: expiresAt,
        max_views: 5,
      })
      await app.accounts.setPlan(owner.email, 'free')
      expect(await owner.update(id, { title: 'T' })).toMatchObject({ max_views: 5, title: 'T' })
      expect((await owner.refused('PATCH', `/pages/${id}`, { max_views: 6 })).status).toBe(402)
      expect((await owner.page(id)).max_views).toBe(5)
      app.advance(HOUR_MS)
      expect((await app.open(`/p/${slug}`)).status).toBe(410)
      await owner.update(id, { expires_at: null, max_views: null })
      expect((await app.open(`/p/${slug}`)).status).toBe(200)
    })
  })
}
