import { MAX_LOGO_BYTES } from '../../../model/brand.ts'
import { refuse } from '../../../model/errors.ts'
import { readHeader } from '../../../platform/drawing/header.ts'

const FORMATS = ['png', 'jpeg', 'webp']
const [MIN_SIDE, MAX_SIDE] = [16, 1024]

/**
 * The type of a logo, by its bytes. SVG is none: it can hold scripts, and whatever it refers to.
 *
 * @throws Refusal `bad_logo`
 */
export async function logoMime(bytes: Buffer): Promise<string> {
  if (bytes.byteLength > MAX_LOGO_BYTES) throw badLogo('has more than 128 KB')
  // What is no picture, or ends before its size, is an error.
  const picture = await readHeader(bytes).catch(() => null)
  if (picture === null || !FORMATS.includes(picture.format)) {
    throw badLogo('is no PNG, JPEG or WebP')
  }
  const { format, width, height } = picture
  if (Math.min(width, height) < MIN_SIDE || Math.max(width, height) > MAX_SIDE) {
    throw badLogo(`has ${width} × ${height} pixels`)
  }
  return `image/${format}`
}

function badLogo(what: string) {
  const needs = `a PNG, JPEG or WebP of at most 128 KB, ${MIN_SIDE} to ${MAX_SIDE} pixels a side`
  return refuse.invalid('bad_logo', `The logo ${what}: send ${needs}.`, { param: 'logo_base64' })
}
