import type { ByteRange, OpenableBody } from '../../model/download.ts'
import { STATUS } from '../../model/error-codes/meaning.ts'
import { preconditionFailed, type Refusal } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import type { Page } from '../../model/page/index.ts'
import { ENCODINGS, type Encoding } from './encodings.ts'

/** A body that is made while it is sent. */
export interface StreamedBody {
  sizeBytes: number
  pieces(signal: AbortSignal): AsyncIterable<Uint8Array>
}

export interface ResponseParts<Body = Uint8Array | string | ReadableStream | Blob | null> {
  status?: number
  /** Not changed: one object may serve many responses, and Bun copies it fast. */
  headers: Headers | Record<string, string>
  body: Body
  /** The ETag among the headers: a request with it in `If-None-Match` is answered with 304. */
  etag?: string
  /** The part of the body to send; null for all of it. */
  range?: ByteRange | 'unsatisfiable' | null
  cookies?: readonly string[]
}

/**
 * Builds a response: cookies, 304, 416, HEAD, 206. Every answer of the service is made here.
 *
 * @param request null where the answer does not depend on it: a router drops the body for HEAD
 */
export function buildResponse(request: Request | null, parts: ResponseParts): Response {
  const { body } = parts
  const { range, init } = selectResponse(request, parts, sizeOf(body))
  if (range === null || body === null) return new Response(null, init)
  const isWhole = init.status !== 206
  return new Response(isWhole ? (body as BodyInit) : sliceOf(body, range), init)
}

/** Builds a response whose body is in the blob store, or made while it is sent: never in memory. */
export async function buildLargeResponse(
  request: Request,
  parts: ResponseParts<OpenableBody | StreamedBody>,
): Promise<Response> {
  const { body } = parts
  const { range, init } = selectResponse(request, parts, body.sizeBytes)
  if (!('open' in body)) {
    const source = body.pieces(request.signal)[Symbol.asyncIterator]()
    // Where it cannot be read, that is answered before the headers are sent.
    const first = await source.next()
    if (range !== null) return new Response(streamOf(startingWith(first, source)), init)
    await source.return?.()
    return new Response(null, init)
  }
  // Without a body, an empty range at the end still checks that the blob exists and is complete.
  const part = range ?? { start: body.sizeBytes, end: body.sizeBytes }
  const blob = await body.open(part, request.signal)
  return new Response(range && blob, init)
}

/** The same response with another body. */
export function withBody({ status, headers }: Response, body: Uint8Array): Response {
  return new Response(body as BodyInit, { status, headers })
}

async function* startingWith(
  first: IteratorResult<Uint8Array>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = first; !chunk.done; chunk = await source.next()) yield chunk.value
  } finally {
    await source.return?.()
  }
}

/** Reads its source only as fast as the client reads the response. */
export function streamOf(chunks: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    cancel: async () => void (await source.return?.()),
  })
}

export interface DocumentParts {
  status?: number
  csp: string
  body: string
  cookies?: readonly string[]
  /** Search engines may list the document. */
  isIndexed?: boolean
  /** Our own documents may frame it. */
  isFramed?: boolean
  headers?: Record<string, string>
}

/** A document that the service writes itself: a notice, a gate, the viewer, the shell. */
export function documentResponse(request: Request | null, parts: DocumentParts): Response {
  const { status = 200, csp, body, cookies = [], isIndexed = false, isFramed = false } = parts
  const { 'x-robots-tag': robots, ...own } = documentHeaders(csp, isFramed)
  const headers = { ...own, ...(!isIndexed && { 'x-robots-tag': robots! }), ...parts.headers }
  return buildResponse(request, { status, headers, body, cookies })
}

/**
 * The headers of our own HTML documents: notices, gates, the viewer, account pages, docs. The
 * documents are never stored and never indexed, and framed at most by others of ours.
 */
export function documentHeaders(csp: string, isFramed = false): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${csp}; frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': isFramed ? 'SAMEORIGIN' : 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  }
}

export interface RedirectParts {
  location: string
  status?: 303 | 307
  /** Those of a document at the address that leads on. Its type is left out. */
  headers: Record<string, string>
  cookies?: readonly string[]
}

export function redirectTo(request: Request | null, parts: RedirectParts): Response {
  const { location, status = 303, headers, cookies = [] } = parts
  const { 'content-type': _, ...others } = headers
  return buildResponse(request, { status, headers: { ...others, location }, body: null, cookies })
}

export interface TextParts {
  status: number
  text: string
  headers?: Record<string, string>
}

export function textResponse(request: Request, { status, text, headers }: TextParts): Response {
  const all = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    ...headers,
  }
  return buildResponse(request, { status, body: `${text}\n`, headers: all })
}

interface Selected {
  /** The part of the body to send; null for a response without a body. */
  range: ByteRange | null
  init: { status: number; headers: Headers | Record<string, string> }
}

function selectResponse(
  request: Request | null,
  { status = 200, headers: base, etag, range = null, cookies = [] }: ResponseParts<unknown>,
  sizeBytes: number,
): Selected {
  const headers = withCookies(base, cookies)
  const without = (status: number, name: string, value: string): Selected => {
    return { range: null, init: { status, headers: withHeader(headers, name, value) } }
  }
  const condition = request?.headers.get('if-none-match') ?? null
  if (etag !== undefined && condition !== null && namesEtag(condition, etag)) {
    return { range: null, init: { status: 304, headers } }
  }
  if (range === 'unsatisfiable') return without(416, 'content-range', `bytes */${sizeBytes}`)
  if (request?.method === 'HEAD') return without(status, 'content-length', String(sizeBytes))
  if (range === null) return { range: { start: 0, end: sizeBytes }, init: { status, headers } }
  const part = `bytes ${range.start}-${range.end - 1}/${sizeBytes}`
  return { range, init: { status: 206, headers: withHeader(headers, 'content-range', part) } }
}

function sizeOf(body: ResponseParts['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.byteLength : 0
}

function sliceOf(body: ResponseParts['body'], { start, end }: ByteRange): BodyInit {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(String(body))
  return bytes.subarray(start, end) as BodyInit
}

function withCookies(base: ResponseParts['headers'], cookies: readonly string[]) {
  if (cookies.length === 0) return base
  const headers = new Headers(base)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}

function withHeader(base: ResponseParts['headers'], name: string, value: string): Headers {
  const headers = new Headers(base)
  headers.set(name, value)
  return headers
}

/**
 * Whether an `If-None-Match` header names an ETag of ours, compared weakly (RFC 9110, 13.1.2). A
 * tag has no quotes inside, so it is found in a list only as one of it, with `W/` or without.
 */
export function namesEtag(condition: string, etag: string): boolean {
  return condition.includes(etag) || condition.trim() === '*'
}

/** The ETag of a page. Every write changes it. */
export function etagOf({ id, revision }: Page): string {
  return `"${id}.${revision}"`
}

/** `"abc"` becomes `"abc-br"`: an ETag names the bytes, and each encoding has others. */
export function etagOfEncoding(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

/**
 * Checks the `If-Match` header against the page's ETag, in any encoding: a client sends the one of
 * the bytes that it got. @throws Refusal `precondition_failed`
 */
export function assertMatches(ifMatch: string | null, tag: string): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = [tag, ...ENCODINGS.map((encoding) => etagOfEncoding(tag, encoding))]
  if (ifMatch.split(',').some((one) => tags.includes(one.trim()))) return
  throw preconditionFailed()
}

/**
 * The part of a file that a request asks for: null for the whole file, 'unsatisfiable' for 416. If
 * the ETag in `If-Range` names another version of the file, all of this one is sent. A header with
 * several ranges, or one that cannot be parsed, is ignored, as RFC 9110 allows.
 *
 * @param file its ETag is asked for only where the request has one
 */
export function requestedRange(
  headers: Headers,
  { etag, sizeBytes }: { etag(): string; sizeBytes: number },
): ByteRange | null | 'unsatisfiable' {
  const ifRange = headers.get('if-range')
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range')?.trim() ?? '')
  if (match === null || (ifRange !== null && ifRange !== etag())) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (start >= sizeBytes) return 'unsatisfiable'
  return end <= start ? null : { start, end }
}

/** Headers of every API response: no caching, no framing, no sniffing. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
export const JSON_HEADERS = { ...API_HEADERS, 'content-type': 'application/json' }

/** @param body a stream has JSON in it already */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return buildResponse(null, {
    status,
    body: body instanceof ReadableStream ? body : textOf(body),
    headers: { ...JSON_HEADERS, ...headers },
  })
}

/** The JSON of a value. */
export function textOf(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body)
}

export function emptyResponse(status: number): Response {
  return buildResponse(null, { status, headers: API_HEADERS, body: null })
}

export function refusalResponse(
  { kind, code, message, details }: Refusal,
  headers: Record<string, string> = {},
): Response {
  const error = { code, message, ...details }
  return jsonResponse(
    STATUS[kind],
    { error },
    {
      ...(kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
      ...headers,
      ...retryHeaders(details?.retry_after_s),
    },
  )
}

/** The `Retry-After` header, where there is a time to wait. */
export function retryHeaders(seconds: unknown): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

/** Plain text, with the exact words of the specification. */
export function tooLargeResponse(): Response {
  const headers = { ...API_HEADERS, 'content-type': 'text/plain' }
  return buildResponse(null, { status: 413, headers, body: 'Request Entity Too Large' })
}

export function internalErrorResponse(requestId: string): Response {
  const message = 'Something went wrong on our side. Try again; if it stays, name this request id.'
  return jsonResponse(STATUS.fault, { error: { code: 'internal', message, request_id: requestId } })
}
