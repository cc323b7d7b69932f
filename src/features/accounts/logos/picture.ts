import { MAX_LOGO_BYTES } from '../../../model/brand.ts'
import { refuse } from '../../../model/errors.ts'

const [MIN_SIDE, MAX_SIDE] = [16, 1024]

interface Picture {
  mime: 'image/png' | 'image/jpeg' | 'image/webp'
  /** What a decoder makes room for, in pixels. */
  width: number
  height: number
}

/**
 * The type of a logo, by its bytes. SVG is none: it can hold scripts, and whatever it refers to.
 *
 * @throws Refusal `bad_logo`
 */
export function logoMime(bytes: Buffer): Picture['mime'] {
  if (bytes.byteLength > MAX_LOGO_BYTES) throw badLogo('has more than 128 KB')
  const picture = readPicture(bytes)
  if (picture === null) throw badLogo('is no PNG, JPEG or WebP')
  const { mime, width, height } = picture
  if (Math.min(width, height) < MIN_SIDE || Math.max(width, height) > MAX_SIDE) {
    throw badLogo(`has ${width} × ${height} pixels`)
  }
  return mime
}

function badLogo(what: string) {
  const needs = `a PNG, JPEG or WebP of at most 128 KB, ${MIN_SIDE} to ${MAX_SIDE} pixels a side`
  return refuse.invalid('bad_logo', `The logo ${what}: send ${needs}.`, { param: 'logo_base64' })
}

function readPicture(bytes: Buffer): Picture | null {
  try {
    return readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  } catch {
    // It ends before it says its size.
    return null
  }
}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

function readPng(bytes: Buffer): Picture | null {
  if (text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 16) !== 'IHDR') return null
  return { mime: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readWebp(bytes: Buffer): Picture | null {
  if (text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 12) !== 'WEBP') return null
  const mime = 'image/webp'
  const kind = text(bytes, 12, 16)
  if (kind === 'VP8X') {
    return { mime, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { mime, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8 ') return null
  const [width, height] = [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  return { mime, width, height }
}

/** A JPEG is a list of segments with their lengths. That of a frame has the size. */
function readJpeg(bytes: Buffer): Picture | null {
  if (text(bytes, 0, 3) !== '\xff\xd8\xff') return null
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (!isFrame) continue
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
    return { mime: 'image/jpeg', width, height }
  }
  return null
}
