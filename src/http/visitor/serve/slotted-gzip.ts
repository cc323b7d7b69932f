import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/**
 * A gzip stream (RFC 1952) with a slot for text that differs from response to response. What stands
 * before and after it is compressed once. The text stands between them as it is, in a block of its
 * own: nothing refers to it, so the length of the result tells nothing about it.
 */
export interface SlottedGzip {
  before: Uint8Array
  after: Uint8Array
  /** Of the original bytes. */
  beforeCrc: number
  afterCrc: number
  /** Moves a checksum over as many bytes as stand after the slot. */
  afterPower: number
  sizeBytes: number
}

const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const TRAILER_BYTES = 8
/** The most that a block which is not compressed can hold. */
export const MAX_SLOT_BYTES = 65_535
const BLOCK_BYTES = 5

const deflate = promisify(deflateRaw)

/** Compresses in a thread of its own. */
export async function compressAround(source: Uint8Array, slot: number): Promise<SlottedGzip> {
  const [head, tail] = [source.subarray(0, slot), source.subarray(slot)]
  const [before, after] = await Promise.all([
    // Flushed and not finished: the next block begins with the next byte.
    deflate(head, { level: 6, finishFlush: constants.Z_SYNC_FLUSH }),
    deflate(tail, { level: 6 }),
  ])
  return {
    before,
    after,
    beforeCrc: crc32(head),
    afterCrc: crc32(tail),
    afterPower: crcPower(tail.byteLength),
    sizeBytes: source.byteLength,
  }
}

/** @param text at most `MAX_SLOT_BYTES` of ASCII */
export function fillSlottedGzip(gzip: SlottedGzip, text: string): Uint8Array {
  const { before, after, beforeCrc, afterCrc, afterPower, sizeBytes } = gzip
  const length = Buffer.byteLength(text)
  if (length > MAX_SLOT_BYTES) throw new Error('The text does not fit into one block')
  const blockAt = HEADER.byteLength + before.byteLength
  const afterAt = blockAt + BLOCK_BYTES + length
  const filled = Buffer.alloc(afterAt + after.byteLength + TRAILER_BYTES)
  filled.set(HEADER)
  filled.set(before, HEADER.byteLength)
  // Byte 0 says: not compressed, and not the last block.
  filled.writeUInt16LE(length, blockAt + 1)
  filled.writeUInt16LE(length ^ 0xffff, blockAt + 3)
  filled.write(text, blockAt + BLOCK_BYTES)
  filled.set(after, afterAt)
  const crc = crcProduct(afterPower, crc32(text, beforeCrc)) ^ afterCrc
  filled.writeUInt32LE(crc >>> 0, filled.byteLength - 8)
  filled.writeUInt32LE((sizeBytes + length) % 2 ** 32, filled.byteLength - 4)
  return filled
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
