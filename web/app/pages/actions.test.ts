import { expect, test } from 'bun:test'
import { settleAll } from './actions.ts'

test('many requests are sent a few at once, and what came of each keeps its place', async () => {
  let under = 0
  let most = 0
  const results = await settleAll([...Array(40).keys()], async (item) => {
    under += 1
    most = Math.max(most, under)
    await Bun.sleep(1)
    under -= 1
    if (item % 10 === 3) throw new Error(`${item} failed`)
    return item * 2
  })
  expect(most).toBe(6)
  expect(results).toHaveLength(40)
  expect(results[7]).toEqual({ status: 'fulfilled', value: 14 })
  expect(
    results.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : [])),
  ).toEqual([3, 13, 23, 33].map((item) => `${item} failed`))
})
