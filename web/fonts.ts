import { join } from 'node:path'

/** The names that our styles use, and the packages of the fonts. */
const FACES = [
  { family: 'Handbill Sans', slug: 'instrument-sans' },
  { family: 'Handbill Serif', slug: 'newsreader' },
  { family: 'Handbill Mono', slug: 'source-code-pro' },
]
/** Browsers load the second only for pages with its letters (ő, ł, ş …). */
const SUBSETS = ['latin', 'latin-ext']

type Face = (typeof FACES)[number]

export interface FontFile {
  name: string
  path: string
}

export interface Fonts {
  files: FontFile[]
  /** @param urlOf the URL of a file, relative to the style sheet */
  css(urlOf: (name: string) => string): string
}

/** Reads the upright variable font of each family, as its package declares it. */
export async function readFonts(modules: string): Promise<Fonts> {
  const faces = await Promise.all(
    FACES.flatMap((face) => SUBSETS.map((subset) => readFace(modules, face, subset))),
  )
  return {
    files: faces.map(({ name, path }) => ({ name, path })),
    css: (urlOf) => faces.map((face) => face.css(urlOf(face.name))).join('\n'),
  }
}

async function readFace(modules: string, { family, slug }: Face, subset: string) {
  const folder = join(modules, '@fontsource-variable', slug)
  const css = await Bun.file(join(folder, 'wght.css')).text()
  const file = `${slug}-${subset}-wght-normal.woff2`
  const block = css.split('@font-face').find((part) => part.includes(`/${file})`))
  const weights = block?.match(/font-weight:\s*([^;]+);/)?.[1]
  const range = block?.match(/unicode-range:\s*([^;]+);/)?.[1]
  if (weights === undefined || range === undefined) throw new Error(`no face ${file} in ${slug}`)
  return {
    name: `fonts/${file}`,
    path: join(folder, 'files', file),
    css: (url: string) =>
      `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;` +
      `src:url(${url}) format("woff2");unicode-range:${range}}`,
  }
}
