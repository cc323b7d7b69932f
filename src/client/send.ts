import type { Binding } from './bindings.ts'
import { ApiError, answerTooLarge, errorFromResponse, notHandbill, unreachable } from './error.ts'
import { decideWait, type Outcome, wait } from './retry.ts'
import type { CallOptions } from './types.ts'

export interface SendSettings {
  /** Without a slash at its end. */
  baseUrl: string
  /** Where the operations are: `{baseUrl}/api/v1`. */
  apiUrl: string
  fetch: typeof globalThis.fetch
  backoffMs: number
  onRetry: ((waitMs: number, error: ApiError) => void) | undefined
}

/** A request, which may be sent several times. */
interface PreparedRequest {
  name: string
  binding: Binding
  /** Below `apiUrl`, with the query. */
  path: string
  /** Called for each attempt, since a body can be read only once. */
  init: () => RequestInit
  isRepeatable: boolean
  /** For each attempt, until the answer begins. */
  timeoutMs: number | undefined
  signal: AbortSignal | undefined
  onEtag: CallOptions['onEtag']
}

type Result = { answer: unknown } | (Outcome & { error: ApiError })

/**
 * Sends the request, and retries it after temporary failures.
 *
 * @throws ApiError, or the reason of the request's signal
 */
export async function send(request: PreparedRequest, settings: SendSettings): Promise<unknown> {
  const { binding, isRepeatable, signal } = request
  const { backoffMs, onRetry } = settings
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt(request, settings)
    if ('answer' in result) return result.answer
    // An earlier attempt has deleted it and lost its answer.
    if (binding.method === 'DELETE' && result.status === 404 && attempts > 1) return undefined
    const random = Math.random()
    const waitMs = decideWait(result, { attempts, isRepeatable, backoffMs, random })
    if (waitMs === null) throw result.error
    onRetry?.(waitMs, result.error)
    await wait(waitMs, signal)
  }
}

async function attempt(request: PreparedRequest, settings: SendSettings): Promise<Result> {
  const { baseUrl } = settings
  const { name, binding } = request
  try {
    const response = await fetchOnce(request, settings)
    if (response.ok) {
      const etag = response.headers.get('etag')
      if (etag !== null) request.onEtag?.(etag)
      return {
        answer: await readAnswer(response, { name, baseUrl, isFile: binding.file === true }),
      }
    }
    const { status } = response
    const retryAfter = response.headers.get('retry-after')
    const text = await readErrorText(response, baseUrl)
    return { status, retryAfter, error: errorFromResponse(response, text, baseUrl) }
  } catch (err) {
    request.signal?.throwIfAborted()
    if (err instanceof ApiError) throw err
    return { status: null, retryAfter: null, error: unreachable(baseUrl, err) }
  }
}

async function fetchOnce(
  { path, init, timeoutMs, signal }: PreparedRequest,
  { apiUrl, fetch }: SendSettings,
): Promise<Response> {
  const timeout = new AbortController()
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => timeout.abort(new Error('it took too long to answer')), timeoutMs)
  try {
    return await fetch(`${apiUrl}${path}`, {
      ...init(),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      redirect: 'manual',
    })
  } finally {
    clearTimeout(timer)
  }
}

const MB = 1024 * 1024
/** A limit above the size of every error of Handbill. */
const ERROR_BYTES = MB
/** A limit above the size of every other answer of Handbill. */
const JSON_BYTES = 64 * MB
/** The same for answers with a page's content or its responses. */
const CONTENT_BYTES = 512 * MB
const CONTENT_OPERATIONS = ['readHtml', 'editHtml', 'getVersion', 'listResponses']
const FILE_BYTES = 2048 * MB

/**
 * Parses JSON; a CSV or another file stays a response, so that its body can be streamed. Neither is
 * read beyond its limit, whatever the server sends.
 */
async function readAnswer(
  response: Response,
  { name, baseUrl, isFile }: { name: string; baseUrl: string; isFile: boolean },
): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (isFile || type.startsWith('text/csv')) {
    const body = response.body?.pipeThrough(byteLimit(FILE_BYTES, baseUrl))
    return new Response(body, response)
  }
  if (!type.startsWith('application/json')) throw notHandbill(response.status, baseUrl)
  const limit = CONTENT_OPERATIONS.includes(name) ? CONTENT_BYTES : JSON_BYTES
  return new Response(response.body?.pipeThrough(byteLimit(limit, baseUrl))).json()
}

/** The body of an error; an empty text where it is too large or broken off. */
async function readErrorText(response: Response, baseUrl: string): Promise<string> {
  const limited = response.body?.pipeThrough(byteLimit(ERROR_BYTES, baseUrl))
  return new Response(limited).text().catch(() => '')
}

function byteLimit(limit: number, baseUrl: string) {
  let bytes = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > limit) controller.error(answerTooLarge(baseUrl, limit))
      else controller.enqueue(chunk)
    },
  })
}
