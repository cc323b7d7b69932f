import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { htmlOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { createPublishedPages } from './published.ts'

async function open(app: Pick<TestApp, 'open'>, slug: string) {
  const answer = await app.open(`/p/${slug}`)
  return { status: answer.status, text: await answer.text() }
}

async function slugsOf(owner: Owner, count: number): Promise<string[]> {
  const slugs: string[] = []
  for (let n = 0; n < count; n++) slugs.push((await owner.publish(`<!doctype html><p>${n}`)).slug)
  return slugs
}

for (const engine of ENGINES) {
  describe(`what visitors see on ${engine}`, () => {
    it('is what was published, as soon as publishing is answered', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<!doctype html><p>0')
      for (let i = 1; i <= 5; i++) {
        expect((await open(app, slug)).text).toBe(`<!doctype html><p>${i - 1}`)
        await owner.update(id, { html: `<!doctype html><p>${i}` })
        expect((await open(app, slug)).text).toBe(`<!doctype html><p>${i - 1}`)
        await owner.ask('POST', `/pages/${id}/publish`)
        expect((await open(app, slug)).text).toBe(`<!doctype html><p>${i}`)
      }
      await owner.edit(id, '5', 'six', { publish: true })
      expect((await open(app, slug)).text).toBe('<!doctype html><p>six')
      await owner.ask('POST', `/pages/${id}/versions/1/restore`, { publish: true })
      expect((await open(app, slug)).text).toBe('<!doctype html><p>0')
    })

    it('changes with every setting at once, also where the page is cached', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<!doctype html><p>open')
      const past = new Date(app.clock.ms() - HOUR_MS).toISOString()
      const closed: [object, object, number][] = [
        [{ access: 'private' }, { access: 'link' }, 403],
        [{ access: 'people', allowed_emails: ['a@b.cd'] }, { access: 'link' }, 403],
        [{ access: 'email_gate' }, { access: 'link' }, 403],
        [{ access: 'password' }, { access: 'link' }, 403],
        [{ expires_at: past }, { expires_at: null }, 410],
        [{ max_views: 1 }, { max_views: null }, 410],
      ]
      for (const [closing, reopening, status] of closed) {
        expect(await open(app, slug)).toEqual({ status: 200, text: '<!doctype html><p>open' })
        await owner.update(id, closing)
        const answer = await open(app, slug)
        expect(answer.status).toBe(status)
        expect(answer.text).not.toContain('<!doctype html><p>open')
        await owner.update(id, reopening)
      }
      await owner.call('DELETE', `/pages/${id}/publish`)
      expect((await open(app, slug)).status).toBe(404)
      await owner.ask('POST', `/pages/${id}/publish`)
      await owner.update(id, { og_title: 'For previews' })
      expect((await open(app, slug)).text).toContain('For previews')
      await owner.update(id, { og_title: null })
      expect((await open(app, slug)).text).toBe('<!doctype html><p>open')
      const robots = async () => (await app.open(`/p/${slug}`)).headers.get('x-robots-tag')
      expect(await robots()).toBe('noindex')
      await owner.update(id, { indexed: true })
      expect(await robots()).toBeNull()
    })

    it('closes when it expires, without a write', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const expiresAt = new Date(app.clock.ms() + HOUR_MS).toISOString()
      const { slug } = await owner.publish('<!doctype html><p>open', { expires_at: expiresAt })
      app.advance(HOUR_MS - 10_000)
      expect((await open(app, slug)).status).toBe(200)
      app.advance(10_000)
      const late = await open(app, slug)
      expect([late.status, late.text.includes('<!doctype html><p>open')]).toEqual([410, false])
    })

    it('is the change, also where it was made while the page was being read', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const table of ['pages', 'view_counters', 'manifests'] as const) {
        const { id, slug } = await owner.publish('<!doctype html><p>before')
        await owner.update(id, { html: '<!doctype html><p>after' })
        const hold = app.holdRead(table)
        const reading = open(app, slug)
        await hold.reached
        await owner.ask('POST', `/pages/${id}/publish`)
        hold.release()
        expect((await reading).status).toBe(200)
        expect(await open(app, slug)).toEqual({ status: 200, text: '<!doctype html><p>after' })
        expect(await open(app, slug)).toEqual({ status: 200, text: '<!doctype html><p>after' })
      }
    })

    it('is refused, also where access changed while the page was being read', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const table of ['pages', 'view_counters', 'manifests'] as const) {
        const { id, slug } = await owner.publish('<!doctype html><p>open')
        const hold = app.holdRead(table)
        const reading = open(app, slug)
        await hold.reached
        await owner.update(id, { access: 'private' })
        hold.release()
        await reading
        expect((await open(app, slug)).status).toBe(403)
      }
    })

    it('is nothing, also where the page was deleted while it was being read', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const table of ['pages', 'view_counters', 'manifests'] as const) {
        const { id, slug } = await owner.publish('<!doctype html><p>gone')
        const hold = app.holdRead(table)
        const reading = open(app, slug)
        await hold.reached
        await owner.call('DELETE', `/pages/${id}`)
        hold.release()
        const answer = await reading
        expect([404, 410]).toContain(answer.status)
        expect(answer.text).not.toContain('<!doctype html><p>gone')
        expect((await open(app, slug)).status).toBe(404)
      }
    })

    it('is always one whole state of a page that changes all the time', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const texts = [htmlOf(300), htmlOf(80_000)]
      const { id, slug } = await owner.publish(texts[0]!)
      let isOver = false
      const changing = (async () => {
        for (let i = 1; i <= 20; i++) {
          await owner.update(id, { html: texts[i % 2] })
          await owner.ask('POST', `/pages/${id}/publish`)
          expect((await open(app, slug)).text).toBe(texts[i % 2]!)
        }
        isOver = true
      })()
      while (!isOver) {
        const { status, text } = await open(app, slug)
        expect(status).toBe(200)
        expect(texts).toContain(text)
        // A view of a page in memory does not yield to the event loop, and would block the writes.
        await Bun.sleep(0)
      }
      await changing
    })
  })
}

describe('pages in memory', () => {
  it('are the most recently opened: one that is opened often stays', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const [hot, ...others] = await slugsOf(owner, 4)
    const { database, content, views } = app
    const pages = await createPublishedPages({ database, content, views, maxPages: 2 })
    await pages.findPublished(hot!)
    for (const slug of others) {
      expect(pages.cachedPage(hot!)?.page.slug).toBe(hot!)
      await pages.findPublished(slug)
    }
    expect(pages.cachedPage(hot!)?.page.slug).toBe(hot!)
    expect(others.map((slug) => pages.cachedPage(slug)?.page.slug)).toEqual([
      undefined,
      undefined,
      others[2],
    ])
  })

  it('are fewer where they have very many files, whose headers are in memory, too', async () => {
    await using app = await testApp('sqlite')
    const [first, second] = await slugsOf(await app.owner(), 2)
    const { database, views } = app
    const files = Array.from({ length: 20_000 }, (_, n) => ({ path: `${n}.css` }))
    const getRelease = async (id: string) =>
      ({ ...(await app.content.getRelease(id)), files }) as never
    const pages = await createPublishedPages({ database, content: { getRelease }, views })
    for (const slug of [first!, second!]) await pages.findPublished(slug)
    expect(pages.cachedPage(first!)).toBeUndefined()
    expect(pages.cachedPage(second!)?.page.slug).toBe(second!)
  })

  it('are found by their id as they are now, also where a slug has gone to another page', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const { database, content, views } = app
    const pages = await createPublishedPages({ database, content, views })
    const find = async (id: string) => (await pages.findPublishedById(id))?.page
    const [first, second] = [
      await owner.publish('<!doctype html><p>1', { slug: 'plan' }),
      await owner.publish('<!doctype html><p>2', { slug: 'other' }),
    ]
    expect((await find(first.id))?.slug).toBe('plan')
    expect(pages.cachedPage('plan')?.page.id).toBe(first.id)
    await owner.update(first.id, { access: 'private' })
    expect((await find(first.id))?.settings.access).toBe('private')
    await owner.update(first.id, { slug: 'plan-1' })
    await owner.update(second.id, { slug: 'plan' })
    expect((await find(second.id))?.slug).toBe('plan')
    expect((await find(first.id))?.slug).toBe('plan-1')
    await owner.call('DELETE', `/pages/${first.id}`)
    expect(await find(first.id)).toBeUndefined()
    expect(await find('pg_none')).toBeUndefined()
  })

  it('are read again after they change', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const { database, content, views } = app
    const pages = await createPublishedPages({ database, content, views })
    const [changed, same] = [
      await owner.publish('<!doctype html><p>1'),
      await owner.publish('<!doctype html><p>2'),
    ]
    for (const { slug } of [changed, same]) await pages.findPublished(slug)
    await owner.update(changed.id, { access: 'private' })
    expect(pages.cachedPage(changed.slug)).toBeUndefined()
    expect(pages.cachedPage(same.slug)?.page.slug).toBe(same.slug)
  })
})

describe('what visitors see on two nodes of one PostgreSQL', () => {
  it('changes on both when a write reaches one of them', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const owner = await app.owner()
    const { id, slug } = await owner.publish('<!doctype html><p>before')
    for (const each of [app, node])
      expect((await open(each, slug)).text).toBe('<!doctype html><p>before')
    const notified = Promise.withResolvers<void>()
    await node.database.listen('page_changed', () => notified.resolve(), notified.resolve)
    await owner.edit(id, 'before', 'after', { publish: true })
    expect((await open(app, slug)).text).toBe('<!doctype html><p>after')
    await notified.promise
    expect((await open(node, slug)).text).toBe('<!doctype html><p>after')
  })

  /**
   * Pages in the memory of a node that gets no notifications although its connection seems alive.
   */
  async function deafNode(app: TestApp, checkMs: number) {
    const { content, views } = app
    const { database } = await app.node()
    let reconnections = 0
    const listenAgain = () => {
      reconnections += 1
    }
    const listen = async () => {}
    const disconnected = { ...database, listen, listenAgain, isListening: () => true }
    const pages = await createPublishedPages({ database: disconnected, content, views, checkMs })
    return { ...pages, reconnections: () => reconnections }
  }

  it('is served from memory while it is compared with the database, and a change is found', async () => {
    await using app = await testApp('postgres')
    const owner = await app.owner()
    const { id, slug } = await owner.publish('<!doctype html><p>before')
    const pages = await deafNode(app, 50)
    const published = await pages.findPublished(slug)
    // It stays the same object for many checks, as long as it is served.
    for (let i = 0; i < 20; i++) {
      await Bun.sleep(10)
      expect(pages.cachedPage(slug) ?? (await pages.findPublished(slug))).toBe(published!)
    }
    await owner.update(id, { access: 'private' })
    // It was served until now, and is still requested.
    while (pages.cachedPage(slug) !== undefined) await Bun.sleep(5)
    expect((await pages.findPublished(slug))?.page.settings.access).toBe('private')
    while (pages.reconnections() === 0) {
      await pages.findPublished(slug)
      await Bun.sleep(5)
    }
  })

  it('is read again where it was not served for a while', async () => {
    await using app = await testApp('postgres')
    const owner = await app.owner()
    const [changed, same, deleted] = [
      await owner.publish('<!doctype html><p>1'),
      await owner.publish('<!doctype html><p>2'),
      await owner.publish('<!doctype html><p>3'),
    ]
    const pages = await deafNode(app, 10)
    const before = await pages.findPublished(same.slug)
    for (const { slug } of [changed, deleted]) await pages.findPublished(slug)
    await owner.update(changed.id, { access: 'private' })
    await owner.call('DELETE', `/pages/${deleted.id}`)
    // Asking for it is serving it: between two times, there are checks.
    while (pages.cachedPage(same.slug) !== undefined) await Bun.sleep(50)
    for (const { slug } of [changed, same, deleted]) {
      expect(pages.cachedPage(slug)).toBeUndefined()
    }
    expect((await pages.findPublished(changed.slug))?.page.settings.access).toBe('private')
    expect(await pages.findPublished(deleted.slug)).toBeUndefined()
    // What has not changed is not read again.
    expect(await pages.findPublished(same.slug)).toBe(before!)
  })
})
