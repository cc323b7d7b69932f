import { refuse } from '../../model/errors.ts'
import type { RawBody } from '../../model/operation.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A body over the limit. It is the one error that the API answers as plain text. */
export class BodyTooLarge extends Error {}

/** Checks `Content-Length`, before the body is read. @throws BodyTooLarge */
export function assertDeclaredLength(request: Request, limitBytes = BODY_LIMIT_BYTES): void {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limitBytes) throw new BodyTooLarge()
}

/** Reads the body into memory. @throws BodyTooLarge */
export async function readBody(
  request: Request,
  limitBytes = BODY_LIMIT_BYTES,
): Promise<Uint8Array> {
  assertDeclaredLength(request, limitBytes)
  // The HTTP server reads no more than the declared length.
  if (request.headers.has('content-length')) {
    assertNotEncoded(request)
    return request.bytes()
  }
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of chunksOf(request)) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limitBytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** Reads the body in chunks, without a limit. */
export async function* chunksOf(request: Request): RawBody {
  assertNotEncoded(request)
  if (request.body !== null) yield* request.body as unknown as AsyncIterable<Uint8Array>
}

/** Parses a JSON object. An empty body is `{}`. @throws Refusal */
export function parseJson(request: Request, bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type.trim())) {
    throw refuse.unsupportedMedia(
      'not_json',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  const value = parse(bytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw refuse.invalid('malformed_json', 'The body must be a JSON object.')
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw refuse.invalid('malformed_json', 'The body is not valid JSON in UTF-8.')
  }
}

function assertNotEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding === null || encoding === 'identity') return
  throw refuse.unsupportedMedia('encoded_body', 'Send the body as it is, without Content-Encoding.')
}
