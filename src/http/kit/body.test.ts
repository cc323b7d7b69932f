import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Refusal } from '../../model/errors.ts'
import { createTemporaryFiles } from '../../platform/temporary-files.ts'
import { BodyTooLarge, createBodyReader } from './body.ts'
import {
  type BodyBudgets,
  createBodyBudgets,
  createByteBudget,
  type Sender,
  STREAM_BYTES,
} from './body-budget.ts'

const STALL_MS = 60
const KIB = 1024
const addressOf = ({ headers }: Request) => headers.get('x-address') ?? 'here'
const folder = mkdtempSync(join(tmpdir(), 'handbill-bodies-'))
const temporaryFiles = createTemporaryFiles(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const evenly = (totalBytes: number, perAddressBytes = totalBytes) => {
  const budget = { totalBytes, perAddressBytes }
  return { stranger: budget, key: budget }
}

function budgetsOf(
  arriving: number,
  large: { files?: number; whole?: number; streams?: number } = {},
): BodyBudgets {
  const { files = 0, whole = files, streams = STREAM_BYTES } = large
  return createBodyBudgets(addressOf, {
    arriving: evenly(arriving),
    files: evenly(files),
    whole: evenly(whole),
    streams: evenly(streams),
  })
}

function readerOf(budgets: BodyBudgets, stallMs = STALL_MS) {
  return createBodyReader({ budgets, temporaryFiles }, stallMs)
}

function expectAllFree(budgets: BodyBudgets): void {
  const { arriving, files, whole, streams } = budgets
  expect([arriving, files, whole, streams].map((each) => each.reservedBytes())).toEqual([
    0, 0, 0, 0,
  ])
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers })
}

/** A body of these chunks; `null` is a sender that stalls. */
function streamed(chunks: readonly (number | null)[]): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const size = chunks[next++]
      if (size === null) return new Promise(() => {})
      if (size === undefined) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(next))
    },
  })
}

async function outcome(reading: Promise<Uint8Array>): Promise<string> {
  try {
    return `${(await reading).byteLength} bytes`
  } catch (err) {
    if (err instanceof BodyTooLarge) return 'too large'
    if (err instanceof Refusal) return err.code
    throw err
  }
}

describe('a body is read', () => {
  const options = { maxBytes: 100_000, sender: 'stranger' } as const

  test.each([
    ['small, with its length', post('x'.repeat(9)), '9 bytes'],
    [
      'large, with its length',
      post('x'.repeat(50_000), { 'content-length': '50000' }),
      '50000 bytes',
    ],
    ['in chunks, without its length', post(streamed([10, 70_000, 20])), '70030 bytes'],
    ['empty', post(''), '0 bytes'],
  ])('%s', async (_name, request, expected) => {
    const budgets = budgetsOf(200_000)
    expect(await outcome(readerOf(budgets).read(request, options))).toBe(expected)
    budgets.release(request)
    expectAllFree(budgets)
  })

  test.each([
    ['declared longer than the limit', post('x', { 'content-length': '100001' }), 'too large'],
    ['longer than the limit, in chunks', post(streamed([60_000, 60_000])), 'too large'],
    ['that stops arriving', post(streamed([10, null])), 'body_timeout'],
    ['beyond the budget', post(streamed([30_000, 30_000])), 'server_busy'],
  ])('unless it is %s', async (_name, request, expected) => {
    const budgets = budgetsOf(expected === 'server_busy' ? 40_000 : 200_000)
    expect(await outcome(readerOf(budgets).read(request, options))).toBe(expected)
    budgets.release(request)
    expectAllFree(budgets)
  })

  test('as long as some byte arrives in time, however long the whole takes', async () => {
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(STALL_MS / 2)
        if (++count > 5) controller.close()
        else controller.enqueue(new Uint8Array(1))
      },
    })
    let count = 0
    expect(await outcome(readerOf(budgetsOf(100)).read(post(slow), options))).toBe('5 bytes')
  })
})

describe('a large body is in a file while it arrives', () => {
  const options = { maxBytes: 4 * KIB * KIB, sender: 'key' } as const
  const bytes = crypto.getRandomValues(Buffer.alloc(60_000)).toString('hex').repeat(25)
  const declared = { 'content-length': String(bytes.length) }

  test.each([
    ['of a known length', declared],
    ['of an unknown length', {}],
  ])('%s, and comes out as it was sent', async (_name, headers: Record<string, string>) => {
    const budgets = budgetsOf(256 * KIB, { files: 3_000_000 })
    const request = post(new Blob([bytes]).stream(), headers)
    const read = await readerOf(budgets).read(request, options)
    expect(Buffer.from(read).equals(Buffer.from(bytes))).toBe(true)
    expect(budgets.files.reservedBytes()).toBe(0)
    expect(budgets.whole.reservedBytes()).toBe(bytes.length)
    expect(readdirSync(folder)).toEqual([])
    budgets.release(request)
    expectAllFree(budgets)
  })

  test('with no more than a piece of it in memory, and nothing in the folder', async () => {
    const budgets = budgetsOf(10 * KIB * KIB, { files: 3_000_000 })
    const request = post(streamed([1_000_000, null]), { 'content-length': '2000000' })
    const reading = outcome(readerOf(budgets, 10 * STALL_MS).read(request, options))
    while (budgets.files.reservedBytes() === 0) await Bun.sleep(1)
    await Bun.sleep(STALL_MS)
    expect(budgets.arriving.reservedBytes()).toBe(256 * KIB)
    expect(budgets.files.reservedBytes()).toBe(2_000_000)
    expect(readdirSync(folder)).toEqual([])
    expect(await reading).toBe('body_timeout')
    budgets.release(request)
    expectAllFree(budgets)
  })

  test.each([
    ['of a known length, before the file is full', declared],
    ['of an unknown length', {}],
  ])('unless the files take too much: %s', async (_name, headers: Record<string, string>) => {
    const budgets = budgetsOf(256 * KIB, { files: 2_000_000 })
    const request = post(new Blob([bytes]).stream(), headers)
    expect(await outcome(readerOf(budgets).read(request, options))).toBe('server_busy')
    budgets.release(request)
    expectAllFree(budgets)
  })

  test('and then waits until there is memory for all of it', async () => {
    const budgets = budgetsOf(KIB * KIB, { files: 9_000_000, whole: 4_000_000 })
    const requests = [1, 2].map(() => post(new Blob([bytes]).stream(), declared))
    const reader = readerOf(budgets)
    const done: number[] = []
    const readings = requests.map(async (request, at) => {
      await reader.read(request, options)
      done.push(at)
    })
    await Promise.race(readings)
    await Bun.sleep(STALL_MS)
    expect(done).toHaveLength(1)
    expect(budgets.whole.reservedBytes()).toBe(bytes.length)
    budgets.release(requests[done[0]!]!)
    await Promise.all(readings)
    for (const request of requests) budgets.release(request)
    expectAllFree(budgets)
  })
})

describe('a stream', () => {
  async function sizeOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
    let sizeBytes = 0
    for await (const { byteLength } of pieces) sizeBytes += byteLength
    return sizeBytes
  }

  test('is refused before it is read where too many are sent', async () => {
    const budgets = budgetsOf(0, { streams: 2 * STREAM_BYTES })
    const { chunks } = readerOf(budgets)
    const requests = [1, 2, 3].map(() => post(streamed([5])))
    const outcomes = await Promise.all(
      requests.map((each) => outcome(sizeOf(chunks(each)).then((size) => new Uint8Array(size)))),
    )
    expect(outcomes).toEqual(['5 bytes', '5 bytes', 'server_busy'])
    for (const request of requests) budgets.release(request)
    expect(await sizeOf(chunks(post(streamed([5]))))).toBe(5)
  })

  test('waits while eight others are read, but not for slow senders', async () => {
    const { chunks } = readerOf(budgetsOf(0, { streams: 100 * STREAM_BYTES }), 5000)
    const reading = Array.from({ length: 8 }, () =>
      chunks(post(streamed([1, 1])))[Symbol.asyncIterator](),
    )
    for (const each of reading) await each.next()
    let isRead = false
    const ninth = sizeOf(chunks(post(streamed([7])))).then((size) => {
      isRead = true
      return size
    })
    await Bun.sleep(STALL_MS)
    expect(isRead).toBe(false)
    await reading[0]!.return?.()
    expect(await ninth).toBe(7)
    const slow = sizeOf(chunks(post(streamed([1, null]))))
    slow.catch(() => {})
    expect(await sizeOf(chunks(post(streamed([9]))))).toBe(9)
  })
})

describe('the budget', () => {
  test('of one address leaves the rest to others', () => {
    const budget = createByteBudget(addressOf, evenly(100, 40))
    const from = (address: string) => post('', { 'x-address': address })
    budget.reserve(from('a'), 'stranger', 40)
    expect(() => budget.reserve(from('a'), 'stranger', 1)).toThrow(Refusal)
    budget.reserve(from('b'), 'stranger', 40)
    budget.reserve(from('c'), 'stranger', 20)
    expect(() => budget.reserve(from('d'), 'stranger', 1)).toThrow(Refusal)
    budget.reserve(from('d'), 'key', 40)
  })

  test('is given in turn to those who wait and fit, and refused after a while', async () => {
    const budget = createByteBudget(addressOf, evenly(100, 60), STALL_MS)
    const from = (address: string) => post('', { 'x-address': address })
    const holder = from('a')
    budget.reserve(holder, 'key', 60)
    const admitted: string[] = []
    const waiter = (name: string, address: string, bytes: number) =>
      budget.reserveInTurn(from(address), 'key', bytes).then(
        () => admitted.push(name),
        (err: Refusal) => admitted.push(`${name} ${err.code}`),
      )
    const waiting = [waiter('first', 'b', 50), waiter('second', 'a', 10), waiter('third', 'c', 40)]
    await Bun.sleep(0)
    expect(admitted).toEqual(['third'])
    budget.release(holder)
    await Promise.all(waiting)
    expect(admitted).toEqual(['third', 'first', 'second'])
    await waiter('late', 'b', 40)
    expect(admitted.at(-1)).toBe('late server_busy')
    expect(budget.reservedBytes()).toBe(100)
  })

  test('is exact and is given back, whatever requests do in whatever order', () => {
    const step = fc.record({
      request: fc.nat(9),
      sender: fc.constantFrom<Sender>('stranger', 'key'),
      bytes: fc.nat(60),
      isRelease: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = createByteBudget(addressOf, evenly(100, 50))
        const requests = Array.from({ length: 10 }, (_, at) =>
          post('', { 'x-address': `${at % 3}` }),
        )
        const held = new Map<Request, { sender: Sender; bytes: number }>()
        for (const { request: at, sender: wanted, bytes, isRelease } of steps) {
          const request = requests[at]!
          const sender = held.get(request)?.sender ?? wanted
          if (isRelease) {
            budget.release(request)
            held.delete(request)
            continue
          }
          const all = [...held].filter(([, each]) => each.sender === sender)
          const sum = (list: typeof all) => list.reduce((n, [, each]) => n + each.bytes, 0)
          const own = all.filter(([other]) => addressOf(other) === addressOf(request))
          const fits = sum(all) + bytes <= 100 && sum(own) + bytes <= 50
          if (fits) {
            budget.reserve(request, sender, bytes)
            held.set(request, { sender, bytes: (held.get(request)?.bytes ?? 0) + bytes })
          } else expect(() => budget.reserve(request, sender, bytes)).toThrow(Refusal)
          const reserved = [...held.values()].reduce((n, each) => n + each.bytes, 0)
          expect(budget.reservedBytes()).toBe(reserved)
        }
        for (const request of requests) budget.release(request)
        expect(budget.reservedBytes()).toBe(0)
      }),
    )
  })
})
