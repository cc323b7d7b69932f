import { describe, expect, it } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../platform/db/index.ts'
import { createSlotFiles, type SlotFile } from '../../platform/mapped-files.ts'
import { DAY_MS, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { fileOf } from '../../testing/material.ts'
import type { Fact } from './index.ts'
import { createViews } from './views.ts'

const FREE = { limited: false, notify: false }
const REFERRED: readonly Fact[] = [['referrer', 'news.example']]

/** The page's views by its counter. NaN where its hours do not add up to the same. */
async function viewsOf(app: TestApp, pageId: string): Promise<number> {
  const counter = (await app.views.countersOf([pageId])).get(pageId)
  const hours = (await app.rows('view_hours')).filter((row) => row.page_id === pageId)
  const total = hours.reduce((sum, { views }) => sum + views, 0)
  return counter?.views === total ? total : Number.NaN
}

/** The page's views as the database has them, with none of those that wait. */
async function stored({ database }: TestApp, pageId: string): Promise<number> {
  const rows = database.read.selectFrom('view_counters').select('views')
  return (await rows.where('page_id', '=', pageId).executeTakeFirstOrThrow()).views
}

function throwing(message: string): never {
  throw new Error(message)
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

    it('of pages with a limit share one transaction where each turn brings more of them', async () => {
      await using app = await testApp(engine)
      let commits = 0
      const database: Database = {
        ...app.database,
        write: (work, durability) => {
          if (durability === 'full') commits += 1
          return app.database.write(work, durability)
        },
      }
      const views = createViews({ ...app, database, recordEvent: async () => {} })
      const { id } = await (await app.owner()).publish('<p>x', { max_views: 1000 })
      const limited = { limited: true, notify: false }
      function arriveInTurns(turns: number): Promise<unknown[]> {
        const { promise, resolve } = Promise.withResolvers<unknown[]>()
        const granted: unknown[] = []
        function arrive(left: number): void {
          // Before what the counter waits for.
          if (left > 1) setImmediate(arrive, left - 1)
          granted.push(views.count(id, limited))
          if (left === 1) resolve(Promise.all(granted))
        }
        arrive(turns)
        return promise
      }
      await views.count(id, limited)
      let fewest = Infinity
      let tries = 0
      // A machine that stands still meanwhile may make it two.
      for (; tries < 20 && fewest > 1; tries++) {
        commits = 0
        expect(await arriveInTurns(5)).toEqual(times(5, () => true))
        fewest = Math.min(fewest, commits)
      }
      expect(fewest).toBe(1)
      await views.close()
      expect(await viewsOf(app, id)).toBe(1 + tries * 5)
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

    it('are in a file at once, and in the database within moments, without being asked for', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      expect(await app.views.count(id, FREE)).toBe(true)
      expect(await stored(app, id)).toBe(1)
      for (let n = 0; n < 5; n++) expect(app.views.count(id, FREE)).toBe(true)
      const until = performance.now() + 10_000
      while ((await stored(app, id)) < 6 && performance.now() < until) await Bun.sleep(10)
      expect(await stored(app, id)).toBe(6)
    })

    it('are in every answer that is asked for after them', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'pro' })
      const [page, other] = [await owner.publish('<p>x'), await owner.publish('<p>y')]
      for (let n = 1; n <= 4; n++) {
        await Promise.all(times(3, () => app.open(`/p/${page.slug}`)))
        expect((await owner.page(page.id)).views).toBe(3 * n)
      }
      await app.open(`/p/${other.slug}`)
      await app.open(`/p/${page.slug}`)
      const list = await owner.ask<{ id: string; views: number }[]>('GET', '/pages?sort=views')
      expect(list.map(({ id, views }) => [id, views])).toEqual([
        [page.id, 13],
        [other.id, 1],
      ])
      await app.open(`/p/${page.slug}`)
      const report = await owner.ask<{ views: number }>('GET', `/pages/${page.id}/analytics`)
      expect(report.views).toBe(14)
    })

    it('are counted in their hour where the hour turns before they are moved', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      const hour = Math.floor(app.clock.ms() / HOUR_MS)
      const viewer = { address: '192.0.2.1', program: 'x', confirmed: null }
      await app.views.count(id, FREE)
      for (let n = 0; n < 2; n++) app.views.count(id, { ...FREE, viewer })
      app.advance(HOUR_MS)
      for (let n = 0; n < 3; n++) app.views.count(id, { ...FREE, viewer })
      app.advance(DAY_MS)
      app.views.count(id, { ...FREE, viewer })
      const rows = (await app.rows('view_hours')).sort((a, b) => a.hour - b.hour)
      expect(rows.map((row) => [row.hour - hour, row.views])).toEqual([
        [0, 3],
        [1, 3],
        [25, 1],
      ])
      expect(await viewsOf(app, id)).toBe(7)
    })

    it('of a page that is deleted while they wait leave nothing, and it is not counted again', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [{ id }, other] = [await owner.publish('<p>x'), await owner.publish('<p>y')]
      for (const pageId of [id, other.id]) await app.views.count(pageId, FREE)
      for (let n = 0; n < 5; n++) for (const pageId of [id, other.id]) app.views.count(pageId, FREE)
      await owner.call('DELETE', `/pages/${id}`)
      // The others may have been moved before: only a view of a page that is gone says that it is.
      await app.views.count(id, FREE)
      expect(await app.rows('view_counters')).toMatchObject([{ page_id: other.id, views: 6 }])
      expect(await app.rows('view_hours')).toMatchObject([{ page_id: other.id, views: 6 }])
      expect(await app.views.count(id, FREE)).toBe(false)
    })

    it('use up a limit that is set while they wait, and go on at once when it is removed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      await app.views.count(id, FREE)
      for (let n = 0; n < 5; n++) app.views.count(id, FREE)
      await owner.update(id, { max_views: 8 })
      // A request that found the page before it had a limit.
      const late = await Promise.all(times(4, () => app.views.count(id, FREE)))
      expect(late).toEqual([true, true, false, false])
      expect(await viewsOf(app, id)).toBe(8)
      await owner.update(id, { max_views: null })
      expect(await app.views.count(id, FREE)).toBe(true)
      expect(app.views.count(id, FREE)).toBe(true)
      expect(await viewsOf(app, id)).toBe(10)
    })

    it('are exact on more pages than the file has slots', async () => {
      await using app = await testApp(engine)
      const slotFiles = createSlotFiles(join(app.folder, 'few'), 2)
      const views = createViews({ ...app, slotFiles, recordEvent: async () => {} })
      const owner = await app.owner()
      const pages = await Promise.all(times(5, (at) => owner.publish(`<p>${at}`)))
      for (let round = 0; round < 4; round++) {
        const counts = pages.map(({ id }) => views.count(id, FREE))
        expect((await Promise.all(counts)).every((isGranted) => isGranted)).toBe(true)
      }
      await views.close()
      for (const { id } of pages) expect(await viewsOf(app, id)).toBe(4)
    })

    it('are exact without a file, where none can be made, which the log says once', async () => {
      await using app = await testApp(engine)
      const slotFiles = { ...app.slotFiles, create: () => throwing('no space left') }
      const views = createViews({ ...app, slotFiles, recordEvent: async () => {} })
      const { id } = await (await app.owner()).publish('<p>x')
      for (let n = 0; n < 5; n++) expect(await views.count(id, FREE)).toBe(true)
      await views.close()
      expect(await viewsOf(app, id)).toBe(5)
      expect(app.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
    })

    it('wait while the database cannot be written, and are counted once it can be', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [page, cold, limited] = [
        await owner.publish('<p>x'),
        await owner.publish('<p>y'),
        await owner.publish('<p>z', { max_views: 9 }),
      ]
      let isFull = false
      const database: Database = {
        ...app.database,
        write: (work, durability) =>
          isFull ? Promise.reject(new Error('full')) : app.database.write(work, durability),
      }
      const views = createViews({ ...app, database, recordEvent: async () => {} })
      await views.count(page.id, FREE)
      isFull = true
      for (let n = 0; n < 300; n++) {
        expect(await views.count([page, cold][n % 2]!.id, { ...FREE, facts: REFERRED })).toBe(true)
        if (n % 50 === 0) await views.flush()
      }
      const about = { limited: true, notify: false }
      await expect(Promise.resolve(views.count(limited.id, about))).rejects.toThrow('full')
      for (let n = 0; n < 3; n++) await views.flush()
      const logged = () => app.log.lines.filter(({ msg }) => msg.includes('views'))
      expect(logged().map(({ level }) => level)).toEqual(['error'])
      expect(await viewsOf(app, page.id)).toBe(1)
      isFull = false
      await views.flush()
      expect(logged().map(({ level }) => level)).toEqual(['error', 'info'])
      expect(await viewsOf(app, page.id)).toBe(151)
      expect(await viewsOf(app, cold.id)).toBe(150)
      await views.close()
    })

    it('of a killed process are added by the next one, each once', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      let isKilled = false
      const killed = createViews({
        ...app,
        database: {
          ...app.database,
          write: (...args) => (isKilled ? new Promise(() => {}) : app.database.write(...args)),
        },
        slotFiles: { ...app.slotFiles, create: () => (file = app.slotFiles.create()) },
        recordEvent: async () => {},
      })
      let file: SlotFile | undefined
      await killed.count(id, FREE)
      for (let n = 0; n < 5; n++) killed.count(id, FREE)
      await killed.flush()
      isKilled = true
      for (let n = 0; n < 7; n++) killed.count(id, FREE)
      file!.release()
      await app.views.addAbandoned()
      expect(await viewsOf(app, id)).toBe(13)
      await app.views.addAbandoned()
      expect(app.slotFiles.takeAbandoned()).toEqual([])
      expect(await app.rows('view_moves')).toEqual([])
      expect(await viewsOf(app, id)).toBe(13)
    })

    it('of a killed process are added on a full disk, where there is space for the next file', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      const file = app.slotFiles.create()
      file.add(file.open({ key: id, group: Math.floor(app.clock.ms() / HOUR_MS), batch: 1 })!)
      file.release()
      const { database, slotFiles } = app
      const done: string[] = []
      const views = createViews({
        ...app,
        database: {
          ...database,
          write(work, durability) {
            done.push('write')
            return durability === 'freeing' ? database.write(work, durability) : throwing('full')
          },
        },
        slotFiles: {
          ...slotFiles,
          create() {
            done.push('file')
            return slotFiles.create()
          },
        },
        recordEvent: async () => {},
      })
      expect(await views.addAbandoned()).toBe(true)
      // A write that frees fills the reserve first, with the space that the next file needs.
      expect(done).toEqual(['write', 'file', 'write'])
      expect(app.slotFiles.takeAbandoned()).toEqual([])
      expect(await viewsOf(app, id)).toBe(1)
    })

    it('in a foreign file are refused with a line in the log, and those in others are added', async () => {
      await using app = await testApp(engine)
      const { id } = await (await app.owner()).publish('<p>x')
      const [foreign, file] = [app.slotFiles.create(), app.slotFiles.create()]
      const hour = Math.floor(app.clock.ms() / HOUR_MS)
      file.add(file.open({ key: id, group: hour, batch: 1 })!)
      file.add(file.open({ key: 'pg_gone', group: hour, batch: 1 })!)
      writeFileSync(join(app.folder, 'views', `${foreign.id}.slots`), 'something else')
      for (const each of [foreign, file]) each.release()
      await app.views.addAbandoned()
      expect(await viewsOf(app, id)).toBe(1)
      expect(app.log.lines.filter(({ level }) => level === 'error')).toMatchObject([
        { msg: expect.stringContaining('were not added'), fields: { file: foreign.id } },
      ])
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
