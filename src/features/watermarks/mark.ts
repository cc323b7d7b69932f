import { markImage } from './image.ts'
import type { FileToMark, MarkedFile } from './index.ts'
import { loadFonts, patternOf } from './pattern.ts'
import { markPdf } from './pdf.ts'

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
