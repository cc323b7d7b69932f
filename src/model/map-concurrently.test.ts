import { expect, test } from 'bun:test'
import { mapConcurrently } from './map-concurrently.ts'

test('much is done a few at once, and each result keeps its place', async () => {
  let under = 0
  let most = 0
  const results = await mapConcurrently([...Array(40).keys()], 6, async (item) => {
    under += 1
    most = Math.max(most, under)
    await Bun.sleep(item % 3)
    under -= 1
    return item * 2
  })
  expect(most).toBe(6)
  expect(results).toEqual([...Array(40).keys()].map((item) => item * 2))
})

test('where one fails, no further ones begin', async () => {
  const begun: number[] = []
  const all = mapConcurrently([...Array(40).keys()], 2, async (item) => {
    begun.push(item)
    await Bun.sleep(1)
    if (item === 3) throw new Error('Three failed')
  })
  await expect(all).rejects.toThrow('Three failed')
  await Bun.sleep(20)
  expect(begun.length).toBeLessThanOrEqual(5)
})
