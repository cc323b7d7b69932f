import { create } from 'content-disposition'
import type { ByteDownload, Download } from '../../model/download.ts'
import type { ErrorKind } from '../../model/error-codes/index.ts'
import type { Refusal } from '../../model/errors.ts'
import { type JsonPart, JsonStream, JsonText } from '../../model/json-text.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { Compressor } from './compressor.ts'
import { streamOf } from './stream.ts'

/** The HTTP status of each kind of error. */
export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  plan_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  rate_limited: 429,
  fault: 500,
  unavailable: 503,
  no_space: 507,
} as const satisfies Record<ErrorKind, number>

/** Headers of every API response: no caching, no framing, no sniffing. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(body instanceof JsonText ? body.text : JSON.stringify(body), {
    status,
    headers: { ...HEADERS, 'content-type': 'application/json', ...headers },
  })
}

/** Longer JSON is written in several turns of the event loop. */
export const STREAMED_CHARS = 256 * 1024
const SLICE_CHARS = 128 * 1024

interface JsonParts {
  /** The parts of `jsonParts`. */
  parts: Iterable<JsonPart> | AsyncIterable<JsonPart>
  headers: Record<string, string>
}

/** Answers 200 with long JSON, which is encoded and compressed while it is sent. */
export function jsonPartsResponse(
  request: Request,
  { parts, headers: more }: JsonParts,
  compressor: Compressor | null,
): Response {
  const headers = new Headers({ ...HEADERS, 'content-type': 'application/json', ...more })
  const chunks = encodeInTurns(parts)
  return streamResponse(compressor?.stream(request, headers, chunks) ?? chunks, headers)
}

async function* encodeInTurns(parts: JsonParts['parts']): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let chunk: Uint8Array[] = []
  let chunkBytes = 0
  for await (const part of parts) {
    for await (const slice of part instanceof JsonStream ? part.pieces() : slicesOf(part)) {
      const bytes = encoder.encode(slice)
      chunk.push(bytes)
      chunkBytes += bytes.byteLength
      if (chunkBytes < SLICE_CHARS) continue
      yield Buffer.concat(chunk)
      ;[chunk, chunkBytes] = [[], 0]
      await takeTurn()
    }
  }
  yield Buffer.concat(chunk)
}

function* slicesOf(part: string): Generator<string> {
  for (let at = 0; at < part.length; ) {
    let end = at + SLICE_CHARS
    // The two halves of a character belong together.
    if (isHighSurrogate(part.charCodeAt(end - 1))) end += 1
    yield part.slice(at, end)
    at = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** Streams JSON. */
export function jsonStreamResponse(status: number, body: ReadableStream<Uint8Array>): Response {
  const headers = { ...HEADERS, 'content-type': 'application/json' }
  return new Response(body, { status, headers })
}

/** Streams a text file, compressed where the client takes that. */
export function downloadResponse(
  request: Request,
  { filename, mime, chunks }: Download,
  compressor: Compressor,
): Response {
  const headers = attachmentHeaders(filename, mime)
  return streamResponse(compressor.stream(request, headers, chunks), headers)
}

/** Streams a file of bytes. */
export function byteDownloadResponse({ filename, mime, bytes }: ByteDownload): Response {
  return streamResponse(bytes, attachmentHeaders(filename, mime))
}

function attachmentHeaders(filename: string, mime: string): Headers {
  const disposition = create(filename, { type: 'attachment' })
  return new Headers({ ...HEADERS, 'content-type': mime, 'content-disposition': disposition })
}

function streamResponse(chunks: AsyncIterable<string | Uint8Array>, headers: Headers): Response {
  return new Response(streamOf(chunks), { status: 200, headers })
}

export function emptyResponse(status: number): Response {
  return new Response(null, { status, headers: HEADERS })
}

export function refusalResponse(
  { kind, code, message, details }: Refusal,
  headers: Record<string, string> = {},
): Response {
  const error = { code, message, ...details }
  const wait = details?.retry_after_s
  return jsonResponse(
    STATUS[kind],
    { error },
    {
      ...headers,
      ...(kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
      ...(wait !== undefined && { 'retry-after': String(wait) }),
    },
  )
}

/** Plain text, with the exact words of the specification. */
export function tooLargeResponse(): Response {
  return new Response('Request Entity Too Large', {
    status: 413,
    headers: { ...HEADERS, 'content-type': 'text/plain' },
  })
}

export function internalErrorResponse(requestId: string): Response {
  const message = 'Something went wrong on our side. Try again; if it stays, name this request id.'
  return jsonResponse(STATUS.fault, { error: { code: 'internal', message, request_id: requestId } })
}
