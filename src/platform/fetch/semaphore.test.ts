import { expect, test } from 'bun:test'
import { createSemaphore } from './index.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('runs up to the limit at once, and the others in the order they asked', async () => {
  const semaphore = createSemaphore(2)
  const { signal } = new AbortController()
  const started: number[] = []
  const releases: (() => void)[] = []
  for (const task of [1, 2, 3, 4]) {
    semaphore.acquire(signal).then((release) => {
      started.push(task)
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

test('skips a task whose signal aborts while it waits', async () => {
  const semaphore = createSemaphore(1)
  const [running, cancelled] = [new AbortController(), new AbortController()]
  const release = await semaphore.acquire(running.signal)
  const aborted = semaphore.acquire(cancelled.signal)
  const next = semaphore.acquire(running.signal)
  cancelled.abort()
  await expect(aborted).rejects.toThrow()
  release()
  const second = await next
  second()
  await semaphore.acquire(running.signal)
})
