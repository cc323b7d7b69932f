import { expect, test } from 'bun:test'
import { createDeadline } from './index.ts'

const never = () => new Promise<never>(() => {})

test('the first limit that passes aborts everything', async () => {
  const deadline = createDeadline(5000)
  deadline.limit(10)
  await expect(deadline.race(never())).rejects.toThrow()
  expect(deadline.signal.aborted).toBe(true)
  await expect(deadline.race(never())).rejects.toThrow()
})

test('the total time has a limit', async () => {
  await expect(createDeadline(10).race(never())).rejects.toThrow()
})

test('a limit that was cancelled does nothing', async () => {
  const deadline = createDeadline(5000)
  deadline.limit(10)()
  expect(await deadline.race(Bun.sleep(30).then(() => 'done'))).toBe('done')
  expect(deadline.signal.aborted).toBe(false)
  deadline.end()
  expect(deadline.signal.aborted).toBe(true)
})

test('work that fails rejects with its own reason', async () => {
  const deadline = createDeadline(5000)
  await expect(deadline.race(Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  deadline.end()
})
