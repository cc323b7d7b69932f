import type { Binding } from './bindings.ts'
import type { CallOptions, UploadBody, UploadOptions } from './types.ts'

type Values = Record<string, unknown>

/** Distributes an operation's input over path, query and body, as its binding says. */
export function pathAndBody({ method, path }: Binding, input: Values) {
  const rest = { ...input }
  const filled = path.replace(/\{(\+?)(\w+)\}/g, (_, spans: string, name: string) => {
    delete rest[name]
    const segments = spans === '' ? [input[name]] : String(input[name] ?? '').split('/')
    return segments.map((segment) => encodeSegment(name, segment)).join('/')
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

/** Operations whose retry with the same idempotency key creates nothing new. */
const KEYED = ['createPage', 'createComment']

/** Headers of this call. Each page or comment that is created has an idempotency key. */
export function headersOf(name: string, json: string | undefined, options: CallOptions) {
  return {
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(KEYED.includes(name) && { 'idempotency-key': options.idempotency_key ?? newKey() }),
    ...(options.if_match !== undefined && { 'if-match': options.if_match }),
  }
}

/**
 * A stream can be read once, so it allows one attempt. In browsers a stream becomes a blob first:
 * they send streams over HTTP/2 only, and some not at all.
 */
export async function prepareUpload(content: UploadBody, { onProgress }: UploadOptions) {
  const inBrowser = 'document' in globalThis
  if (content instanceof ReadableStream && !inBrowser) {
    const body = () => withProgress(content, onProgress)
    return { body, isRepeatable: false, reportsProgress: true }
  }
  const blob = content instanceof Blob ? content : await new Response(content).blob()
  const reportsProgress = onProgress !== undefined && !inBrowser
  const body = () => (reportsProgress ? withProgress(blob.stream(), onProgress) : blob)
  return { body, isRepeatable: true, reportsProgress, size_bytes: blob.size }
}

function withProgress(
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

/** Refuses ids that would change the path, such as `..`. */
function encodeSegment(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text)
  throw new TypeError(`${name} is missing: name what to ask for.`)
}

/** A new idempotency key. `randomUUID` is not available in browsers without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
