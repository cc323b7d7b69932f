import type { OpenableBody } from '../../model/download.ts'
import { documentHeaders } from './headers.ts'
import type { ByteRange } from './ranges.ts'
import { streamOf } from './stream.ts'

export interface ResponseParts<Body = Uint8Array | string | null> {
  status?: number
  /** Not changed: one object may serve many responses, and Bun copies it fast. */
  headers: Headers
  body: Body
  /** The ETag among the headers: a request with it in `If-None-Match` is answered with 304. */
  etag?: string
  /** The part of the body to send; null for all of it. */
  range?: ByteRange | 'unsatisfiable' | null
  /** `Set-Cookie` lines. */
  cookies?: readonly string[]
}

/** Builds a response to a visitor: cookies, 304, 416, HEAD, 206. */
export function buildResponse(request: Request, parts: ResponseParts): Response {
  const { body } = parts
  const { range, init } = selectResponse(request, parts, sizeOf(body))
  if (range === null || body === null) return new Response(null, init)
  const isWhole = init.status !== 206
  return new Response(isWhole ? (body as BodyInit) : sliceOf(body, range), init)
}

/** Builds a response whose body is in the blob store. */
export async function buildStoredResponse(
  request: Request,
  parts: ResponseParts<OpenableBody>,
): Promise<Response> {
  const { sizeBytes } = parts.body
  const { range, init } = selectResponse(request, parts, sizeBytes)
  // Without a body, an empty range at the end still checks that the blob exists and is complete.
  const part = range ?? { start: sizeBytes, end: sizeBytes }
  const opened = await parts.body.open(part, request.signal)
  return new Response(range && opened, init)
}

/** A body that is made while it is sent. */
export interface StreamedBody {
  sizeBytes: number
  pieces(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Builds a response whose body is made while it is sent, and never in memory whole. */
export async function buildStreamedResponse(
  request: Request,
  parts: Omit<ResponseParts<StreamedBody>, 'range'>,
): Promise<Response> {
  const { sizeBytes, pieces } = parts.body
  const { range, init } = selectResponse(request, parts, sizeBytes)
  const source = pieces(request.signal)[Symbol.asyncIterator]()
  // Where it cannot be read, that is answered before the headers are sent.
  const first = await source.next()
  if (range === null) {
    await source.return?.()
    return new Response(null, init)
  }
  return new Response(streamOf(startingWith(first, source)), init)
}

async function* startingWith(
  first: IteratorResult<Uint8Array>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let read = first; !read.done; read = await source.next()) yield read.value
  } finally {
    await source.return?.()
  }
}

/** Whether the client has this version already. */
export function isNotModified({ headers }: Request, etag: string): boolean {
  const condition = headers.get('if-none-match')
  return condition !== null && namesEtag(condition, etag)
}

/**
 * Whether an `If-None-Match` header names an ETag of ours, compared weakly (RFC 9110, 13.1.2). A
 * tag has no quotes inside, so it is found in a list only as one of it, with `W/` or without.
 */
export function namesEtag(condition: string, etag: string): boolean {
  return condition.includes(etag) || condition.trim() === '*'
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
export function documentResponse(request: Request, parts: DocumentParts): Response {
  const { status = 200, csp, body, cookies = [], isIndexed = false, isFramed = false } = parts
  const headers = new Headers({ ...documentHeaders(csp, isFramed), ...parts.headers })
  if (isIndexed) headers.delete('x-robots-tag')
  return buildResponse(request, { status, headers, body, cookies })
}

export interface TextParts {
  status: number
  text: string
  headers?: Record<string, string>
}

export function textResponse(request: Request, { status, text, headers }: TextParts): Response {
  return buildResponse(request, {
    status,
    body: `${text}\n`,
    headers: new Headers({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      ...headers,
    }),
  })
}

interface Selected {
  /** The part of the body to send; null for a response without a body. */
  range: ByteRange | null
  init: { status: number; headers: Headers }
}

function selectResponse(
  request: Request,
  { status = 200, headers: base, etag, range = null, cookies = [] }: ResponseParts<unknown>,
  sizeBytes: number,
): Selected {
  const headers = withCookies(base, cookies)
  if (etag !== undefined && isNotModified(request, etag)) {
    return { range: null, init: { status: 304, headers } }
  }
  if (range === 'unsatisfiable') {
    const contentRange = `bytes */${sizeBytes}`
    const init = { status: 416, headers: withHeader(headers, 'content-range', contentRange) }
    return { range: null, init }
  }
  if (request.method === 'HEAD') {
    const length = String(sizeBytes)
    return { range: null, init: { status, headers: withHeader(headers, 'content-length', length) } }
  }
  if (range === null) return { range: { start: 0, end: sizeBytes }, init: { status, headers } }
  const contentRange = `bytes ${range.start}-${range.end - 1}/${sizeBytes}`
  return {
    range,
    init: { status: 206, headers: withHeader(headers, 'content-range', contentRange) },
  }
}

function sizeOf(body: Uint8Array | string | null): number {
  if (body === null) return 0
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

function sliceOf(body: Uint8Array | string, { start, end }: ByteRange): BodyInit {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return bytes.subarray(start, end) as BodyInit
}

function withCookies(base: Headers, cookies: readonly string[]): Headers {
  if (cookies.length === 0) return base
  const headers = new Headers(base)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}

function withHeader(base: Headers, name: string, value: string): Headers {
  const headers = new Headers(base)
  headers.set(name, value)
  return headers
}
