import { expect, it, test } from 'bun:test'
import { loadOnce, shareReads } from './promises.ts'

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
it('shares a read among the calls of one turn, and begins it after them', async () => {
  const reads: string[] = []
  let stored = 'old'
  const read = shareReads(async (key) => {
    reads.push(key)
    return `${key} ${stored}`
  })
  const first = read('a')
  stored = 'new'
  const answers = await Promise.all([first, read('a'), read('b')])
  expect(answers).toEqual(['a new', 'a new', 'b new'])
  expect(reads).toEqual(['a', 'b'])
})

it('reads again for a call that comes while a read is under way', async () => {
  const ends: (() => void)[] = []
  const read = shareReads(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const number = ends.push(resolve)
    await promise
    return number
  })
  const first = read('a')
  while (ends.length < 1) await Bun.sleep(1)
  const second = read('a')
  while (ends.length < 2) await Bun.sleep(1)
  for (const end of ends) end()
  expect(await Promise.all([first, second])).toEqual([1, 2])
})

it('fails for all calls of a turn, and not for later ones', async () => {
  let fails = true
  const read = shareReads(async () => {
    if (fails) throw new Error('no answer')
    return 'an answer'
  })
  const outcomes = await Promise.allSettled([read('a'), read('a')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read('a')).toBe('an answer')
})
