import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { rowCounts, storedKeys } from '../../testing/dump.ts'
import { pageHistories, runHistory } from '../../testing/page-model.ts'
import { fc, runs } from '../../testing/property.ts'
import { sweepAll } from '../../testing/sweeping.ts'

const RUNS = { sqlite: 200, postgres: 25 }

for (const engine of ENGINES) {
  describe(`a page on ${engine}`, () => {
    it('agrees with its model after any sequence of commands, and leaves nothing when deleted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      const property = fc.asyncProperty(pageHistories, (commands) =>
        runHistory(app, owner, commands),
      )
      await fc.assert(property, runs(RUNS[engine]))
      expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
      for (const { id } of await app.rows('pages')) await owner.call('DELETE', `/pages/${id}`)
      await sweepAll(app)
      // The salt of the day belongs to no page.
      expect<object>({ ...(await rowCounts(app)), view_salts: 0 }).toEqual(before)
      expect(await storedKeys(app)).toEqual([])
    }, 240_000)
  })
}
