import { type Refusal, refuse } from '../../model/errors.ts'
import type { RawBody } from '../../model/operation.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'
import { createPlaces } from '../../platform/task-queue.ts'
import { type ArrivingBodyDeps, createArrivingBody } from './arriving-body.ts'
import { type Sender, STREAM_BYTES } from './body-budget.ts'

/** A body over the limit. It is the one error that the API answers as plain text. */
export class BodyTooLarge extends Error {}

/** Checks `Content-Length`, before the body is read. @throws BodyTooLarge */
export function assertDeclaredLength(request: Request, limitBytes = BODY_LIMIT_BYTES): void {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limitBytes) throw new BodyTooLarge()
}

/** Whether a refusal is about receiving the body, and not about its content. */
export function isOverload({ code }: Refusal): boolean {
  return code === 'server_busy' || code === 'body_timeout'
}

/** How long a sender may stall before the request ends. */
const STALL_MS = 10_000
/** A body up to this size is read in one piece, which costs less than reading it in chunks. */
const SMALL_BYTES = 16 * 1024

/** How many streams are read at once, not counting those of slow senders. */
const MAX_READING = 8
/** A sender is slow if the next piece of a stream takes longer than this. */
const SLOW_MS = 500

export interface BodyReader {
  /**
   * Reads the body, within the budgets of its sender. A large body is in a file until all of it has
   * arrived.
   *
   * @throws BodyTooLarge, and Refusal `server_busy` or `body_timeout`, the latter also where the
   * client has left: nothing is done that nobody is told of
   */
  read(request: Request, options: ReadOptions): Promise<Uint8Array>
  /** Reads the body in chunks, without a limit and without storing them. @throws as `read` */
  chunks(request: Request): RawBody
}

export interface ReadOptions {
  maxBytes: number
  sender: Sender
}

/** @param stallMs for tests */
export function createBodyReader(deps: ArrivingBodyDeps, stallMs = STALL_MS): BodyReader {
  const places = createPlaces(MAX_READING)

  async function* piecesOf(request: Request): AsyncGenerator<Uint8Array> {
    assertNotEncoded(request)
    const { signal } = request
    if (request.body === null) return assertConnected(signal)
    const reader = request.body.getReader()
    try {
      for (;;) {
        const { done, value } = await withTimeout(reader.read(), stallMs)
        if (done) return await assertConnected(signal)
        yield value
      }
    } finally {
      // Ends a request that was not read completely.
      reader.cancel().catch(() => {})
    }
  }

  /**
   * The same for a body of any length. The runtime buffers what arrives before it is read, so few
   * are read at once. A slow sender does not count against that limit, since nothing of it is
   * buffered.
   */
  async function* piecesInTurn(request: Request): AsyncGenerator<Uint8Array> {
    deps.budgets.streams.reserve(request, 'key', STREAM_BYTES)
    const free = await places.take()
    let timer = setTimeout(free, SLOW_MS)
    try {
      for await (const piece of piecesOf(request)) {
        clearTimeout(timer)
        yield piece
        timer = setTimeout(free, SLOW_MS)
      }
    } finally {
      clearTimeout(timer)
      free()
    }
  }

  function chunks(request: Request): RawBody {
    const declared = request.headers.get('content-length')
    const declaredBytes = declared === null ? undefined : Number(declared)
    return Object.assign(piecesInTurn(request), { declaredBytes })
  }

  async function read(request: Request, { maxBytes, sender }: ReadOptions): Promise<Uint8Array> {
    assertDeclaredLength(request, maxBytes)
    assertNotEncoded(request)
    const declared = Number(request.headers.get('content-length') ?? Number.NaN)
    if (declared <= SMALL_BYTES) {
      deps.budgets.arriving.reserve(request, sender, declared)
      const { signal } = request
      const bytes = await withTimeout(request.bytes(), stallMs)
      await assertConnected(signal)
      return bytes
    }
    const body = createArrivingBody(deps, { request, sender }, declared)
    let sizeBytes = 0
    try {
      for await (const chunk of piecesOf(request)) {
        sizeBytes += chunk.byteLength
        if (sizeBytes > maxBytes) throw new BodyTooLarge()
        await body.add(chunk)
      }
      return await body.whole()
    } finally {
      await body.close()
    }
  }

  return { read, chunks }
}

function withTimeout<T>(reading: Promise<T>, stallMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), stallMs)
    reading.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

/**
 * Bun closes a connection on which a request arrives before the one under way is answered
 * (pipelining), and knows of it one turn after the body. @throws Refusal `body_timeout`
 */
export async function assertConnected(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
  if (signal.aborted) throw timedOut()
}

function timedOut() {
  return refuse.timedOut('body_timeout', 'The body stopped arriving. Send the request again.')
}

function assertNotEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding === null || encoding === 'identity') return
  throw refuse.unsupportedMedia('encoded_body', 'Send the body as it is, without Content-Encoding.')
}
