import type { Binding } from './bindings.ts'
import type { CallOptions, UploadBody, UploadOptions } from './types.ts'

type Values = Record<string, unknown>

/** An address below /api/v1 and a body, as the binding of an operation lays its input out. */
export function requestOf({ method, path }: Binding, input: Values) {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return segment(name, input[name])
  })
  if (method === 'POST' || method === 'PATCH') {
    return { path: filled, json: JSON.stringify(rest) }
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return { path: query.size === 0 ? filled : `${filled}?${query}`, json: undefined }
}

/** Of what is sent to write, and only there; a key of its own for each page that is made. */
export function headersOf(name: string, json: string | undefined, options: CallOptions) {
  return {
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(name === 'createPage' && { 'idempotency-key': randomKey() }),
    ...(options.if_match !== undefined && { 'if-match': options.if_match }),
  }
}

/**
 * Each try needs a body of its own; a stream can be read once, so it allows one try. Browsers send
 * streams over HTTP/2 alone, some not at all: there all of it is a blob, which they send as read.
 */
export async function uploadOf(given: UploadBody, { onProgress }: UploadOptions) {
  const inBrowser = 'document' in globalThis
  if (given instanceof ReadableStream && !inBrowser) {
    return { body: () => counted(given, onProgress), isRepeatable: false, isCounted: true }
  }
  const blob = given instanceof Blob ? given : await new Response(given).blob()
  const isCounted = onProgress !== undefined && !inBrowser
  const body = () => (isCounted ? counted(blob.stream(), onProgress) : blob)
  return { body, isRepeatable: true, isCounted, size_bytes: blob.size }
}

function counted(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: ((sentBytes: number) => void) | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (onProgress === undefined) return stream
  let sentBytes = 0
  return stream.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        sentBytes += chunk.byteLength
        onProgress(sentBytes)
        controller.enqueue(chunk)
      },
    }),
  )
}

/** An id that would climb out of its place in the path never leaves. */
function segment(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text)
  throw new TypeError(`${name} is missing: name what to ask for.`)
}

/** Not randomUUID, which browsers keep from pages that came without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
