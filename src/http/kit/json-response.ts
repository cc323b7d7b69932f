import type { ErrorKind } from '../../model/error-codes/index.ts'
import { type Refusal, refuse } from '../../model/errors.ts'
import { type JsonPart, JsonText } from '../../model/json-text.ts'
import { BlobsUnavailable } from '../../platform/blobs/index.ts'
import { isDatabaseDown } from '../../platform/db/errors.ts'
import { isStorageFull, storageFull } from '../../platform/storage-full.ts'
import type { Compressor } from './compressor.ts'
import { buildResponse, streamOf } from './response.ts'

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
export const API_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const JSON_HEADERS = { ...API_HEADERS, 'content-type': 'application/json' }

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

/** Seconds after which clients should try again. */
const RETRY_AFTER_S = 5

/** The refusal for a failed database, blob store or disk. Null for any other error. */
export function outageRefusal(err: unknown): Refusal | null {
  if (isStorageFull(err)) return storageFull()
  if (isDatabaseDown(err)) {
    // A commit during the failure may have succeeded.
    const message = 'The database of this server does not answer. Try again in a few seconds.'
    return refuse.unavailable('database_down', message, { retry_after_s: RETRY_AFTER_S })
  }
  if (err instanceof BlobsUnavailable) {
    const message =
      'The storage for large files of this server does not answer. Try again in a few seconds.'
    return refuse.unavailable('files_down', message, { retry_after_s: RETRY_AFTER_S })
  }
  return null
}
