import type { Binding } from './contracts.ts'
import { ApiError, answerTooLarge, errorFromResponse, notHandbill, unreachable } from './error.ts'
import { newKey } from './idempotency-key.ts'
import { watchSilence } from './silence.ts'
import type { CallOptions, UploadBody, UploadOptions } from './types.ts'

/** The server of a client, and how it sends requests there. */
export interface Connection {
  /** Without a slash at its end. */
  baseUrl: string
  /** Where the operations are: `{baseUrl}/api/v1`. */
  apiUrl: string
  fetch: typeof globalThis.fetch
  /** How long each attempt of a call waits for the answer to begin. Uploads have no timeout. */
  timeoutMs: number
  /** How long the server may be silent. It may take longer while it says that it runs. */
  silenceMs: number
  backoffMs: number
  onRetry: ((waitMs: number, error: ApiError) => void) | undefined
  headers: Record<string, string>
}

/** An operation with its name. */
export interface NamedBinding extends Binding {
  name: string
}

/** A request, which may be sent several times. */
interface PreparedRequest {
  operation: NamedBinding
  /** Below `apiUrl`, with the query. */
  path: string
  headers: Record<string, string>
  /** Called for each attempt, since a body can be read only once. */
  body?: () => RequestInit
  isRepeatable: boolean
  timeoutMs?: number
  options: CallOptions
}

/** Operations whose retry with the same idempotency key creates nothing new. */
const KEYED = ['createPage', 'createComment', 'replyToComments']

/** Calls an operation with JSON. Each page or comment that is created has an idempotency key. */
export function call(
  connection: Connection,
  operation: NamedBinding,
  input: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<unknown> {
  const { path, json } = pathAndBody(operation, input)
  const isKeyed = KEYED.includes(operation.name)
  return send(connection, {
    operation,
    path,
    headers: {
      ...(operation.file && { accept: '*/*' }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(isKeyed && { 'idempotency-key': options.idempotency_key ?? newKey() }),
      ...(options.if_match !== undefined && { 'if-match': options.if_match }),
    },
    ...(json !== undefined && { body: () => ({ body: json }) }),
    isRepeatable: isRepeatable(operation) && options.if_match === undefined,
    timeoutMs: connection.timeoutMs,
    options,
  })
}

/** Distributes an operation's input over path, query and body, as its binding says. */
function pathAndBody({ method, path }: Binding, input: Record<string, unknown>) {
  const rest = { ...input }
  const filled = path.replace(/\{(\+?)(\w+)\}/g, (_, spans: string, name: string) => {
    delete rest[name]
    const text = String(input[name] ?? '')
    const segments = spans ? text.split('/') : [text]
    return segments.map((segment) => encodeSegment(name, segment)).join('/')
  })
  if (method === 'POST' || method === 'PATCH') return { path: filled, json: JSON.stringify(rest) }
  const members = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(members as [string, string][])
  return { path: query.size ? `${filled}?${query}` : filled, json: undefined }
}

/** An id that would change the path, such as `..`. */
export class InvalidId extends TypeError {}

function encodeSegment(name: string, text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text.toWellFormed())
  throw new InvalidId(`${name} is missing: name what to ask for.`)
}

/**
 * Calls an operation whose body is a file. A stream can be read once, so it allows one attempt. In
 * browsers a stream becomes a blob first: they send streams over HTTP/2 only, and some not at all.
 */
export async function upload(
  connection: Connection,
  operation: NamedBinding,
  content: UploadBody,
  options: UploadOptions = {},
): Promise<unknown> {
  const { onProgress } = options
  const isStream = content instanceof ReadableStream && !IN_BROWSER
  const blob = isStream || content instanceof Blob ? content : await new Response(content).blob()
  const reportsProgress = onProgress !== undefined && !IN_BROWSER
  const body = () => {
    const stream = blob instanceof Blob ? blob.stream() : blob
    return reportsProgress ? counted(stream, onProgress) : blob
  }
  const answer = await send(connection, {
    operation,
    path: operation.path,
    headers: {
      'content-type': 'application/octet-stream',
      // The server keeps room for the most that is allowed where it is not told how much comes.
      ...(reportsProgress && blob instanceof Blob && { 'content-length': String(blob.size) }),
    },
    // `fetch` requires `duplex` for a stream as body; TypeScript's library does not declare it.
    body: () => ({ body: body(), ...{ duplex: 'half' } }),
    isRepeatable: isRepeatable(operation) && !isStream,
    options,
  })
  if (!reportsProgress && blob instanceof Blob) onProgress?.(blob.size)
  return answer
}

const IN_BROWSER = 'document' in globalThis

type Stream = ReadableStream<Uint8Array<ArrayBuffer>>

/** The same bytes. @param onBytes told how many have come: what it throws ends it */
function counted(stream: Stream, onBytes: (bytes: number) => void): Stream {
  let bytes = 0
  return stream.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        onBytes(bytes)
        controller.enqueue(chunk)
      },
    }),
  )
}

/**
 * Writes that are safe to repeat if the outcome of the first attempt is unknown. Edits are not: a
 * second run might find no match, or another one. Nor are decisions.
 */
const REPEATABLE = [
  // Both carry an Idempotency-Key.
  ...KEYED,
  // Stored by its hash; an unused upload is deleted within a day.
  'createUpload',
  // Stores nothing.
  'createUploadLink',
  'updatePage',
  'nameVersion',
  // Publishes the same draft.
  'publishPage',
  // Sets the draft to the same content; at worst the list of versions has it twice.
  'restoreVersion',
]

function isRepeatable({ name, method }: NamedBinding): boolean {
  return method === 'GET' || method === 'DELETE' || REPEATABLE.includes(name)
}

interface Failure {
  error: ApiError
  retryAfter: string | null
}

/**
 * Sends the request, and retries it after temporary failures.
 *
 * @throws ApiError, or the reason of the request's signal
 */
async function send(connection: Connection, request: PreparedRequest): Promise<unknown> {
  const { operation, options } = request
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt(connection, request)
    if ('answer' in result) return result.answer
    const { error } = result
    // An earlier attempt has deleted it and lost its answer.
    if (operation.method === 'DELETE' && error.status === 404 && attempts > 1) return undefined
    const backoffMs = connection.backoffMs * 2 ** (attempts - 1) * (0.5 + Math.random() / 2)
    const waitMs = attempts < MAX_ATTEMPTS ? decideWait(result, request, backoffMs) : null
    if (waitMs === null) throw error
    connection.onRetry?.(waitMs, error)
    await wait(waitMs, options.signal)
  }
}

const MAX_ATTEMPTS = 4
/** If the server asks for a longer pause, the call fails at once. */
const MAX_WAIT_MS = 60_000

/**
 * How long to wait before the next attempt; null for no further attempt. A request that was
 * answered with 429 had no effect, so it can always be repeated.
 */
function decideWait(
  { error: { status }, retryAfter }: Failure,
  { isRepeatable }: PreparedRequest,
  backoffMs: number,
): number | null {
  const isTemporary = status === null || [500, 502, 503, 504].includes(status)
  if (status !== 429 && !(isTemporary && isRepeatable)) return null
  const askedMs = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : 0
  return askedMs > MAX_WAIT_MS ? null : Math.max(askedMs, backoffMs)
}

/** @throws the signal's reason when it is aborted */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** @throws ApiError at once where the server is silent: it would be in the next attempt, too */
async function attempt(
  connection: Connection,
  request: PreparedRequest,
): Promise<{ answer: unknown } | Failure> {
  const silence = watchSilence(connection)
  const { options } = request
  const signal = AbortSignal.any([silence.signal, ...(options.signal ? [options.signal] : [])])
  try {
    const watched = { ...request, options: { ...options, signal } }
    return await Promise.race([silence.failure, sendOnce(connection, watched)])
  } finally {
    silence.stop()
  }
}

async function sendOnce(
  connection: Connection,
  request: PreparedRequest,
): Promise<{ answer: unknown } | Failure> {
  const { baseUrl } = connection
  const { operation, options } = request
  try {
    const response = await fetchOnce(connection, request)
    if (response.ok) {
      const etag = response.headers.get('etag')
      if (etag !== null) options.onEtag?.(etag)
      return { answer: await readAnswer(response, operation, baseUrl) }
    }
    const retryAfter = response.headers.get('retry-after')
    const body = new Response(limited(response, ERROR_BYTES, baseUrl))
    const text = await body.text().catch(() => '')
    const isUpload = operation.rawBody === true
    return { retryAfter, error: errorFromResponse(response, { text, baseUrl, isUpload }) }
  } catch (err) {
    options.signal?.throwIfAborted()
    if (err instanceof ApiError) throw err
    return { retryAfter: null, error: unreachable(baseUrl, err) }
  }
}

async function fetchOnce(
  { apiUrl, fetch, headers }: Connection,
  { operation: { method }, path, body, timeoutMs, options: { signal }, ...own }: PreparedRequest,
): Promise<Response> {
  const timeout = new AbortController()
  const stop = () => timeout.abort(new Error('it took too long to answer'))
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  try {
    return await fetch(`${apiUrl}${path}`, {
      method,
      headers: { ...headers, ...own.headers },
      ...body?.(),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      redirect: 'manual',
    })
  } finally {
    clearTimeout(timer)
  }
}

const MB = 1024 * 1024
/** Limits above the sizes of all answers of Handbill: of errors, of JSON, and of files. */
const ERROR_BYTES = MB
const JSON_BYTES = 64 * MB
const FILE_BYTES = 2048 * MB
/** Of answers with a page's content or its responses. */
const CONTENT_BYTES = 512 * MB
const CONTENT_OPERATIONS = ['readHtml', 'editHtml', 'getVersion', 'listResponses']

/**
 * Parses JSON; a CSV or another file stays a response, so that its body can be streamed. Neither is
 * read beyond its limit, whatever the server sends.
 */
async function readAnswer(
  response: Response,
  { name, file }: NamedBinding,
  baseUrl: string,
): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  const isFile = file || type.includes('csv')
  const jsonLimit = CONTENT_OPERATIONS.includes(name) ? CONTENT_BYTES : JSON_BYTES
  const body = limited(response, isFile ? FILE_BYTES : jsonLimit, baseUrl)
  const limitedResponse = new Response(body, response)
  if (isFile) return limitedResponse
  const answer = type.includes('json') && (await limitedResponse.json())
  if (answer?.data === undefined) throw notHandbill(response.status, baseUrl)
  return answer
}

/**
 * The body of a response; it fails where it is larger. A browser reads from the server of its page,
 * and Firefox logs an error where a counted body ends early: where a view is left.
 */
export function limited({ body }: Response, limit: number, baseUrl: string) {
  if (!body || IN_BROWSER) return body
  return counted(body, (bytes) => {
    if (bytes > limit) throw answerTooLarge(baseUrl, limit)
  })
}
