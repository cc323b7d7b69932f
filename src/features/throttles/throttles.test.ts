import { describe, expect, it } from 'bun:test'
import type { RateLimit } from '../../model/operation.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createThrottles } from './index.ts'

const THREE: RateLimit = { name: 'test', count: 3, windowS: 60 }
const ONE: RateLimit = { name: 'test', count: 1, windowS: 60 }

function throttlesOf({ database, clock }: TestApp, more: { isOn?: boolean; max?: number } = {}) {
  const { isOn = true, max = 100 } = more
  return createThrottles({ database, clock, isOn, maxExhausted: max })
}

for (const engine of ENGINES) {
  describe(`throttles on ${engine}`, () => {
    it('allow so many tries in a window, and as many again in the next', async () => {
      await using app = await testApp(engine)
      const throttles = throttlesOf(app)
      const tries = []
      for (let i = 0; i < 5; i++) tries.push((await throttles.consume(THREE, 'ann')).isAllowed)
      expect(tries).toEqual([true, true, true, false, false])
      expect((await throttles.consume(THREE, 'bob')).remaining).toBe(2)
      app.advance(61_000)
      const next = await throttles.consume(THREE, 'ann')
      expect(next).toMatchObject({ isAllowed: true, remaining: 2 })
    })

    it('count exactly when tries arrive at once on two nodes', async () => {
      await using app = await testApp(engine)
      const nodes = [throttlesOf(app), throttlesOf(app)]
      const tries = await Promise.all(
        Array.from({ length: 40 }, (_, i) => nodes[i % 2]!.consume(THREE, 'ann')),
      )
      expect(tries.filter(({ isAllowed }) => isAllowed)).toHaveLength(3)
    })

    it('refuse with the seconds to wait, and delete windows that have ended', async () => {
      await using app = await testApp(engine)
      const throttles = throttlesOf(app)
      for (let i = 0; i < 3; i++) await throttles.assert(THREE, 'ann')
      const refusal = await throttles.assert(THREE, 'ann').catch((err) => err)
      expect(refusal).toMatchObject({ kind: 'rateLimited', code: 'rate_limited' })
      expect(refusal.details.retry_after_s).toBeGreaterThan(50)
      app.advance(61_000)
      await throttles.sweep()
      expect(await app.rows('throttles')).toEqual([])
    })

    it('last one window more at most where the clock is set back, with the tries so far', async () => {
      await using app = await testApp(engine)
      // The second is another process, with an empty memory.
      for (const nodes of [[throttlesOf(app)], [throttlesOf(app), throttlesOf(app)]]) {
        const who = `ann ${nodes.length}`
        const consume = (n: number) => nodes.at(n)!.consume(THREE, who)
        for (let i = 0; i < 3; i++) await consume(0)
        expect((await consume(0)).isAllowed).toBe(false)
        app.advance(-10 * HOUR_MS)
        const refused = await consume(-1)
        expect(refused.isAllowed).toBe(false)
        expect(refused.resetS).toBeLessThanOrEqual(THREE.windowS)
        app.advance(30_000)
        expect((await consume(-1)).isAllowed).toBe(false)
        app.advance(31_000)
        expect(await consume(-1)).toMatchObject({ isAllowed: true, remaining: 2 })
      }
    })

    it('allow one more window where the clock is set forward, and none where it is set right', async () => {
      await using app = await testApp(engine)
      const throttles = throttlesOf(app)
      const allowedOf = async (tries: number) => {
        let allowed = 0
        for (let i = 0; i < tries; i++) {
          if ((await throttles.consume(THREE, 'ann')).isAllowed) allowed += 1
        }
        return allowed
      }
      expect(await allowedOf(5)).toBe(3)
      app.advance(10 * HOUR_MS)
      expect(await allowedOf(5)).toBe(3)
      await throttles.sweep()
      app.advance(-10 * HOUR_MS)
      expect(await allowedOf(5)).toBe(0)
      app.advance(61_000)
      expect(await allowedOf(5)).toBe(3)
    })

    it('write nothing for the caller who tries most, however many others are refused', async () => {
      await using app = await testApp(engine)
      const throttles = throttlesOf(app, { max: 3 })
      const countOf = async (key: string) =>
        (await app.rows('throttles')).find((row) => row.key === `test ${key}`)!.count
      await throttles.consume(ONE, 'hottest')
      for (let i = 0; i < 10; i++) {
        await throttles.consume(ONE, `other ${i}`)
        expect((await throttles.consume(ONE, 'hottest')).isAllowed).toBe(false)
      }
      expect(await countOf('hottest')).toBe(1)
      // One that is no longer in memory is still refused, by the count in the database.
      expect((await throttles.consume(ONE, 'other 0')).isAllowed).toBe(false)
      expect(await countOf('other 0')).toBe(2)
    })

    it('count in memory on a full disk where they guard no secret, and otherwise refuse', async () => {
      await using app = await testApp(engine)
      let isFull = true
      const database: TestApp['database'] = {
        ...app.database,
        write: (...args) =>
          isFull
            ? Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
            : app.database.write(...args),
      }
      const throttles = createThrottles({ database, clock: app.clock, isOn: true })
      const limit = { ...THREE, countsWithoutSpace: true }
      const remaining = async () => (await throttles.consume(limit, 'ann')).remaining
      expect([await remaining(), await remaining(), await remaining()]).toEqual([2, 1, 0])
      expect((await throttles.consume(limit, 'ann')).isAllowed).toBe(false)
      expect((await throttles.consume(limit, 'bob')).remaining).toBe(2)
      app.advance(-HOUR_MS)
      expect(await throttles.consume(limit, 'ann')).toMatchObject({ isAllowed: false, resetS: 60 })
      app.advance(THREE.windowS * 1000 + 1)
      expect(await remaining()).toBe(2)
      expect(await throttles.consume(THREE, 'ann').catch((err: Error) => err.message)).toBe('full')
      expect(await app.rows('throttles')).toEqual([])
      isFull = false
      expect((await throttles.consume(limit, 'cid')).remaining).toBe(2)
      expect(await app.rows('throttles')).toHaveLength(1)
    })

    it('count nothing where limits are off', async () => {
      await using app = await testApp(engine)
      const throttles = throttlesOf(app, { isOn: false })
      for (let i = 0; i < 9; i++) {
        expect((await throttles.consume(THREE, 'ann')).isAllowed).toBe(true)
      }
      expect(await app.rows('throttles')).toEqual([])
    })
  })
}
