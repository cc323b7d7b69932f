import { LRUCache } from 'lru-cache'
import { createTaskQueue } from '../../platform/task-queue.ts'
import {
  compress,
  compressFast,
  compressionStream,
  ENCODINGS,
  type Encoding,
  FAST_ENCODINGS,
  preferredEncoding,
} from './encodings.ts'
import { etagOfEncoding } from './etag.ts'

/** A smaller response fits into one packet either way. */
const MIN_BYTES = 1400
/** A larger one is sent as it is: compressing needs all of it in memory twice. */
const MAX_BYTES = 8 * 1024 * 1024
const KEPT_BYTES = 4 * 1024 * 1024
/** How many bodies are compressed at once, and how many more may wait. */
const MAX_RUNNING = 2
const MAX_WAITING = 64

export interface CompressionOptions {
  /** Many requests get this body: it is compressed once at a high level, and cached. */
  isKept?: boolean
}

/**
 * Compresses documents that the service writes itself, for clients that accept it.
 *
 * The length of a compressed body reveals whether something in it occurs twice. Do not use this for
 * a body with a lasting secret beside text that a stranger can choose (the BREACH attack).
 * SECURITY.md says for each kind of body why there is none.
 */
export interface Compressor {
  /**
   * Compresses a response. Its ETag gets a suffix, so that it names this encoding alone.
   *
   * @param response unread, with its whole body in memory
   */
  respond(request: Request, response: Response, options?: CompressionOptions): Promise<Response>
  /** Compresses a body that is sent while it is made, and adds to the headers of its response. */
  stream(request: Request, headers: Headers, chunks: Chunks): Chunks
}
type Chunks = AsyncIterable<string | Uint8Array>

export function createCompressor(): Compressor {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  })
  const runInTurn = createTaskQueue(MAX_RUNNING)
  let pending = 0

  /** @returns null for a body that is better sent as it is: also while too many wait */
  async function encode(
    bytes: Uint8Array,
    encoding: Encoding,
    isKept: boolean,
  ): Promise<Uint8Array | null> {
    const { byteLength } = bytes
    if (!isWorthIt(byteLength)) return null
    const key = isKept ? `${encoding} ${hashOf(bytes)}` : null
    const found = key === null ? undefined : kept.get(key)
    if (found !== undefined) return found
    if (pending >= MAX_RUNNING + MAX_WAITING) return null
    pending += 1
    try {
      const encoded = await runInTurn(() => (isKept ? compress : compressFast)(bytes, encoding))
      if (encoded.byteLength >= byteLength) return null
      if (key !== null) kept.set(key, encoded)
      return encoded
    } finally {
      pending -= 1
    }
  }

  return {
    async respond(request, response, { isKept = false } = {}) {
      const { status, headers } = response
      headers.append('vary', 'accept-encoding')
      const encoding = preferred(request, isKept ? ENCODINGS : FAST_ENCODINGS)
      if (request.method === 'HEAD') {
        const sizeBytes = Number(headers.get('content-length'))
        headers.delete('content-length')
        if (encoding !== null && isWorthIt(sizeBytes)) markEncoded(headers, encoding)
      }
      if (encoding === null || response.body === null) return response
      const bytes = await response.bytes()
      const encoded = await encode(bytes, encoding, isKept)
      if (encoded !== null) markEncoded(headers, encoding)
      return new Response((encoded ?? bytes) as BodyInit, { status, headers })
    },
    stream(request, headers, chunks) {
      headers.append('vary', 'accept-encoding')
      const encoding = preferred(request, FAST_ENCODINGS)
      if (encoding === null) return chunks
      markEncoded(headers, encoding)
      return compressionStream(chunks, encoding)
    },
  }
}

function isWorthIt(sizeBytes: number): boolean {
  return sizeBytes >= MIN_BYTES && sizeBytes <= MAX_BYTES
}

function preferred({ headers }: Request, order: readonly Encoding[]): Encoding | null {
  return preferredEncoding(headers.get('accept-encoding'), order)
}

function markEncoded(headers: Headers, encoding: Encoding): void {
  headers.set('content-encoding', encoding)
  const etag = headers.get('etag')
  if (etag !== null) headers.set('etag', etagOfEncoding(etag, encoding))
}

/** Owners choose words in some of these bodies, so the hash must be free of collisions. */
function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('base64url')
}
