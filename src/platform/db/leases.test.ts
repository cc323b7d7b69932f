import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createLeases } from './leases.ts'

/** So long that none of them ends during a test. */
const LONG_MS = 600_000
/** Longer than a busy machine may hold up what is done between a renewal and the next end. */
const SHORT_MS = 2000

for (const engine of ENGINES) {
  describe(`leases on ${engine}`, () => {
    it('let one process at a time work, and the next one after it', async () => {
      await using app = await testApp(engine)
      const [here, there] = [0, 1].map(() => createLeases(app.database, LONG_MS))
      const done: string[] = []
      const first = await here!.run('sweep', async () => {
        done.push('first')
        expect(await there!.run('sweep', async () => done.push('never'))).toBeNull()
        expect(await there!.run('other', async () => 'beside')).toEqual({ result: 'beside' })
        return 'done'
      })
      expect(first).toEqual({ result: 'done' })
      await there!.run('sweep', async () => done.push('second'))
      expect(done).toEqual(['first', 'second'])
      expect(await app.database.read.selectFrom('leases').selectAll().execute()).toEqual([])
    })

    it('go to one of many that ask at once', async () => {
      await using app = await testApp(engine)
      let running = 0
      const work = async () => {
        running += 1
        expect(running).toBe(1)
        await Bun.sleep(1)
        running -= 1
      }
      const nodes = Array.from({ length: 12 }, () => createLeases(app.database, LONG_MS))
      const got = await Promise.all(nodes.map((node) => node.run('sweep', work)))
      expect(got.filter((one) => one !== null).length).toBeGreaterThan(0)
    })

    it('end with work that fails', async () => {
      await using app = await testApp(engine)
      const leases = createLeases(app.database, LONG_MS)
      const failed = leases.run('sweep', () => Promise.reject(new Error('no')))
      expect(await failed.catch((err: Error) => err.message)).toBe('no')
      expect(await leases.run('sweep', async () => 1)).toEqual({ result: 1 })
    })

    it('are kept while the work goes on, and end some time after the process died', async () => {
      await using app = await testApp(engine)
      const [dying, other] = [
        createLeases(app.database, SHORT_MS),
        createLeases(app.database, SHORT_MS),
      ]
      const { promise: died, resolve: die } = Promise.withResolvers<void>()
      void dying.run('sweep', () => died)
      const ends = async () =>
        Number((await app.database.read.selectFrom('leases').selectAll().execute())[0]?.ends_ms)
      while (Number.isNaN(await ends())) await Bun.sleep(5)
      const first = await ends()
      while ((await ends()) === first) await Bun.sleep(20)
      expect(await other.run('sweep', async () => 'early')).toBeNull()
      // What a killed process leaves: nobody renews it any more. Most of its time has passed.
      const endsMs = (await ends()) - SHORT_MS + 300
      await app.database.write((tx) =>
        tx.updateTable('leases').set({ holder: 'a killed process', ends_ms: endsMs }).execute(),
      )
      let next: { result: number } | null = null
      while (next === null) {
        next = await other.run('sweep', async () => Date.now())
        await Bun.sleep(20)
      }
      expect(next.result).toBeGreaterThan(endsMs - 20)
      die()
    }, 30_000)

    it('last no longer where the clock is set back, and are not taken from work that goes on', async () => {
      await using app = await testApp(engine)
      const [here, there] = [0, 1].map(() => createLeases(app.database, LONG_MS))
      const rows = () => app.database.read.selectFrom('leases').selectAll().execute()
      await here!.run('sweep', async (signal) => {
        const endsMs = (await rows())[0]!.ends_ms
        const later = Number(endsMs) + 36_000_000
        await app.database.write((tx) => tx.updateTable('leases').set({ ends_ms: later }).execute())
        expect(await there!.run('sweep', async () => 'never')).toBeNull()
        const [after] = await rows()
        expect(Number(after!.ends_ms)).toBeWithin(Number(endsMs), Number(endsMs) + LONG_MS)
        expect(signal.aborted).toBe(false)
      })
      expect(await there!.run('sweep', async () => 'next')).toEqual({ result: 'next' })
    })

    it('abort the work that has lost them', async () => {
      await using app = await testApp(engine)
      const leases = createLeases(app.database, 200)
      const lost = leases.run('sweep', async (signal) => {
        await app.database.write((tx) => tx.deleteFrom('leases').execute())
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return signal.reason as Error
      })
      expect((await lost)?.result.message).toBe('The lease sweep was lost')
    })
  })
}
