import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonPart } from '../../model/json-text.ts'
import type { RawBody } from '../../model/operation.ts'
import type { Compressor } from '../kit/compressor.ts'
import { buildResponse, JSON_HEADERS, jsonResponse, streamOf } from '../kit/response.ts'

/** How long a connection may be idle. Common proxies wait for a minute. */
const MAX_IDLE_MS = 15_000

const SPACE = new Uint8Array([0x20])

interface LongRun {
  status: number
  /** The body of the request. The answer begins only after all of it has been read. */
  body: RawBody
  run(body: RawBody): Promise<unknown>
  /** Called for a failure after the answer has begun. */
  onLateFailure(err: unknown): void
}

/**
 * Runs an operation that may take minutes. Its answer begins after some seconds with spaces, which
 * JSON allows, because this server, proxies and callers close idle connections.
 *
 * @param maxIdleMs for tests
 * @returns the result, where it comes in time
 */
export async function runLong(
  { status, body, run, onLateFailure }: LongRun,
  maxIdleMs = MAX_IDLE_MS,
): Promise<unknown> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  async function* pieces() {
    yield* body
    end()
  }
  const result = run(Object.assign(pieces(), { declaredBytes: body.declaredBytes }))
  const late = Symbol('late')
  const timeout = ended.then(() => sleep(maxIdleMs, late, { ref: false }))
  const first = await Promise.race([result, timeout])
  return first === late ? beginResponse({ status, result, onLateFailure }, maxIdleMs) : first
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
  return jsonResponse(status, stream)
}

interface JsonParts {
  /** The parts of `jsonParts`. */
  parts: readonly JsonPart[]
  headers: Record<string, string>
}

/** Answers 200 with JSON of which a part is made, and compressed, while it is sent. */
export function jsonPartsResponse(
  request: Request,
  { parts, headers: more }: JsonParts,
  compressor: Compressor | null,
): Response {
  const headers = new Headers({ ...JSON_HEADERS, ...more })
  const chunks = chunksOf(parts)
  const body = streamOf(compressor?.stream(request, headers, chunks) ?? chunks)
  return buildResponse(null, { headers, body })
}

async function* chunksOf(parts: JsonParts['parts']): AsyncGenerator<string> {
  for (const part of parts) {
    if (typeof part === 'string') yield part
    else yield* part.pieces()
  }
}
