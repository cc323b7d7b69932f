import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { storedKeys } from '../../testing/dump.ts'
import { htmlOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { contentRows, expectReadable, NO_ROWS, sweepAll } from '../../testing/sweeping.ts'
import { createSweeper } from './sweeper.ts'

/** Too large for a row. */
const LARGE = 100_000

/** What a sweep reads first, and from which table. */
const CANDIDATES = [
  ['manifest', 'gc_candidate_manifests'],
  ['blobs', 'gc_candidate_blobs'],
] as const

for (const engine of ENGINES) {
  describe(`content that is stored during a sweep on ${engine}`, () => {
    /** Content that nothing refers to: the next sweep would delete its manifest, or its blobs. */
    async function leaveForSweep(
      app: TestApp,
      owner: Owner,
      html: string,
      next: 'manifest' | 'blobs',
    ) {
      const { id } = await owner.publish(html)
      await owner.call('DELETE', `/pages/${id}`)
      app.advance(2 * HOUR_MS)
      if (next === 'manifest') return
      await app.sweeper.sweep()
      app.advance(2 * HOUR_MS)
    }

    it('is complete when the sweep runs between its file and its page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const next of ['manifest', 'blobs'] as const) {
        const html = htmlOf(LARGE)
        await leaveForSweep(app, owner, html, next)
        const hold = app.holdWrite(2)
        const publishing = owner.publish(html)
        await hold.reached
        await app.sweeper.sweep()
        hold.release()
        const { id } = await publishing
        await sweepAll(app)
        await expectReadable(app, { owner, id, html })
      }
    })

    it('is complete when the sweep has just deleted its old file', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      await leaveForSweep(app, owner, html, 'blobs')
      const hold = app.holdWrite(1)
      const publishing = owner.publish(html)
      await hold.reached
      await app.sweeper.sweep()
      expect(await storedKeys(app)).toEqual([])
      hold.release()
      const { id } = await publishing
      await sweepAll(app)
      await expectReadable(app, { owner, id, html })
    })

    it('is complete when it is stored after the sweep read its candidates', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const html of [htmlOf(300), htmlOf(LARGE)]) {
        for (const [next, table] of CANDIDATES) {
          await leaveForSweep(app, owner, html, next)
          const hold = app.holdRead(table)
          const sweeping = app.sweeper.sweep()
          await hold.reached
          const { id } = await owner.publish(html)
          hold.release()
          await sweeping
          await sweepAll(app)
          await expectReadable(app, { owner, id, html })
          await owner.call('DELETE', `/pages/${id}`)
        }
      }
      await sweepAll(app)
      expect(await contentRows(app)).toEqual(NO_ROWS)
    })

    it('and loses its page again is still swept later', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      for (const [next, table] of CANDIDATES) {
        await leaveForSweep(app, owner, html, next)
        const hold = app.holdRead(table)
        const sweeping = app.sweeper.sweep()
        await hold.reached
        const { id } = await owner.publish(html)
        await owner.call('DELETE', `/pages/${id}`)
        hold.release()
        await sweeping
      }
      await sweepAll(app)
      expect(await contentRows(app)).toEqual(NO_ROWS)
      expect(await storedKeys(app)).toEqual([])
    })
  })
}

/** On SQLite no other write runs between the statements of a transaction. */
describe('a page that commits during the sweep’s transaction on postgres', () => {
  /** Sweeps, and acts after the sweep has read which manifests are in use. */
  async function sweepAround(app: TestApp, act: () => Promise<unknown>): Promise<void> {
    const { sweep } = createSweeper({
      ...app,
      firstAccountAt: app.accounts.firstAt,
      async inUse(_tx, ids) {
        const rows = await app.rows('versions')
        const used = rows.map((row) => row.manifest_id).filter((id) => ids.includes(id))
        await act()
        return new Set(used)
      },
    })
    await sweep()
  }

  it('keeps the content when it uses it again', async () => {
    await using app = await testApp('postgres')
    const owner = await app.owner()
    const html = htmlOf(300)
    const gone = await owner.publish(html)
    await owner.call('DELETE', `/pages/${gone.id}`)
    app.advance(2 * HOUR_MS)
    await sweepAround(app, () => owner.publish(html))
    await sweepAll(app)
    const [page] = await app.rows('pages')
    await expectReadable(app, { owner, id: page!.id, html })
  })

  it('leaves the content a candidate when it stops using it', async () => {
    await using app = await testApp('postgres')
    const owner = await app.owner()
    const html = htmlOf(300)
    const gone = await owner.publish(html)
    const survivor = await owner.publish(html)
    await owner.call('DELETE', `/pages/${gone.id}`)
    app.advance(2 * HOUR_MS)
    await sweepAround(app, () => owner.call('DELETE', `/pages/${survivor.id}`))
    expect(await contentRows(app)).toMatchObject({ manifests: 1, gc_candidate_manifests: 1 })
    await sweepAll(app)
    expect(await contentRows(app)).toEqual(NO_ROWS)
  })
})
