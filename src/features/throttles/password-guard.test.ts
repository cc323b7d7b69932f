import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../model/errors.ts'
import { createClock } from '../../platform/clock.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createPasswordGuard, createThrottles } from './index.ts'

const PAGE = 'pg_1'
const client = (n: number) => `10.${n >> 8}.${n & 255}.1`

/** A clock that only the test moves: a pause is short. */
let nowMs = 0
const clock = createClock(() => nowMs)

function guardOf({ database }: Pick<TestApp, 'database'>) {
  return createPasswordGuard(createThrottles({ database, clock, isOn: true }))
}
type Guard = ReturnType<typeof guardOf>

/** Tries once. @returns the seconds to wait, 0 for a try that is compared */
async function waitOf(guard: Guard, address: string, page = PAGE): Promise<number> {
  try {
    await guard.count({ page_id: page, address })
    return 0
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    return Number(err.details?.retry_after_s)
  }
}
/** Wrong passwords, each from an address of its own. */
async function guess(guards: Guard[], from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++)
    expect(await waitOf(guards[n % guards.length]!, client(n))).toBe(0)
}

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
      nowMs += 16_000
      expect(await waitOf(guard, ann)).toBe(0)
      expect([await waitOf(guard, ann, 'pg_2'), await waitOf(guard, ann, 'pg_2')]).toEqual([0, 0])
      nowMs += HOUR_MS
      expect([await waitOf(guard, ann), await waitOf(guard, ann)]).toEqual([0, 0])
    })

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
