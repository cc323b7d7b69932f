import { create as contentDisposition } from 'content-disposition'
import type { Download, StoredFile } from '../../model/download.ts'
import type { Compressor } from './compressor.ts'
import { isCompressible } from './encodings.ts'
import {
  API_HEADERS,
  buildLargeResponse,
  buildResponse,
  requestedRange,
  streamOf,
} from './response.ts'

/**
 * Sends a stored file to the account that owns it. The file may be hostile HTML, and this host also
 * serves the app: a browser must save it, and never show it or run anything in it.
 */
export function fileResponse(
  request: Request,
  { filename, mime, etag, body }: StoredFile,
): Response | Promise<Response> {
  const headers = {
    ...attachmentHeaders(filename, mime),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-frame-options': 'DENY',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
  }
  const sizeBytes = body instanceof Uint8Array ? body.byteLength : body.sizeBytes
  const range = requestedRange(request.headers, { etag: () => etag, sizeBytes })
  return body instanceof Uint8Array
    ? buildResponse(request, { headers, body, etag, range })
    : buildLargeResponse(request, { headers, body, etag, range })
}

/** Streams a file: a text compressed, where the client takes that. */
export function downloadResponse(
  request: Request,
  { filename, mime, chunks }: Download,
  compressor: Compressor,
): Response {
  const headers = new Headers(attachmentHeaders(filename, mime))
  const body = isCompressible(mime) ? compressor.stream(request, headers, chunks) : chunks
  return buildResponse(null, { headers, body: streamOf(body) })
}

function attachmentHeaders(filename: string, mime: string): Record<string, string> {
  const disposition = contentDisposition(filename, { type: 'attachment' })
  return { ...API_HEADERS, 'content-type': mime, 'content-disposition': disposition }
}
