import { describe, expect, it, test } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { createCodeGuard, createThrottles, networkOf } from './index.ts'

const ADDRESSES: [string, string][] = [
  ['203.0.113.9', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
  ['unknown', 'unknown'],
]
for (const [address, network] of ADDRESSES) {
  test(`the network of ${address} is ${network}`, () => {
    expect(networkOf(address)).toBe(network)
  })
}

/** A client in a network of its own. */
const client = (n: number) => `10.${n >> 8}.${n & 255}.1`
const ANN = 'ann@example.com'

function guardOf(app: TestApp) {
  return createCodeGuard(createThrottles({ ...app, isOn: true }))
}

/** @returns how many of the tries are allowed */
async function allowed(
  guard: ReturnType<typeof guardOf>,
  tries: { address: string; email: string | null }[],
): Promise<number> {
  let count = 0
  for (const tried of tries) if ((await guard.count(tried)) !== null) count += 1
  return count
}
function times<T>(length: number, of: (n: number) => T): T[] {
  return Array.from({ length }, (_, n) => of(n))
}

for (const engine of ENGINES) {
  describe(`wrong codes on ${engine}`, () => {
    it('are 20 a day for an email address, from all networks together', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      const tries = times(25, (n) => ({ address: client(n), email: ANN }))
      expect(await allowed(guard, tries)).toBe(20)
      expect(await allowed(guard, [{ address: client(90), email: 'bob@example.com' }])).toBe(1)
    })

    it('are 60 a day from a network, and what is refused there counts nowhere else', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      const address = (n: number) => `203.0.113.${n}`
      const tries = times(60, (n) => ({ address: address(n), email: `p${n}@example.com` }))
      expect(await allowed(guard, tries)).toBe(60)
      const refused = times(30, (n) => ({ address: address(n), email: ANN }))
      expect(await allowed(guard, refused)).toBe(0)
      expect(await allowed(guard, [{ address: client(1), email: ANN }])).toBe(1)
    })

    it('are 500 an hour for the whole service', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      const tries = times(505, (n) => ({ address: client(n), email: `p${n}@example.com` }))
      expect(await allowed(guard, tries)).toBe(500)
      app.advance(60 * 60_000)
      expect(await allowed(guard, [{ address: client(600), email: ANN }])).toBe(1)
    })

    it('do not count codes that were right', async () => {
      await using app = await testApp(engine)
      const guard = guardOf(app)
      for (let n = 0; n < 30; n += 1) {
        const takeBack = await guard.count({ address: client(n), email: ANN })
        expect(takeBack).not.toBeNull()
        await takeBack!()
      }
    })
  })
}
