/** How the main process counts beside its workers, and how a worker counts. */
import { expect, test } from 'bun:test'
import { NotInWorker } from '../../platform/db/sqlite-reader.ts'
import { testApp } from '../../testing/app.ts'
import { startNode, withOwnMetrics } from '../../testing/node.ts'
import { ownerWith } from '../../testing/people.ts'
import type { CountedBatch } from './batches.ts'
import { createViews } from './views.ts'

const FREE = { limited: false, notify: false }

/** A main process whose workers note what they are asked, and the owner of a page there. */
async function withWorkers(areStored: boolean) {
  const app = await testApp('sqlite')
  const { key, email, publish } = await app.owner()
  const page = await publish('<p>words')
  const asked: string[] = []
  const main = await startNode({
    ...withOwnMetrics(app.platform),
    workers: {
      async flush() {
        asked.push('flush')
        return areStored
      },
      async hold(pageId) {
        asked.push(`hold ${pageId}`)
        return () => void asked.push('end')
      },
    },
  })
  main.pages.onChange(async () => void asked.push('change'))
  const limit = async () => (await app.views.countersOf([page.id])).get(page.id)?.max_views
  return { app, main, page, asked, limit, owner: ownerWith(main, key, email) }
}

test('workers count a page no more, and have stored its views, before it gets a limit', async () => {
  const { app, page, asked, limit, owner } = await withWorkers(true)
  await using _ = app
  await owner.update(page.id, { max_views: 3 })
  const at = asked.indexOf(`hold ${page.id}`)
  expect(asked.slice(at, at + 4)).toEqual([`hold ${page.id}`, 'flush', 'change', 'end'])
  expect(await limit()).toBe(3)
})

test('a page gets no limit where the views of workers cannot be stored', async () => {
  const { app, page, asked, limit, owner } = await withWorkers(false)
  await using _ = app
  const { status } = await owner.call('PATCH', `/pages/${page.id}`, { max_views: 3 })
  expect(status).toBe(500)
  expect(asked).not.toContain('change')
  expect(asked).toContain('end')
  expect(await limit()).toBeNull()
})

test('a limit that is lifted, and other changes, hold nothing', async () => {
  const { app, page, asked, owner } = await withWorkers(true)
  await using _ = app
  await owner.update(page.id, { max_views: null, accent: 'red' })
  expect(asked).toContain('change')
  expect(asked).not.toContain(`hold ${page.id}`)
})

test('counts that are read have those of workers in them', async () => {
  const { app, page, asked, main } = await withWorkers(true)
  await using _ = app
  await main.views.countersOf([page.id])
  expect(asked).toEqual(['flush'])
})

test('a worker counts only what it may, and hands it over', async () => {
  await using app = await testApp('sqlite')
  const { id } = await (await app.owner()).publish('<p>words')
  const stored: CountedBatch[] = []
  let isCurrent = true
  const views = createViews({
    ...app.platform,
    recordEvent: async () => {},
    worker: {
      batches: {
        async store(batch) {
          stored.push(batch)
          return app.views.batches.store(batch)
        },
        forgetFile: app.views.batches.forgetFile,
      },
      mayCount: (pageId) => isCurrent && pageId === id,
    },
  })
  expect(views.countAtOnce(id, FREE)).toBe(true)
  expect(views.countAtOnce(id, { ...FREE, limited: true })).toBe(false)
  expect(views.countAtOnce(id, { ...FREE, notify: true })).toBe(false)
  isCurrent = false
  expect(views.countAtOnce(id, FREE)).toBe(false)
  expect(async () => await views.count(id, FREE)).toThrow(NotInWorker)
  expect(await views.flush()).toBe(true)
  expect(stored.map(({ pages }) => pages.map(([page, { views }]) => [page, views]))).toEqual([
    [[id, 1]],
  ])
  // Again, as where the answer was lost: it counts once.
  await app.views.batches.store(stored[0]!)
  expect((await app.views.countersOf([id])).get(id)?.views).toBe(1)
  await views.close()
})
