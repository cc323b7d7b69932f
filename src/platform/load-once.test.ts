import { expect, test } from 'bun:test'
import { loadOnce } from './load-once.ts'

test('what could not be loaded is tried again, and what was is loaded once', async () => {
  let tries = 0
  const load = loadOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return tries
  })
  await expect(load()).rejects.toThrow('not yet')
  await Bun.sleep(0)
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})
