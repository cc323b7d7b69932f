import type { Body } from './bodies.ts'
import { type ByteRange, rangeOf } from './ranges.ts'

/** All of the body, the part that is asked for, or what it would be. */
export function bodyAnswer(
  request: Request,
  body: Body,
  { headers, etag }: { headers: Headers; etag: string },
): Response {
  const sizeBytes = body instanceof Blob ? body.size : body.byteLength
  const range = headers.has('accept-ranges') ? wantedRange(request, sizeBytes, etag) : null
  if (range === 'unsatisfiable') {
    return new Response(null, {
      status: 416,
      headers: withHeader(headers, 'content-range', `bytes */${sizeBytes}`),
    })
  }
  if (request.method === 'HEAD') {
    return new Response(null, {
      headers: withHeader(headers, 'content-length', String(sizeBytes)),
    })
  }
  return range === null
    ? new Response(body as BodyInit, { headers })
    : part(body, range, sizeBytes, headers)
}

/** Whether whoever asks has the very bytes already. */
export function isCopy({ headers }: Request, etag: string): boolean {
  return headers.get('if-none-match')?.includes(etag) === true
}

export function wantedRange(request: Request, sizeBytes: number, etag: string) {
  const header = request.headers.get('range')
  if (header === null) return null
  const ifRange = request.headers.get('if-range')
  return ifRange === null || ifRange === etag ? rangeOf(header, sizeBytes) : null
}

function part(
  body: Body,
  { start, end }: ByteRange,
  sizeBytes: number,
  headers: Headers,
): Response {
  const bytes = body instanceof Blob ? body.slice(start, end) : body.subarray(start, end)
  return new Response(bytes as BodyInit, {
    status: 206,
    headers: withHeader(headers, 'content-range', `bytes ${start}-${end - 1}/${sizeBytes}`),
  })
}

function withHeader(base: Headers, name: string, value: string): Headers {
  const headers = new Headers(base)
  headers.set(name, value)
  return headers
}
