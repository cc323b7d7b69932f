import { expect, test } from 'bun:test'
import { loadInTurns, loadOnce } from './load-once.ts'

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

test('parts are loaded in their order, with other work after each of them', async () => {
  const events: string[] = []
  let isLoading = true
  const other = async () => {
    while (isLoading) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (events.at(-1) !== 'other') events.push('other')
    }
  }
  const running = other()
  const part = (name: string) => async () => void events.push(name)
  const late = async () => {
    await new Promise<void>((resolve) => setImmediate(resolve))
    events.push('late')
  }
  await loadInTurns([part('first'), late, part('last')])
  events.push('end')
  isLoading = false
  await running
  const order = events.filter((event, index) => index > 0 || event !== 'other').slice(0, 7)
  expect(order).toEqual(['first', 'other', 'late', 'other', 'last', 'other', 'end'])
})
