import { ENTRY_BYTES } from '../../platform/lru.ts'
import { createSingleFlight } from '../../platform/promises.ts'
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
import { etagOfEncoding, withBody } from './response.ts'

/** A smaller response fits into one packet either way. */
const MIN_BYTES = 1400
/** A larger body is sent as it is: compressing needs all of it in memory twice. */
export const MAX_ENCODED_SOURCE_BYTES = 8 * 1024 * 1024
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
export function createCompressor() {
  const encodedBodies = createEncodedCache(KEPT_BYTES)
  const runInTurn = createBoundedQueue()

  /** @returns null for a body that is better sent as it is: also while too many wait */
  async function encode(bytes: Uint8Array, encoding: Encoding, isKept: boolean) {
    if (!isWorthIt(bytes.byteLength)) return null
    if (isKept) return encodedBodies(hashOf(bytes), encoding, async () => bytes)
    const encoded = await runInTurn(() => compressFast(bytes, encoding))
    return encoded !== null && encoded.byteLength < bytes.byteLength ? encoded : null
  }

  return {
    /**
     * Compresses a response. Its ETag gets a suffix, so that it names this encoding alone.
     *
     * @param response unread, with its whole body in memory
     */
    async respond(
      request: Request,
      response: Response,
      { isKept = false }: CompressionOptions = {},
    ) {
      const { headers } = response
      headers.append('vary', 'accept-encoding')
      const encoding = preferred(request, isKept ? ENCODINGS : FAST_ENCODINGS)
      if (request.method === 'HEAD') {
        const sizeBytes = Number(headers.get('content-length'))
        if (encoding === null || !isWorthIt(sizeBytes)) return response
        markEncoded(headers, encoding)
        headers.delete('content-length')
      }
      if (encoding === null || response.body === null) return response
      const bytes = await response.bytes()
      const encoded = await encode(bytes, encoding, isKept)
      if (encoded !== null) markEncoded(headers, encoding)
      return withBody(response, encoded ?? bytes)
    },
    /** Compresses a body that is sent while it is made, and adds to the headers of its response. */
    stream(request: Request, headers: Headers, chunks: AsyncIterable<string | Uint8Array>) {
      headers.append('vary', 'accept-encoding')
      const encoding = preferred(request, FAST_ENCODINGS)
      if (encoding === null) return chunks
      markEncoded(headers, encoding)
      return compressionStream(chunks, encoding)
    },
  }
}
export type Compressor = ReturnType<typeof createCompressor>

/** Marks a body that compression does not make smaller. */
const NOT_SMALLER = new Uint8Array()

/**
 * The compressed bytes of bodies that many requests get. Each is compressed once, for the first
 * request that accepts the encoding, in a thread of its own. The most recently used are cached by
 * what identifies their content, so a cached body is never out of date.
 */
export function createEncodedCache(maxBytes: number) {
  const bodies = createSingleFlight<Uint8Array>({
    maxBytes,
    sizeOf: ({ byteLength }) => byteLength + ENTRY_BYTES,
    atOnce: MAX_RUNNING,
    most: MAX_RUNNING + MAX_WAITING,
  })

  async function encode(encoding: Encoding, read: () => Promise<Uint8Array>) {
    const source = await read()
    const encoded = await compress(source, encoding)
    return encoded.byteLength < source.byteLength ? encoded : NOT_SMALLER
  }

  /** @returns null for a body that should be sent uncompressed, also while too many wait */
  return async (
    id: string,
    encoding: Encoding,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array | null> => {
    const encoded = await bodies.get(`${encoding} ${id}`, () => encode(encoding, read))
    return encoded === NOT_SMALLER ? null : encoded
  }
}

function createBoundedQueue() {
  const runInTurn = createTaskQueue(MAX_RUNNING)
  let pending = 0
  /** @returns null where too many wait */
  return async <T>(task: () => Promise<T>): Promise<T | null> => {
    if (pending >= MAX_RUNNING + MAX_WAITING) return null
    pending += 1
    return runInTurn(task).finally(() => {
      pending -= 1
    })
  }
}

function isWorthIt(sizeBytes: number): boolean {
  return sizeBytes >= MIN_BYTES && sizeBytes <= MAX_ENCODED_SOURCE_BYTES
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
