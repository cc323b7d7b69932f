import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { client, guardOf, guess, PAGE, waitOf } from '../../testing/password-guesses.ts'

for (const engine of ENGINES) {
  describe(`wrong passwords of a page on ${engine}`, () => {
    it('leave one try in flight to an address, of however many at once', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      await guess([guard], 0, 120)
      const waits = await Promise.all(Array.from({ length: 8 }, () => waitOf(guard, client(9000))))
      expect(waits.filter((wait) => wait === 0)).toHaveLength(1)
    })

    it('are not those that were right', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      for (let n = 0; n < 150; n++) {
        const takeBack = await guard.count({ page_id: PAGE, address: client(n) })
        await takeBack()
      }
      expect([await waitOf(guard, client(0)), await waitOf(guard, client(0))]).toEqual([0, 0])
    })
  })
}

describe('wrong passwords of a page on two nodes', () => {
  it('are counted together, and so are the pauses', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const guards = [guardOf(app), guardOf(node)]
    await guess(guards, 0, 101)
    const who = client(9000)
    expect([await waitOf(guards[0]!, who), await waitOf(guards[1]!, who)]).toEqual([0, 1])
  })
})
