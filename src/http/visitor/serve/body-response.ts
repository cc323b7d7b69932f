import type { StoredContent } from '../../../features/content/index.ts'
import { type ByteRange, rangeOf } from './ranges.ts'

interface Sent {
  headers: Headers
  etag: string
}

/** Sends bytes, or the range of them that the request asks for. */
export function bytesResponse(request: Request, bytes: Uint8Array, sent: Sent): Response {
  const { range, init } = selectRange(request, bytes.byteLength, sent)
  return new Response(range && (bytes.subarray(range.start, range.end) as BodyInit), init)
}

/** Sends content from the blob store, or the range of it that the request asks for. */
export async function storedResponse(
  request: Request,
  content: StoredContent,
  sent: Sent,
): Promise<Response> {
  const { sizeBytes } = content
  const { range, init } = selectRange(request, sizeBytes, sent)
  // Without a body the empty range at the end still checks that the blob is there, and complete.
  const opened = await content.open(range ?? { start: sizeBytes, end: sizeBytes }, request.signal)
  return new Response(range && opened, init)
}

/** Decides status and headers. `range` is what the body has; null: the response has no body. */
function selectRange(
  request: Request,
  sizeBytes: number,
  { headers, etag }: Sent,
): { range: ByteRange | null; init: ResponseInit } {
  const range = headers.has('accept-ranges') ? wantedRange(request, sizeBytes, etag) : null
  if (range === 'unsatisfiable') {
    const init = { headers: withHeader(headers, 'content-range', `bytes */${sizeBytes}`) }
    return { range: null, init: { ...init, status: 416 } }
  }
  if (request.method === 'HEAD') {
    const init = { headers: withHeader(headers, 'content-length', String(sizeBytes)) }
    return { range: null, init }
  }
  if (range === null) return { range: { start: 0, end: sizeBytes }, init: { headers } }
  const contentRange = `bytes ${range.start}-${range.end - 1}/${sizeBytes}`
  return {
    range,
    init: { headers: withHeader(headers, 'content-range', contentRange), status: 206 },
  }
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

function withHeader(base: Headers, name: string, value: string): Headers {
  const headers = new Headers(base)
  headers.set(name, value)
  return headers
}
