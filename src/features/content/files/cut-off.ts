import { bufferOf } from '../html/bytes.ts'

/** The image formats whose structure says where they end. */
export type ImageFormat = 'png' | 'jpg' | 'gif' | 'webp'

/**
 * Whether the bytes of an image end before its format does, as after an interrupted download. Only
 * the structure is read, in linear time; nothing is decoded. Bytes after the end are allowed.
 * @param bytes that start as the format does
 */
export function isCutOff(format: ImageFormat, bytes: Uint8Array): boolean {
  return !ENDS[format](bufferOf(bytes))
}

const ENDS: Record<ImageFormat, (bytes: Buffer) => boolean> = {
  png: hasPngEnd,
  jpg: hasJpegEnd,
  gif: hasGifEnd,
  webp: (bytes) => bytes.length >= 12 && bytes.length >= bytes.readUInt32LE(4) + 8,
}

/** A PNG is a list of chunks: length, type, content, checksum. `IEND` is the last. */
function hasPngEnd(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true
  }
  return false
}

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda

/** A JPEG is a list of segments with their length; a scan continues up to the next marker. */
function hasJpegEnd(bytes: Buffer): boolean {
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return false
    const marker = bytes[at + 1]!
    if (marker === END_OF_IMAGE) return true
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isWithoutLength(marker)) {
      at += 2
      continue
    }
    if (at + 4 > bytes.length) return false
    at += 2 + bytes.readUInt16BE(at + 2)
    if (marker === START_OF_SCAN) at = nextMarker(bytes, at)
  }
  return false
}

/** Restart markers, and one that older encoders write, have no segment. */
function isWithoutLength(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01
}

/** @returns where the compressed data of a scan ends: at a marker that is no part of it */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    const isData = next === 0 || next === 0xff || (next !== undefined && isWithoutLength(next))
    if (!isData) return at
  }
  return bytes.length
}

/** A GIF is a list of images and extensions, each a list of blocks, and ends with a semicolon. */
function hasGifEnd(bytes: Buffer): boolean {
  let at = 13 + colorTableSize(bytes[10])
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return true
    if (kind === 0x21) at = endOfBlocks(bytes, at + 2)
    else if (kind === 0x2c) at = endOfBlocks(bytes, at + 11 + colorTableSize(bytes[at + 9]))
    // Browsers end the image at anything else.
    else return true
  }
  return false
}

function colorTableSize(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!
  return at + 1
}
