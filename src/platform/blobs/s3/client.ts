import { AwsV4Signer } from 'aws4fetch'
import { sha256 } from '../../ids.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { createTaskQueue } from '../../task-queue.ts'
import { BlobDamaged, BlobsDown, BlobsUnavailable, WrongBytes } from '../index.ts'
import { errorCodes } from './xml.ts'

/** An object store that speaks S3, and the bucket in it. */
export interface S3Settings {
  bucket: string
  /** An origin. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of the object; absent for the bucket itself. */
  object?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: S3Body
  /** About how long the answer is, where it is large. */
  answerBytes?: number
}

/** A body that can be sent again. The store refuses it where it does not have the hash. */
export interface S3Body {
  sizeBytes: number
  hash: string
  chunks(): AsyncIterable<Uint8Array>
}

/** Reads an answer of 2xx, chunk by chunk as it arrives. */
type ReadAnswer<T> = (headers: Headers, chunks: AsyncIterable<Uint8Array>) => Promise<T>

/** The store refused a request. */
export class S3Failure extends Error {
  override readonly name = 'S3Failure'
  constructor(
    readonly status: number,
    /** Such as `NoSuchBucket`; null for HEAD, and where something else than the store answers. */
    readonly code: string | null,
  ) {
    super(`The object store answered ${status}${code === null ? '' : ` ${code}`}`)
  }
}

/** There was no answer, or it broke off. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** The store's answer is wrong or damaged. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

export interface S3Limits {
  /** How long no byte may move in either direction. */
  stallMs: number
  /** Before the second attempt; twice as long before the third. */
  backoffMs: number
  /** The slowest that a large body may be, with the stall on top. */
  bytesPerSecond: number
  /** After a failure, the next requests fail at once for this long. */
  quietMs: number
}

const S3_LIMITS: S3Limits = {
  stallMs: 5000,
  backoffMs: 100,
  bytesPerSecond: 256 * 1024,
  quietMs: 1000,
}

/**
 * The limits of concurrent small requests, and of large ones, which must not block the small ones.
 */
const MAX_RUNNING = 16
const MAX_BULK_RUNNING = 8
const BULK_BYTES = 1024 * 1024
const MAX_ANSWER_CHARS = 4 * 1024 * 1024
const EMPTY_HASH = sha256('')

interface S3ClientDeps {
  /** Absent where the caller reports each failure by itself. */
  log?: Log
  metrics?: Metrics | undefined
  /** For tests. */
  limits?: S3Limits | undefined
}

export function createS3Client(
  settings: S3Settings,
  { log, metrics, limits = S3_LIMITS }: S3ClientDeps,
) {
  const { endpoint, bucket } = settings
  const where = { host: new URL(endpoint).host, bucket }
  const availability = createAvailability(limits.quietMs)
  const inTurn = createTaskQueue(MAX_RUNNING)
  const bulkInTurn = createTaskQueue(MAX_BULK_RUNNING)
  const sign = createSigner(settings)
  const counts = countAttempts(metrics)

  async function attempt<T>(request: S3Request, read: ReadAnswer<T>): Promise<T> {
    const slowest = limits.stallMs + (movedBytes(request) / limits.bytesPerSecond) * 1000
    const watch = createStallWatch(limits.stallMs, slowest)
    try {
      const response = await start(request, watch)
      watch.onProgress()
      const chunks = chunksOf(response, watch)
      if (response.ok) return await read(response.headers, chunks)
      const [code = null] = errorCodes(await readText(response.headers, chunks))
      throw new S3Failure(response.status, code)
    } catch (err) {
      watch.abort()
      throw err
    } finally {
      watch.end()
    }
  }

  async function start(request: S3Request, watch: StallWatch): Promise<Response> {
    const { method, body } = request
    const { url, headers } = await sign(request)
    // A compressed answer would have another length. Not signed: proxies change this header.
    headers.set('accept-encoding', 'identity')
    try {
      return await fetch(url, {
        method,
        headers,
        ...(body && { body: streamOf(body.chunks(), watch) }),
        redirect: 'manual',
        signal: watch.signal,
      })
    } catch (err) {
      throw new Broken('The object store did not answer', { cause: err })
    }
  }

  async function attempts<T>(request: S3Request, read: ReadAnswer<T>): Promise<T> {
    const most = availability.begin()
    for (let attemptNo = 1; ; attemptNo++) {
      try {
        const result = await attempt(request, read)
        counts.ok += 1
        if (availability.succeeded()) log?.info('the object store answers again', where)
        return result
      } catch (err) {
        const isLast = attemptNo === most || !isWorthAnother(err)
        counts[!isLast ? 'retried' : isMissing(request, err) ? 'ok' : 'failed'] += 1
        if (isLast) throw settle(request, err)
        await Bun.sleep(limits.backoffMs * 2 ** (attemptNo - 1) * (0.5 + Math.random()))
      }
    }
  }

  /** @returns the error for callers; the log has that of the last attempt */
  function settle(request: S3Request, err: unknown): unknown {
    const { method, object } = request
    const fields = { ...where, method, object, err }
    if (err instanceof Broken || (err instanceof S3Failure && !isMissing(request, err))) {
      const isNew = availability.failed(err instanceof Broken ? err.name : err.message)
      if (isNew) log?.error('the object store fails', fields)
      return new (isNew ? BlobsUnavailable : BlobsDown)('The object store fails', { cause: err })
    }
    availability.succeeded()
    if (isMissing(request, err)) return new BlobDamaged(`Object ${object} is missing`)
    if (!(err instanceof WrongAnswer)) return err
    log?.error('the object store sends wrong bytes', fields)
    return new WrongBytes('The object store sends wrong bytes', { cause: err })
  }

  return {
    /**
     * Sends a request and reads its answer. Broken connections, answers that stop, errors of the
     * server and wrong answers are tried again, so `read` may be called more than once.
     *
     * @param read throws WrongAnswer where the next attempt may bring a right one
     * @throws BlobsUnavailable, BlobDamaged for an object that is not there, and what `read` throws
     */
    send<T>(request: S3Request, read: ReadAnswer<T>): Promise<T> {
      const queue = movedBytes(request) > BULK_BYTES ? bulkInTurn : inTurn
      return queue(() => attempts(request, read))
    },
    /** The same once. @throws S3Failure, Broken */
    sendOnce: attempt,
    /** @throws BlobsUnavailable where the store did not answer a moment ago */
    assertAvailable: availability.assert,
  }
}
export type S3Client = ReturnType<typeof createS3Client>

function movedBytes({ body, answerBytes = 0 }: S3Request): number {
  return (body?.sizeBytes ?? 0) + answerBytes
}

/** Reads an answer that is short: XML of the store. */
export async function readText(
  _headers: Headers,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_ANSWER_CHARS) throw new WrongAnswer('The answer is too long')
  }
  return text
}

/** A missing object is an answer, not a failure. */
function isMissing({ object }: S3Request, err: unknown): boolean {
  if (object === undefined || !(err instanceof S3Failure)) return false
  return err.status === 404 && err.code !== 'NoSuchBucket'
}

/** Answers of 400 to a body that was sent too slowly, or was changed on its way. */
const ASK_AGAIN = ['RequestTimeout', 'BadDigest', 'XAmzContentSHA256Mismatch', 'IncompleteBody']

function isWorthAnother(err: unknown): boolean {
  if (err instanceof Broken || err instanceof WrongAnswer) return true
  if (!(err instanceof S3Failure)) return false
  const { status, code } = err
  return status >= 500 || status === 429 || ASK_AGAIN.includes(code ?? '')
}

/** Signs with Signature Version 4: the address, the headers, and the hash of the body. */
function createSigner({ endpoint, bucket, ...credentials }: S3Settings) {
  const keys = new Map<string, ArrayBuffer>()
  return ({ method, object = '', query = {}, headers = {}, body }: S3Request) => {
    const url = new URL(`${endpoint}/${bucket}${object && `/${object}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // One day's key is in use at a time.
    if (keys.size > 1) keys.clear()
    return new AwsV4Signer({
      ...credentials,
      service: 's3',
      cache: keys,
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': body?.hash ?? EMPTY_HASH,
        ...(body && { 'content-length': String(body.sizeBytes) }),
      },
    }).sign()
  }
}

async function* chunksOf(response: Response, watch: StallWatch): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  for (;;) {
    const { value } = await reader.read().catch((err: unknown) => {
      throw new Broken('The answer of the object store broke off', { cause: err })
    })
    if (value === undefined) return
    watch.onProgress()
    yield value
  }
}

/** Reads its source only as fast as the connection accepts it. */
function streamOf(
  chunks: AsyncIterable<Uint8Array>,
  watch: StallWatch,
): ReadableStream<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.onProgress()
        const { done, value } = await source.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await source.return?.()),
    },
    { highWaterMark: 0 },
  )
}

const ATTEMPTS = 3

/**
 * A circuit breaker for the object store. While the store does not answer, one request at a time
 * tries it once, and all others fail at once, so that a hanging store does not block every request.
 */
function createAvailability(quietMs: number) {
  let failedAt: number | null = null
  let isTrying = false
  const reasons = new Set<string>()

  function assert(): void {
    if (failedAt === null) return
    if (isTrying || performance.now() - failedAt < quietMs) {
      throw new BlobsDown('The object store did not answer a moment ago')
    }
  }

  return {
    /** @throws BlobsUnavailable where `begin` would; begins nothing */
    assert,
    /** @returns how often the request may be tried. @throws BlobsUnavailable */
    begin() {
      assert()
      if (failedAt === null) return ATTEMPTS
      isTrying = true
      return 1
    },
    /** It answered, whatever the answer was. @returns whether it did not before */
    succeeded() {
      const hadFailed = failedAt !== null
      failedAt = null
      isTrying = false
      reasons.clear()
      return hadFailed
    },
    /** All attempts failed. @returns whether that is a new reason since it answered */
    failed(reason: string) {
      const isNew = !reasons.has(reason)
      reasons.add(reason)
      failedAt = performance.now()
      isTrying = false
      return isNew
    },
  }
}

/** @returns counts requests to the object store by how they ended */
function countAttempts(metrics?: Metrics) {
  const counts = { ok: 0, retried: 0, failed: 0 }
  metrics?.add(
    'handbill_s3_requests_total',
    'Requests to the object store, by how they ended. A retried one is followed by another.',
    () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  )
  return counts
}

/** Aborts a request where nothing moves for too long, or where all of it takes too long. */
function createStallWatch(stallMs: number, wholeMs: number) {
  const aborting = new AbortController()
  const abort = () => aborting.abort(new Error('The object store is too slow'))
  const whole = setTimeout(abort, wholeMs)
  let stall = setTimeout(abort, stallMs)
  let hasEnded = false
  return {
    signal: aborting.signal,
    abort,
    /** Some bytes were sent, or arrived. */
    onProgress() {
      if (hasEnded) return
      clearTimeout(stall)
      stall = setTimeout(abort, stallMs)
    },
    end() {
      hasEnded = true
      clearTimeout(whole)
      clearTimeout(stall)
    },
  }
}
type StallWatch = ReturnType<typeof createStallWatch>
