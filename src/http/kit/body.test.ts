import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../model/errors.ts'
import { BodyTooLarge, createBodyReader } from './body.ts'
import { type BodyBudgets, createBodyBudgets, type Sender } from './body-budget.ts'

const STALL_MS = 60
const addressOf = ({ headers }: Request) => headers.get('x-address') ?? 'here'

function budgetsOf(totalBytes: number, perAddressBytes = totalBytes): BodyBudgets {
  const budget = { totalBytes, perAddressBytes }
  return createBodyBudgets(addressOf, { stranger: budget, key: budget })
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers })
}

/** A body of these chunks; `null` stands for a sender that sends nothing more. */
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
  const limits = { maxBytes: 100_000, sender: 'stranger' } as const

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
    expect(await outcome(createBodyReader(budgets, STALL_MS).read(request, limits))).toBe(expected)
    budgets.release(request)
    expect(budgets.reservedBytes()).toBe(0)
  })

  test.each([
    ['declared longer than the limit', post('x', { 'content-length': '100001' }), 'too large'],
    ['longer than the limit, in chunks', post(streamed([60_000, 60_000])), 'too large'],
    ['that stops arriving', post(streamed([10, null])), 'body_timeout'],
    ['beyond the budget', post(streamed([30_000, 30_000])), 'server_busy'],
  ])('unless it is %s', async (_name, request, expected) => {
    const budgets = budgetsOf(expected === 'server_busy' ? 40_000 : 200_000)
    expect(await outcome(createBodyReader(budgets, STALL_MS).read(request, limits))).toBe(expected)
    budgets.release(request)
    expect(budgets.reservedBytes()).toBe(0)
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
    const reader = createBodyReader(budgetsOf(100), STALL_MS)
    expect(await outcome(reader.read(post(slow), limits))).toBe('5 bytes')
  })
})

describe('the budget', () => {
  test('of one address leaves the rest to others', () => {
    const budgets = budgetsOf(100, 40)
    const from = (address: string) => post('', { 'x-address': address })
    budgets.reserve(from('a'), 'stranger', 40)
    expect(() => budgets.reserve(from('a'), 'stranger', 1)).toThrow(Refusal)
    budgets.reserve(from('b'), 'stranger', 40)
    budgets.reserve(from('c'), 'stranger', 20)
    expect(() => budgets.reserve(from('d'), 'stranger', 1)).toThrow(Refusal)
    budgets.reserve(from('d'), 'key', 40)
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
        const budgets = budgetsOf(100, 50)
        const requests = Array.from({ length: 10 }, (_, at) =>
          post('', { 'x-address': `${at % 3}` }),
        )
        const held = new Map<Request, { sender: Sender; bytes: number }>()
        for (const { request: at, sender: wanted, bytes, isRelease } of steps) {
          const request = requests[at]!
          const sender = held.get(request)?.sender ?? wanted
          if (isRelease) {
            budgets.release(request)
            held.delete(request)
            continue
          }
          const all = [...held].filter(([, each]) => each.sender === sender)
          const sum = (list: typeof all) => list.reduce((n, [, each]) => n + each.bytes, 0)
          const own = all.filter(([other]) => addressOf(other) === addressOf(request))
          const fits = sum(all) + bytes <= 100 && sum(own) + bytes <= 50
          if (fits) {
            budgets.reserve(request, sender, bytes)
            held.set(request, { sender, bytes: (held.get(request)?.bytes ?? 0) + bytes })
          } else expect(() => budgets.reserve(request, sender, bytes)).toThrow(Refusal)
          const reserved = [...held.values()].reduce((n, each) => n + each.bytes, 0)
          expect(budgets.reservedBytes()).toBe(reserved)
        }
        for (const request of requests) budgets.release(request)
        expect(budgets.reservedBytes()).toBe(0)
      }),
    )
  })
})
