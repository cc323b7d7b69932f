import { expect, test } from 'bun:test'
import { createSlices } from './time-slices.ts'

test('long work lets others in when a slice of time is over', async () => {
  const pause = createSlices()
  let isAnswered = false
  setTimeout(() => {
    isAnswered = true
  })
  const workEndMs = performance.now() + 10
  while (performance.now() < workEndMs);
  expect(isAnswered).toBe(false)
  await pause()
  expect(isAnswered).toBe(true)
})
