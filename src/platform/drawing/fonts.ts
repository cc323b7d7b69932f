/** The fonts of what the server draws, by preference. Browsers get the same files. */
const FONTS = {
  serif: [
    'fonts/newsreader-latin-wght-normal.woff2',
    'fonts/newsreader-latin-ext-wght-normal.woff2',
    'fonts/newsreader-vietnamese-wght-normal.woff2',
  ],
  sans: [
    'fonts/instrument-sans-latin-wght-normal.woff2',
    'fonts/instrument-sans-latin-ext-wght-normal.woff2',
  ],
  /** Has Greek and Cyrillic letters. */
  fallback: 'pdfjs/standard_fonts/LiberationSans-Regular.ttf',
}

/** The paths of fonts: each is asked for the letters that those before it do not have. */
export interface FontPaths {
  serif: readonly string[]
  sans: readonly string[]
}

/** @param pathOf the path of a built web file, by its logical name */
export function fontPaths(pathOf: (name: string) => string): FontPaths {
  const fallback = pathOf(FONTS.fallback)
  const withFallback = (names: readonly string[]) => [...names.map(pathOf), fallback]
  return { serif: withFallback(FONTS.serif), sans: withFallback(FONTS.sans) }
}
