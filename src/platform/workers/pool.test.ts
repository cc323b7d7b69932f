import { afterEach, expect, test } from 'bun:test'
import { silentLog } from '../../testing/silent-log.ts'
import type { Database, Tx } from '../db/index.ts'
import { createCalls, type Handlers } from './calls.ts'
import { type LaunchWorker, startWorkers, type WorkerPool } from './pool.ts'
import { withWorkers } from './shared-writes.ts'

/** A worker in this process: messages take a turn of the event loop, as between processes. */
interface FakeWorker {
  calls: ReturnType<typeof createCalls>
  /** As a kill does it. */
  end(how: string): void
  isKilled: boolean
}

const pools: WorkerPool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop()
})

function startPool(handlers: Handlers, given: { takeOver?: () => Promise<boolean> } = {}) {
  const launched: FakeWorker[] = []
  const stored: unknown[] = []
  const launch: LaunchWorker = (onMessage, onExit) => {
    const end = (how: string) => {
      worker.calls.close()
      onExit(how)
    }
    const stop = () => setImmediate(end, '0')
    const worker: FakeWorker = {
      calls: createCalls((message) => setImmediate(onMessage, message), {
        ping() {},
        stop,
        hold() {},
        flush: async () => true,
        ...handlers,
      }),
      end,
      isKilled: false,
    }
    launched.push(worker)
    return {
      pid: launched.length,
      send: (message) => setImmediate(worker.calls.receive, message),
      kill() {
        worker.isKilled = true
        setImmediate(end, 'SIGKILL')
      },
    }
  }
  const pool = startWorkers({
    ...{ count: 1, launch, log: silentLog() },
    setup: ({ number }) => ({ number }),
    handlers: { storeBatch: async (batch: unknown) => stored.push(batch) },
    onPing() {},
    takeOver: given.takeOver ?? (async () => true),
    answerMs: 50,
  })
  pools.push(pool)
  return { pool, launched, stored }
}

/** A database whose writes announce a change. */
function databaseOf(pool: WorkerPool): Database {
  const inner = {
    write: async <T>(work: (tx: Tx) => Promise<T>) => {
      const result = await work({} as Tx)
      pool.notify('page_changed', 'slug')
      return result
    },
  }
  return withWorkers(inner as unknown as Database, () => pool)
}

test('a write resolves once the worker has acknowledged it', async () => {
  const received: unknown[] = []
  const { pool, launched } = startPool({ notify: (message: unknown) => received.push(message) })
  await launched[0]!.calls.call('ready')
  const writing = databaseOf(pool).write(async () => 'written')
  expect(received).toEqual([])
  expect(await writing).toBe('written')
  expect(received).toEqual([{ channel: 'page_changed', payload: 'slug' }])
  expect(pool.acknowledged()).toBeNull()
})

test('a worker that does not answer is killed, and the write resolves after that', async () => {
  const { pool, launched } = startPool({ notify: () => new Promise(() => {}) })
  await launched[0]!.calls.call('ready')
  await databaseOf(pool).write(async () => {})
  expect(launched[0]!.isKilled).toBe(true)
  expect(pool.serving()).toBe(0)
})

test('a worker that starts is notified, and keeps no write waiting', async () => {
  const received: unknown[] = []
  const { pool, launched } = startPool({
    notify(message: unknown) {
      received.push(message)
      return new Promise(() => {})
    },
  })
  await databaseOf(pool).write(async () => {})
  // The notification comes before the answer by which it begins to serve.
  await launched[0]!.calls.call('ready')
  expect(received).toHaveLength(1)
  expect(launched[0]!.isKilled).toBe(false)
})

test('no view of a held page is counted by workers, nor by those that start meanwhile', async () => {
  const held: unknown[] = []
  const { pool, launched } = startPool({ hold: (pageIds: unknown) => held.push(pageIds) })
  await launched[0]!.calls.call('ready')
  const release = await pool.hold('pg_1')
  expect(held).toEqual([['pg_1']])
  const again = await pool.hold('pg_1')
  again()
  expect(await launched[0]!.calls.call('hello', { version: '1' })).toEqual({
    number: 1,
    holds: ['pg_1'],
  })
  release()
  await launched[0]!.calls.call('ready')
  expect(held.at(-1)).toEqual([])
})

test('a flush waits until what an ended worker had counted is stored', async () => {
  const taking = Promise.withResolvers<boolean>()
  const { pool, launched } = startPool({}, { takeOver: () => taking.promise })
  await launched[0]!.calls.call('ready')
  launched[0]!.end('SIGKILL')
  let isFlushed = false
  const flushing = pool.flush().then((isStored) => {
    isFlushed = true
    return isStored
  })
  await Bun.sleep(20)
  expect(isFlushed).toBe(false)
  taking.resolve(true)
  expect(await flushing).toBe(true)
})

test('a flush says what could not be stored', async () => {
  const { pool, launched } = startPool({ flush: async () => false })
  await launched[0]!.calls.call('ready')
  expect(await pool.flush()).toBe(false)
})

test('what an ended worker sends is not stored any more: it is in its file', async () => {
  const { launched, stored } = startPool({})
  const worker = launched[0]!
  await worker.calls.call('storeBatch', 'first')
  void worker.calls.call('storeBatch', 'late').catch(() => {})
  worker.end('SIGKILL')
  await Bun.sleep(20)
  expect(stored).toEqual(['first'])
})

test('a worker that ended is started again', async () => {
  const { pool, launched } = startPool({})
  await launched[0]!.calls.call('ready')
  launched[0]!.end('1')
  expect(pool.serving()).toBe(0)
  while (launched.length < 2) await Bun.sleep(5)
  await launched[1]!.calls.call('ready')
  expect(pool.serving()).toBe(1)
})

test('all that serve are asked, and one that does not answer is left out', async () => {
  const { pool, launched } = startPool({ usage: () => new Promise(() => {}) })
  expect(await pool.askAll('usage')).toEqual([])
  await launched[0]!.calls.call('ready')
  expect(await pool.askAll('usage')).toEqual([])
  expect(launched[0]!.isKilled).toBe(false)
  const { pool: other, launched: workers } = startPool({ usage: () => 7 })
  await workers[0]!.calls.call('ready')
  expect(await other.askAll('usage')).toEqual([{ worker: 1, answer: 7 }])
  workers[0]!.end('SIGKILL')
  expect(await other.askAll('usage')).toEqual([])
})
