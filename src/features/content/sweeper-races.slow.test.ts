import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { storedKeys } from '../../testing/dump.ts'
import { htmlOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { contentRows, expectReadable, NO_ROWS, sweepAll } from '../../testing/sweeping.ts'

/** Too large for a row. */
const LARGE = 100_000

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

    it('is complete with many creates, deletes and sweeps at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const texts = [htmlOf(300), htmlOf(LARGE), htmlOf(LARGE + 1)]
      for (let round = 0; round < 4; round++) {
        for (const html of texts)
          await leaveForSweep(app, owner, html, round % 2 ? 'blobs' : 'manifest')
        const sweeps = [0, 1, 2].map(() => app.sweeper.sweep())
        const puts = texts.flatMap((html) => [owner.publish(html), owner.publish(html)])
        const [pages] = await Promise.all([Promise.all(puts), ...sweeps])
        for (const [at, { id }] of pages.entries()) {
          await expectReadable(app, { owner, id, html: texts[Math.floor(at / 2)]! })
          await owner.call('DELETE', `/pages/${id}`)
        }
      }
      await sweepAll(app)
      expect(await contentRows(app)).toEqual(NO_ROWS)
      expect(await storedKeys(app)).toEqual([])
    })
  })
}
