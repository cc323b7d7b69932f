import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBody } from '../../model/operation.ts'
import { jsonStreamResponse } from '../kit/json-response.ts'

/** How long a caller hears nothing. Common proxies wait for a minute. */
const PATIENCE_MS = 15_000

const SPACE = new Uint8Array([0x20])

interface LongRun {
  status: number
  /** Of the request. No answer begins before all of it has been read. */
  body: RawBody
  run(body: RawBody): Promise<unknown>
  /** Of a failure that comes when the answer has begun. */
  onLateFailure(err: unknown): void
}

/**
 * Runs an operation that may take minutes. Its answer begins after some seconds, with spaces, which
 * JSON may begin with: this server, proxies and callers end connections on which nothing happens.
 *
 * @param patienceMs for tests
 * @returns the result, where it comes in time
 */
export async function runLong(
  { status, body, run, onLateFailure }: LongRun,
  patienceMs = PATIENCE_MS,
): Promise<unknown> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  async function* pieces() {
    yield* body
    end()
  }
  const result = run(Object.assign(pieces(), { declaredBytes: body.declaredBytes }))
  const late = Symbol('late')
  const waited = ended.then(() => sleep(patienceMs, late, { ref: false }))
  const first = await Promise.race([result, waited])
  return first === late ? beginResponse({ status, result, onLateFailure }, patienceMs) : first
}

interface LateResult extends Pick<LongRun, 'status' | 'onLateFailure'> {
  result: Promise<unknown>
}

function beginResponse({ status, result, onLateFailure }: LateResult, everyMs: number): Response {
  let timer: Timer | undefined
  let isGone = false
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(SPACE)
      timer = setInterval(() => controller.enqueue(SPACE), everyMs)
      result
        .then((answer) => {
          if (isGone) return
          controller.enqueue(new TextEncoder().encode(JSON.stringify(answer)))
          controller.close()
        })
        .catch((err) => {
          onLateFailure(err)
          if (!isGone) controller.error(err)
        })
        .finally(() => clearInterval(timer))
    },
    cancel() {
      isGone = true
      clearInterval(timer)
    },
  })
  return jsonStreamResponse(status, stream)
}
