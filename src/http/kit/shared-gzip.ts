import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { loadOnce } from '../../platform/load-once.ts'
import { preferredEncoding } from './encodings.ts'

/**
 * Compresses documents that share their styles and scripts, while the rest is one viewer's. Only
 * the shared parts are compressed, once. That costs a response next to nothing, and its length
 * reveals nothing about the viewer's text but its length.
 */
export function createSharedGzip() {
  const known = new Map<string, () => Promise<Deflated>>()

  function sharedPart(text: string): Promise<Deflated> {
    const found = known.get(text) ?? loadOnce(() => deflated(Buffer.from(text), 9))
    known.set(text, found)
    return found()
  }

  return {
    /**
     * @param response unread, with its whole body in memory
     * @param shared the texts that such documents share, in their order; they stay in memory
     */
    async respond(
      request: Request,
      response: Response,
      shared: readonly string[],
    ): Promise<Response> {
      const { status, headers } = response
      headers.append('vary', 'accept-encoding')
      if (request.method === 'HEAD') headers.delete('content-length')
      const accepted = preferredEncoding(request.headers.get('accept-encoding'), ['gzip'])
      if (accepted === null || response.body === null) return response
      const parts = partsOf(await response.text(), shared)
      const body = joinGzip(
        await Promise.all(parts.map((part) => (part.isShared ? sharedPart(part.text) : part.text))),
      )
      headers.set('content-encoding', accepted)
      return new Response(body as BodyInit, { status, headers })
    },
  }
}
export type SharedGzip = ReturnType<typeof createSharedGzip>

interface Part {
  text: string
  isShared: boolean
}

/** Splits a text at the shared texts. Joined, the parts are the text again. */
function partsOf(text: string, shared: readonly string[]): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const each of shared) {
    const at = text.indexOf(each, from)
    if (at < 0) continue
    parts.push({ text: text.slice(from, at), isShared: false }, { text: each, isShared: true })
    from = at + each.length
  }
  return [...parts, { text: text.slice(from), isShared: false }]
}

/**
 * Joins parts to one gzip stream (RFC 1952): some are compressed once, for many responses; others
 * stand between them as they are, in blocks of their own. No compressed part refers to
 * those, so the length of the result reveals nothing about their text but its length.
 */

/** Bytes that were compressed separately, with what a stream that contains them needs. */
export interface Deflated {
  bytes: Uint8Array
  /** The checksum of the original bytes. */
  crc: number
  /** Shifts a checksum by the length of the original. */
  crcPower: number
  sizeBytes: number
}

const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
/** The last block, without any bytes. */
const END = Uint8Array.of(3, 0)
const TRAILER_BYTES = 8
/** The largest content of a stored block, and the size of its header. */
const MAX_BLOCK_BYTES = 65_535
const BLOCK_HEADER_BYTES = 5

const deflate = promisify(deflateRaw)

/** Compresses in a thread of its own. */
export async function deflated(source: Uint8Array, level: number): Promise<Deflated> {
  return {
    // Flushed and not finished: the next block begins with the next byte.
    bytes: await deflate(source, { level, finishFlush: constants.Z_SYNC_FLUSH }),
    crc: crc32(source),
    crcPower: crcPower(source.byteLength),
    sizeBytes: source.byteLength,
  }
}

/** @param parts in their order: compressed ones, and text that is sent as it is */
export function joinGzip(parts: readonly (Deflated | string)[]): Uint8Array {
  const all = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const joined = Buffer.alloc(
    HEADER.byteLength +
      END.byteLength +
      TRAILER_BYTES +
      all.reduce((sum, e) => sum + lengthOf(e), 0),
  )
  joined.set(HEADER)
  let at = HEADER.byteLength
  let crc = 0
  let sizeBytes = 0
  for (const part of all) {
    if (part instanceof Uint8Array) {
      writeBlocks(joined, at, part)
      crc = crc32(part, crc)
    } else {
      joined.set(part.bytes, at)
      crc = (crcProduct(part.crcPower, crc) ^ part.crc) >>> 0
    }
    at += lengthOf(part)
    sizeBytes += part instanceof Uint8Array ? part.byteLength : part.sizeBytes
  }
  joined.set(END, at)
  joined.writeUInt32LE(crc, joined.byteLength - 8)
  joined.writeUInt32LE(sizeBytes % 2 ** 32, joined.byteLength - 4)
  return joined
}

function lengthOf(part: Buffer | Deflated): number {
  if (!(part instanceof Uint8Array)) return part.bytes.byteLength
  return part.byteLength + Math.ceil(part.byteLength / MAX_BLOCK_BYTES) * BLOCK_HEADER_BYTES
}

/** Byte 0 of each block says: not compressed, and not the last one. */
function writeBlocks(target: Buffer, start: number, bytes: Uint8Array): void {
  let at = start
  for (let from = 0; from < bytes.byteLength; from += MAX_BLOCK_BYTES) {
    const block = bytes.subarray(from, from + MAX_BLOCK_BYTES)
    target.writeUInt16LE(block.byteLength, at + 1)
    target.writeUInt16LE(block.byteLength ^ 0xffff, at + 3)
    target.set(block, at + BLOCK_HEADER_BYTES)
    at += BLOCK_HEADER_BYTES + block.byteLength
  }
}

/** The polynomial of CRC-32, with its bits reversed. */
const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000

/** The product of two polynomials modulo that of CRC-32, all with their bits reversed. */
function crcProduct(a: number, b: number): number {
  let [product, factor] = [0, b]
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor
    factor = (factor & 1) === 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1
  }
  return product >>> 0
}

/** `x` to the power of 8 times `bytes`: its product with a checksum is that of zeros after it. */
function crcPower(bytes: number): number {
  let [power, square] = [ONE, ONE >>> 8]
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = crcProduct(power, square)
    square = crcProduct(square, square)
  }
  return power
}
