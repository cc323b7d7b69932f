import { readHeader } from '../../platform/drawing/header.ts'
import { withPixels } from '../../platform/drawing/pixels.ts'
import { cover } from '../../platform/drawing/raster.ts'
import { loadFonts, type Pattern, patternOf, placesOn, SLOPE } from './pattern.ts'
import { markPdf, openPdf } from './pdf.ts'
import type { MarkTexts } from './texts.ts'

export interface MarkedFile {
  bytes: Uint8Array
  /** That of the file, except of what can only be made as a PNG. */
  mime: string
}

export interface FileToMark extends MarkedFile {
  texts: MarkTexts
  fontPaths: readonly string[]
}

/** Puts marks on files. Fonts are read once. */
export function createMarking() {
  let fonts: ReturnType<typeof loadFonts> | undefined
  return async ({ bytes, mime, texts, fontPaths }: FileToMark): Promise<MarkedFile> => {
    fonts ??= loadFonts(fontPaths)
    const pattern = patternOf(texts, fonts)
    if (mime === 'application/pdf') return { bytes: await markPdf(bytes, pattern), mime }
    return markImage(bytes, pattern)
  }
}

/** @throws Error for a file that cannot be marked */
export async function checkMarkable({ bytes, mime }: MarkedFile): Promise<void> {
  if (mime === 'application/pdf') {
    await openPdf(bytes)
    return
  }
  const { width, height } = await readHeader(bytes)
  if (width * height > LIMITS.maxPixels) throw new Error('Too many pixels')
}

/** A larger image is given smaller: each of its pixels is in memory a few times. */
const LIMITS = { maxPixels: 50_000_000, maxSide: 3000 }
/** How far a pixel goes to black, or to white where it is dark. */
const STRENGTH = 0.2
/** Of an image that is transparent there, the letters are seen. */
const MIN_OPACITY = 70

/** The image with the marks in its pixels: darker on light ones, and lighter on dark ones. */
export function markImage(image: Uint8Array, pattern: Pattern) {
  return withPixels(image, LIMITS, ({ width, height, bytes, startOf }) => {
    const { size, places } = placesOn({ width, height }, pattern)
    const [sin, cos] = [Math.sin(-SLOPE) * size, Math.cos(-SLOPE) * size]
    const outlines = places.flatMap(({ x, y }) =>
      pattern.outlines.map((path) => path.transform(cos, sin, -sin, cos, x, y)),
    )
    cover(outlines, width, height, (pixel, share) => {
      const at = startOf(Math.floor(pixel / width)) + (pixel % width) * 4
      const light = bytes[at]! * 0.3 + bytes[at + 1]! * 0.59 + bytes[at + 2]! * 0.11
      for (let no = at; no < at + 3; no++) {
        bytes[no]! += ((light < 128 ? 255 : 0) - bytes[no]!) * STRENGTH * share
      }
      bytes[at + 3] = Math.max(bytes[at + 3]!, MIN_OPACITY * share)
    })
  })
}
