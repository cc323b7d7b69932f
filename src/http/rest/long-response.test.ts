import { describe, expect, it } from 'bun:test'
import type { RawBody } from '../../model/operation.ts'
import { runLong } from './long-response.ts'

async function* pieces(...args: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of args) yield Buffer.from(piece)
}

/** Reads the body, and then waits for the result. */
function waitingFor(result: Promise<unknown>) {
  return async (body: RawBody) => {
    for await (const _piece of body);
    return result
  }
}

function request(result: Promise<unknown>, body: RawBody = pieces('a')) {
  const late: unknown[] = []
  const onLateFailure = (err: unknown) => late.push(err)
  return { status: 200, body, run: waitingFor(result), onLateFailure, late }
}

describe('an operation that takes long', () => {
  it('answers as any other where its result or its failure comes in time', async () => {
    expect(await runLong(request(Promise.resolve(1)), 60_000)).toBe(1)
    const failing = Promise.reject(new Error('refused'))
    await expect(runLong(request(failing), 60_000)).rejects.toThrow('refused')
  })

  it('begins its answer with spaces once the request has been read, and ends it with JSON', async () => {
    const { promise: result, resolve } = Promise.withResolvers<unknown>()
    const { promise: sent, resolve: send } = Promise.withResolvers<void>()
    let isSent = false
    async function* body() {
      yield Buffer.from('a')
      await sent
      isSent = true
    }
    const inputs = Object.assign(body(), { declaredBytes: 1 })
    const run = (read: RawBody) => {
      expect(read.declaredBytes).toBe(1)
      return waitingFor(result)(read)
    }
    const running = runLong({ ...request(result, inputs), run }, 1)
    setTimeout(send, 5)
    const response = (await running) as Response
    expect([isSent, response.headers.get('content-type')]).toEqual([true, 'application/json'])
    const reader = response.body!.getReader()
    const decoder = new TextDecoder()
    let text = ''
    while (text.length < 3) text += decoder.decode((await reader.read()).value)
    expect(text.trim()).toBe('')
    resolve({ data: 'é' })
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value)
    }
    expect(JSON.parse(text)).toEqual({ data: 'é' })
  })

  it('breaks its answer off where it fails later, and reports that', async () => {
    const { promise: result, reject } = Promise.withResolvers<unknown>()
    const input = request(result)
    const response = (await runLong(input, 1)) as Response
    const failure = new Error('late')
    reject(failure)
    await expect(response.text()).rejects.toThrow()
    expect(input.late).toEqual([failure])
  })

  it('goes on when its caller has gone', async () => {
    const { promise: result, resolve } = Promise.withResolvers<unknown>()
    const fields = request(result)
    const response = (await runLong(fields, 1)) as Response
    await response.body!.cancel()
    resolve({})
    await result
    await Promise.resolve()
    expect(fields.late).toEqual([])
  })
})
