import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createThrottles, type Limit } from './index.ts'

const THREE: Limit = { name: 'test', count: 3, windowS: 60 }

for (const engine of ENGINES) {
  describe(`throttles on ${engine}`, () => {
    it('allows so many in a window, and so many again in the next', async () => {
      await using app = await testApp(engine)
      const throttles = createThrottles({ ...app, isOn: true })
      const tries = []
      for (let i = 0; i < 5; i++) tries.push((await throttles.take(THREE, 'ann')).isAllowed)
      expect(tries).toEqual([true, true, true, false, false])
      expect((await throttles.take(THREE, 'bob')).remaining).toBe(2)
      app.advance(61_000)
      expect(await throttles.take(THREE, 'ann')).toMatchObject({ isAllowed: true, remaining: 2 })
    })

    it('is exact under concurrency, and shared by nodes', async () => {
      await using app = await testApp(engine)
      const nodes = [
        createThrottles({ ...app, isOn: true }),
        createThrottles({ ...app, isOn: true }),
      ]
      const tries = await Promise.all(
        Array.from({ length: 40 }, (_, i) => nodes[i % 2]!.take(THREE, 'ann')),
      )
      expect(tries.filter(({ isAllowed }) => isAllowed)).toHaveLength(3)
    })

    it('says how long to wait, and leaves nothing behind once it is over', async () => {
      await using app = await testApp(engine)
      const throttles = createThrottles({ ...app, isOn: true })
      for (let i = 0; i < 3; i++) await throttles.assert(THREE, 'ann')
      const refusal = await throttles.assert(THREE, 'ann').catch((err) => err)
      expect(refusal).toMatchObject({ kind: 'rate_limited', code: 'rate_limited' })
      expect(refusal.details.retry_after_s).toBeGreaterThan(50)
      app.advance(61_000)
      await throttles.sweep()
      const left = await app.database.read.selectFrom('throttles').selectAll().execute()
      expect(left).toEqual([])
    })

    it('counts nothing where limits are off', async () => {
      await using app = await testApp(engine)
      const throttles = createThrottles({ ...app, isOn: false })
      for (let i = 0; i < 9; i++) expect((await throttles.take(THREE, 'ann')).isAllowed).toBe(true)
    })
  })
}
