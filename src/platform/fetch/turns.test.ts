import { expect, test } from 'bun:test'
import { createTurns } from './turns.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('only so many have a turn at once, and the rest go in the order they came', async () => {
  const turns = createTurns(2)
  const { signal } = new AbortController()
  const started: number[] = []
  const releases: (() => void)[] = []
  for (const who of [1, 2, 3, 4]) {
    turns.take(signal).then((release) => {
      started.push(who)
      releases.push(release)
    })
  }
  await settle()
  expect(started).toEqual([1, 2])
  releases[1]?.()
  await settle()
  expect(started).toEqual([1, 2, 3])
  releases[0]?.()
  await settle()
  expect(started).toEqual([1, 2, 3, 4])
})

test('who gives up while waiting takes no turn and leaves none behind', async () => {
  const turns = createTurns(1)
  const patient = new AbortController()
  const hasty = new AbortController()
  const release = await turns.take(patient.signal)
  const waited = turns.take(hasty.signal)
  const next = turns.take(patient.signal)
  hasty.abort()
  await expect(waited).rejects.toThrow()
  release()
  const second = await next
  second()
  await turns.take(patient.signal)
})
