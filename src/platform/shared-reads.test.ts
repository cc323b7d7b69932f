import { expect, it } from 'bun:test'
import { shareReads } from './shared-reads.ts'

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
