import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { fileOf } from '../../testing/material.ts'

/** The page's views by its counter. NaN where its hours do not add up to the same. */
async function viewsOf(app: TestApp, pageId: string): Promise<number> {
  const counter = (await app.views.countersOf([pageId])).get(pageId)
  const hours = (await app.rows('view_hours')).filter((row) => row.page_id === pageId)
  const total = hours.reduce((sum, { views }) => sum + views, 0)
  return counter?.views === total ? total : Number.NaN
}

function times<T>(count: number, act: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => act(at))
}

for (const engine of ENGINES) {
  describe(`views on ${engine}`, () => {
    it('are counted exactly when many arrive at once, and the hours add up to the total', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      const granted = await Promise.all(
        times(200, () => app.views.count(id, { limited: false, notify: false })),
      )
      expect(granted.every((one) => one)).toBe(true)
      expect(await viewsOf(app, id)).toBe(200)
    })

    it('are granted exactly up to the limit when 200 arrive at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const maxViews of [1, 7, 50, 199, 200, 201]) {
        const { id } = await owner.publish('<p>x', { max_views: maxViews })
        const granted = await Promise.all(
          times(200, () => app.views.count(id, { limited: true, notify: false })),
        )
        const k = Math.min(maxViews, 200)
        // Views are granted in the order of their arrival.
        expect(granted.indexOf(false)).toBe(k === 200 ? -1 : k)
        expect(granted.filter((one) => one)).toHaveLength(k)
        expect(await viewsOf(app, id)).toBe(k)
      }
    })

    it('are served the content exactly up to the limit, and a notice beyond it', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pages = [
        await owner.publish('<p>the content', { max_views: 30 }),
        await owner.publish({
          file_base64: Buffer.from(fileOf('png')).toString('base64'),
          ...{ filename: 'a.png', max_views: 30 },
        }),
        await owner.publish({ files: [{ path: 'index.html', html: '<p>x' }], max_views: 30 }),
      ]
      for (const { id, slug, kind } of pages) {
        const path = kind === 'bundle' ? `/p/${slug}/index.html` : `/p/${slug}`
        const answers = await Promise.all(times(200, () => app.open(path)))
        const statuses = answers.map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(30)
        expect(statuses.filter((status) => status === 410)).toHaveLength(170)
        expect(await viewsOf(app, id)).toBe(30)
        expect((await owner.page(id)).views).toBe(30)
      }
    })

    it('of several pages in one batch are counted for their own page each', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const limits = [null, 3, 10, null, 1]
      const pages = await Promise.all(
        limits.map((maxViews, at) => owner.publish(`<p>${at}`, { max_views: maxViews })),
      )
      const counts = times(100, (at) => {
        const { id, max_views: maxViews } = pages[at % 5]!
        return app.views.count(id, { limited: maxViews !== null, notify: false })
      })
      await Promise.all(counts)
      const views = await Promise.all(pages.map(({ id }) => viewsOf(app, id)))
      expect(views).toEqual([20, 3, 10, 20, 1])
    })

    it('are counted in the hour in which they arrive', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      const first = Math.floor(app.clock.ms() / HOUR_MS)
      await Promise.all(times(3, () => app.views.count(id, { limited: false, notify: false })))
      app.advance(2 * HOUR_MS)
      await Promise.all(times(4, () => app.views.count(id, { limited: false, notify: false })))
      const rows = (await app.rows('view_hours')).sort((a, b) => a.hour - b.hour)
      expect(rows.map(({ views }) => views)).toEqual([3, 4])
      expect(rows[1]!.hour - rows[0]!.hour).toBe(2)
      expect(rows[0]!.hour - first).toBeLessThanOrEqual(1)
      expect(await viewsOf(app, id)).toBe(7)
    })

    it('of a page that does not exist are not granted, and do not disturb others', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [deleted, other] = [await owner.publish('<p>1'), await owner.publish('<p>2')]
      await owner.call('DELETE', `/pages/${deleted.id}`)
      const counts = [deleted.id, other.id, 'pg_none'].map((id) =>
        app.views.count(id, { limited: false, notify: false }),
      )
      expect(await Promise.all(counts)).toEqual([false, true, false])
      expect(await app.rows('view_hours')).toMatchObject([{ page_id: other.id, views: 1 }])
    })

    it('of a page that is being deleted leave nothing behind, and do not disturb others', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      const [other, ...counts] = [await owner.publish('<p>y'), ...times(60, () => count(id))]
      const deleting = owner.call('DELETE', `/pages/${id}`)
      const others = times(60, (at) => count(at % 2 ? id : other.id))
      await Promise.all([...counts, ...others, deleting])
      expect(await viewsOf(app, other.id)).toBe(30)
      expect(await app.rows('view_hours')).toMatchObject([{ page_id: other.id, views: 30 }])
      expect(await app.rows('view_counters')).toHaveLength(1)

      function count(pageId: string) {
        return app.views.count(pageId, { limited: false, notify: false })
      }
    })

    it('obey a limit from the moment it is set, and count towards it from the first view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      await Promise.all(times(5, () => app.open(`/p/${slug}`)))
      await owner.update(id, { max_views: 7 })
      const late = await Promise.all(times(10, () => app.open(`/p/${slug}`)))
      expect(late.filter(({ status }) => status === 200)).toHaveLength(2)
      await owner.update(id, { max_views: 3 })
      expect((await app.open(`/p/${slug}`)).status).toBe(410)
      expect(await owner.page(id)).toMatchObject({ views: 7, max_views: 3 })
      await owner.update(id, { max_views: null })
      expect((await app.open(`/p/${slug}`)).status).toBe(200)
      expect(await viewsOf(app, id)).toBe(8)
    })

    it('never exceed a limit that is set while they are being counted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      await app.open(`/p/${slug}`)
      const opens = times(50, () => app.open(`/p/${slug}`))
      const limiting = owner.update(id, { max_views: 1 })
      const more = times(50, () => app.open(`/p/${slug}`))
      await limiting
      const before = await viewsOf(app, id)
      const answers = await Promise.all([...opens, ...more])
      const served = answers.filter(({ status }) => status === 200).length
      expect(await viewsOf(app, id)).toBe(1 + served)
      expect((await app.open(`/p/${slug}`)).status).toBe(410)
      expect(await viewsOf(app, id)).toBeGreaterThanOrEqual(before)
    })

    it('survive publishing, editing, renaming, expiry and restoring', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      await app.open(`/p/${slug}`)
      await owner.edit(id, 'x', 'y', { publish: true })
      await owner.update(id, { slug: 'another-name', title: 'T', expires_at: '2020-01-01T00:00Z' })
      await owner.call('DELETE', `/pages/${id}/publish`)
      await owner.ask('POST', `/pages/${id}/versions/1/restore`, { publish: true })
      expect((await owner.page(id)).views).toBe(1)
      expect(await viewsOf(app, id)).toBe(1)
    })
  })
}

describe('views on two nodes of one PostgreSQL', () => {
  it('are granted exactly up to the limit, and the hours add up to the total', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const owner = await app.owner()
    const limited = await Promise.all(
      [5, 40, 77].map((maxViews) => owner.publish('<p>x', { max_views: maxViews })),
    )
    const free = await owner.publish('<p>x')
    const counts = times(400, (at) => {
      const { id, max_views: maxViews } = [...limited, free][at % 4]!
      return (at % 8 < 4 ? app : node).views.count(id, {
        limited: maxViews !== null,
        notify: false,
      })
    })
    const granted = await Promise.all(counts)
    expect(granted.filter((one) => one)).toHaveLength(5 + 40 + 77 + 100)
    for (const [at, k] of [5, 40, 77].entries()) {
      expect(await viewsOf(app, limited[at]!.id)).toBe(k)
    }
    expect(await viewsOf(app, free.id)).toBe(100)
  })
})
