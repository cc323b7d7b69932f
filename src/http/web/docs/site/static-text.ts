import { compress, type Encoding, preferredEncoding } from '../../../kit/encodings.ts'
import { buildResponse } from '../../../kit/response.ts'

/** Answers a text that never changes. The first request for an encoding waits until it is made. */
export function staticText(text: string, fixedHeaders: Record<string, string>) {
  const bytes = Buffer.from(text)
  const hash = Bun.hash(bytes).toString(36)
  const encoded = new Map<Encoding, Promise<Uint8Array>>()

  function encode(encoding: Encoding): Promise<Uint8Array> {
    const body = encoded.get(encoding) ?? compress(bytes, encoding)
    encoded.set(encoding, body)
    return body
  }
  return async (request: Request): Promise<Response> => {
    const encoding = preferredEncoding(request.headers.get('accept-encoding'))
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`
    const headers = new Headers({ ...fixedHeaders, etag, vary: 'accept-encoding' })
    if (encoding !== null) headers.set('content-encoding', encoding)
    const body = encoding === null ? bytes : await encode(encoding)
    return buildResponse(request, { headers, body, etag })
  }
}
