import { expect, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../model/errors.ts'
import { createContentMemory } from './work.ts'

const MIB = 1024 * 1024

/** Work that the test ends. */
function works(maxWaitMs?: number) {
  const memory = createContentMemory({ totalBytes: 64 * MIB, ...(maxWaitMs && { maxWaitMs }) })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    hold(name: string, mib: number): Promise<string> {
      return memory.hold(mib * MIB, async () => {
        begun.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        await promise
        return name
      })
    },
    end: (name: string) => ends.get(name)!(),
    fail: () => memory.hold(40 * MIB, () => Promise.reject(new Error('broken'))),
  }
}

test('content that fits is worked on at once, and the rest in the order of the calls', async () => {
  const { begun, hold, end } = works()
  const all = [hold('a', 40), hold('b', 20), hold('c', 30), hold('d', 5)]
  await nextTurn()
  expect(begun).toEqual(['a', 'b'])
  end('b')
  await all[1]
  expect(begun).toEqual(['a', 'b'])
  end('a')
  await all[0]
  await nextTurn()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  end('c')
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('content that is larger than the memory has it alone', async () => {
  const { begun, hold, end } = works()
  const all = [hold('large', 95), hold('next', 5)]
  await nextTurn()
  expect(begun).toEqual(['large'])
  end('large')
  await all[0]
  await nextTurn()
  expect(begun).toEqual(['large', 'next'])
  end('next')
  await all[1]
})

test('small content never waits', async () => {
  const { begun, hold, end } = works()
  const all = [hold('large', 64), hold('small', 4)]
  await nextTurn()
  expect(begun.toSorted()).toEqual(['large', 'small'])
  for (const name of begun) end(name)
  await Promise.all(all)
})

test('who waits for too long is refused, and keeps nobody else out', async () => {
  const { begun, hold, end } = works(20)
  const first = hold('a', 40)
  const refused = await hold('b', 40).catch((err) => err)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: 'server_busy', details: { retry_after_s: 10 } })
  const third = hold('c', 20)
  await nextTurn()
  expect(begun).toEqual(['a', 'c'])
  end('a')
  end('c')
  await Promise.all([first, third])
})

test('work that fails gives its memory back', async () => {
  const { begun, hold, end, fail } = works()
  for (let n = 0; n < 5; n++) expect(await fail().catch(({ message }) => message)).toBe('broken')
  const after = hold('after', 64)
  await nextTurn()
  expect(begun).toEqual(['after'])
  end('after')
  await after
})
