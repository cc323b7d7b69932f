import { afterEach, expect, spyOn, test } from 'bun:test'
import { Refusal } from '../model/errors.ts'
import { createThreads, type Threads } from './threads.ts'

const program = new URL('../testing/thread-program.ts', import.meta.url)
let threads: Threads = createThreads({ program })
afterEach(async () => {
  await threads.close()
  threads = createThreads({ program })
})

const run = (task: string, input: object = {}) =>
  threads.run(task, async () => ({ input, transfer: [] }))
const failure = (task: string) => run(task).catch((err: Error) => err)

test('a task gives back its result, and bytes are moved to it and from it', async () => {
  const bytes = new Uint8Array([1, 2, 3])
  const doubled = await threads.run('double', async () => ({
    input: { bytes },
    transfer: [bytes.buffer],
  }))
  expect(doubled).toEqual({ bytes: new Uint8Array([2, 4, 6]) })
  expect(bytes.byteLength).toBe(0)
  const shared = await run('part', { bytes: new Uint8Array([1, 2, 3]) })
  expect(shared).toEqual({ bytes: new Uint8Array([2]), whole: new Uint8Array([1, 2, 3]) })
})

test('a refusal of a task stays one, with its code and details, and a bug stays a bug', async () => {
  const refusal = (await failure('refuse')) as Refusal
  expect(refusal).toBeInstanceOf(Refusal)
  const { kind, code, message, details } = refusal
  expect({ kind, code, message, details }).toEqual({
    kind: 'invalid',
    code: 'bad_path',
    message: 'Not this one.',
    details: { param: 'files' },
  })
  const bug = (await failure('fail')) as Error
  expect(bug).not.toBeInstanceOf(Refusal)
  expect(bug.message).toBe('A bug')
  expect(bug.stack).toContain('thread-program.ts')
  expect(((await failure('unknown')) as Error).message).toContain('is not a function')
})

test('tasks run two at a time, and this thread goes on meanwhile', async () => {
  const done: number[] = []
  const sleeps = [400, 300, 10].map(async (ms) => done.push((await run('sleep', { ms })) as number))
  const began = performance.now()
  await Bun.sleep(20)
  expect(performance.now() - began).toBeLessThan(250)
  await Promise.all(sleeps)
  // The third began once one of the others was done, whichever thread was the faster one.
  expect(done.indexOf(10)).toBeGreaterThan(0)
})

test('what runs or waits when they close is rejected, and nothing starts afterwards', async () => {
  const all = [1, 2, 3].map(() => run('sleep', { ms: 60_000 }).catch((err: Error) => err.message))
  await Bun.sleep(50)
  await threads.close()
  expect((await Promise.all(all)).sort()).toEqual([
    'A thread ended before its task',
    'A thread ended before its task',
    'Closed',
  ])
  expect(await run('sleep', { ms: 1 }).catch((err: Error) => err.message)).toBe('Closed')
})

test('a task whose input cannot be made fails, and its thread goes on', async () => {
  const failing = () => Promise.reject(new Error('No input'))
  const all = [1, 2, 3].map(() => threads.run('double', failing).catch((err: Error) => err.message))
  expect(await Promise.all(all)).toEqual(['No input', 'No input', 'No input'])
  expect(await run('sleep', { ms: 1 })).toBe(1)
})

test('a task whose input comes after its thread has ended leaves no timer, so the process can end', async () => {
  const made = Promise.withResolvers<{ input: object; transfer: [] }>()
  const failed = threads.run('sleep', () => made.promise, 60_000, 1024 ** 3).catch(() => 'failed')
  await threads.close()
  expect(await failed).toBe('failed')
  const looks = spyOn(process.memoryUsage, 'rss')
  try {
    made.resolve({ input: { ms: 1 }, transfer: [] })
    await Bun.sleep(100)
    expect(looks).not.toHaveBeenCalled()
  } finally {
    looks.mockRestore()
  }
})

test('a thread that ends fails its task alone, and another takes its place', async () => {
  const [crashed, slept, next] = await Promise.all([
    failure('crash'),
    run('sleep', { ms: 50 }),
    run('sleep', { ms: 1 }),
  ])
  expect((crashed as Error).message).toContain('ended before its task')
  expect([slept, next]).toEqual([50, 1])
})

test('a task that takes too long is ended, and its thread does no other work', async () => {
  const LATE = 'A task took too long'
  const makeInput = async () => ({ input: {}, transfer: [] })
  const late = () => threads.run('spin', makeInput, 100).catch((err: Error) => err.message)
  expect(await Promise.all([late(), late(), late()])).toEqual([LATE, LATE, LATE])
  expect(await run('sleep', { ms: 1 })).toBe(1)
})

test('a task that takes more memory than it may is ended, and the next one runs', async () => {
  const makeInput = async () => ({ input: {}, transfer: [] })
  const hoarding = threads.run('hoard', makeInput, 20_000, 200_000_000)
  expect(await hoarding.catch((err: Error) => err.message)).toBe('A task took too much memory')
  expect(await run('sleep', { ms: 1 })).toBe(1)
})
