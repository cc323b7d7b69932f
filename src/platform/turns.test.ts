import { expect, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurns, movable } from './promises.ts'

/** How many of the callers have their turn after each turn of the event loop. */
async function progress(shares: readonly number[], turns: number): Promise<number[]> {
  const takeTurn = createTurns()
  let done = 0
  for (const share of shares) void takeTurn(share).then(() => (done += 1))
  const counts: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    await Promise.resolve()
    counts.push(done)
    await nextTurn()
  }
  return counts
}

test('one caller that takes a whole turn runs in each', async () => {
  expect(await progress([1, 1, 1], 3)).toEqual([1, 2, 3])
})

test('callers that fit into one turn share it', async () => {
  expect(await progress([0.5, 0.5, 0.5, 0.25, 0.25, 0.5], 3)).toEqual([2, 5, 6])
})

test('a small piece does not overtake a large one', async () => {
  expect(await progress([0.5, 1, 0.1], 3)).toEqual([1, 2, 3])
})

test('work that is larger than a turn has one alone', async () => {
  expect(await progress([7, 0.1, 7], 3)).toEqual([1, 2, 3])
})

test('nobody waits in a turn that nobody took', async () => {
  for (let n = 0; n < 3; n++) expect(await progress([1], 1)).toEqual([1])
})

test('bytes with a buffer of their own can be moved, and parts of one are copied', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  const large = Buffer.concat(Array.from({ length: 100 }, () => bytes))
  const part = large.subarray(1)
  const copy = await movable(part)
  expect(Buffer.compare(copy, part)).toBe(0)
  expect(copy.buffer).not.toBe(large.buffer)
  expect((await movable(copy)).buffer).toBe(copy.buffer)
  expect((await movable(new Uint8Array())).byteLength).toBe(0)
})
