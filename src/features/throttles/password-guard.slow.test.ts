import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, testApp } from '../../testing/app.ts'
import { client, guardOf, guess, time, waitOf } from '../../testing/password-guesses.ts'

for (const engine of ENGINES) {
  describe(`wrong passwords of a page on ${engine}`, () => {
    it('let an address wait between its tries, and longer with each hundred', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      const pauses: number[] = []
      for (let n = 0; n < 8; n++) {
        const who = client(5000 + n)
        expect(await waitOf(guard, who)).toBe(0)
        pauses.push(await waitOf(guard, who))
        await guess([guard], n * 100, (n + 1) * 100 - 2)
      }
      expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 16, 16])
    })

    it('close the page to nobody, and slow no other', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      await guess([guard], 0, 700)
      const ann = client(9000)
      expect(await waitOf(guard, ann)).toBe(0)
      expect(await waitOf(guard, ann)).toBe(16)
      time.ms += 16_000
      expect(await waitOf(guard, ann)).toBe(0)
      expect([await waitOf(guard, ann, 'pg_2'), await waitOf(guard, ann, 'pg_2')]).toEqual([0, 0])
      time.ms += HOUR_MS
      expect([await waitOf(guard, ann), await waitOf(guard, ann)]).toEqual([0, 0])
    })
  })
}
