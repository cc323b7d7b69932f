import { create as contentDisposition } from 'content-disposition'
import type { StoredFile } from '../../model/download.ts'
import { requestedRange } from './ranges.ts'
import { buildResponse, buildStoredResponse } from './response.ts'

/**
 * Sends a stored file to the account that owns it. The file may be hostile HTML, and this host also
 * serves the app: a browser must save it, and never show it or run anything in it.
 */
export function fileResponse(
  request: Request,
  { filename, mime, etag, body }: StoredFile,
): Response | Promise<Response> {
  const headers = new Headers({
    'content-type': mime,
    'content-disposition': contentDisposition(filename, { type: 'attachment' }),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
  })
  const sizeBytes = body instanceof Uint8Array ? body.byteLength : body.sizeBytes
  const range = requestedRange(request.headers, { etag: () => etag, sizeBytes })
  return body instanceof Uint8Array
    ? buildResponse(request, { headers, body, etag, range })
    : buildStoredResponse(request, { headers, body, etag, range })
}
