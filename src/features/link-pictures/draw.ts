import { readFileSync } from 'node:fs'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { create, type Font } from 'fontkit'
import { drawable, lineOf, linesOf, type Typeface, widthOf } from './text.ts'

export interface PictureToDraw {
  /** Null for a picture that says nothing of the page. */
  title: string | null
  host: string
  /** The paths of fonts: each is asked for the letters that those before it do not have. */
  serif: readonly string[]
  sans: readonly string[]
  /** The path of the WebAssembly module. */
  renderer: string
}

/** The size that chat programs ask for. */
const [WIDTH, HEIGHT] = [1200, 630]
const MARGIN = 96
const COLUMN = WIDTH - 2 * MARGIN
/** The first size at which the title has three lines or fewer is taken. */
const TITLE_SIZES = [96, 80, 66]
const LEADING = 1.16
const MAX_LINES = 3
const HOST_SIZE = 30
/** As in web/tokens.css. */
const [PAPER, INK, MUTED, LINE, ACCENT] = ['#fbfaf7', '#1b1a17', '#6b675e', '#e7e3da', '#1f5fbf']

/**
 * Draws a PNG of the title and the host. Words that no font has letters for are left out; a title
 * that loses many of its letters is not drawn at all. Fonts and renderer are loaded once.
 */
export function createDrawing() {
  const fonts = new Map<string, Font>()
  let loading: Promise<void> | undefined

  function fontAt(path: string): Font {
    const font = fonts.get(path) ?? (create(readFileSync(path)) as Font)
    fonts.set(path, font)
    return font
  }

  return async ({ renderer, ...input }: PictureToDraw): Promise<{ png: Uint8Array }> => {
    loading ??= initWasm(readFileSync(renderer))
    await loading
    const serif = input.serif.map(fontAt)
    const sans = input.sans.map(fontAt)
    const resvg = new Resvg(svgOf(input, serif, sans), { font: { loadSystemFonts: false } })
    const image = resvg.render()
    // A copy, since the image's own bytes are in the memory of the module.
    const png = image.asPng().slice()
    image.free()
    resvg.free()
    return { png }
  }
}

function svgOf(
  { title, host }: Pick<PictureToDraw, 'title' | 'host'>,
  serif: Typeface,
  sans: Typeface,
): string {
  const text = (title === null ? null : drawable(title, serif)) ?? `A page on ${host}`
  const { size, lines } = titleOf(text, serif)
  const step = size * LEADING
  // The block of lines stands in the middle of the room above the host.
  const top = (HEIGHT - MARGIN - HOST_SIZE - lines.length * step) / 2 + MARGIN / 4
  const drawn = lines.map((line, no) =>
    lineOf(line, serif, { x: MARGIN, y: top + no * step + size * 0.86, size }),
  )
  const at = { x: MARGIN, y: HEIGHT - 76, size: HOST_SIZE }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<path fill="${PAPER}" d="M0 0H${WIDTH}V${HEIGHT}H0z"/>
<path fill="${ACCENT}" d="M0 0H${WIDTH}V12H0z"/>
<path fill="${LINE}" d="M${MARGIN} ${HEIGHT - 136}H${WIDTH - MARGIN}v2H${MARGIN}z"/>
<path fill="${INK}" d="${drawn.join('')}"/>
<path fill="${MUTED}" d="${lineOf(linesOf(host, sans, COLUMN / HOST_SIZE, 1)[0]!, sans, at)}"/>
</svg>`
}

function titleOf(text: string, serif: Typeface) {
  const layouts = TITLE_SIZES.map((size) => ({
    size,
    lines: linesOf(text, serif, COLUMN / size, MAX_LINES + 1),
  }))
  // A short title on one line stays large; a long one gets what room there is.
  const fitting = layouts.find(
    ({ size, lines }) =>
      lines.length <= MAX_LINES && lines.every((line) => widthOf(line, serif) * size <= COLUMN),
  )
  if (fitting !== undefined) return fitting
  const size = TITLE_SIZES.at(-1)!
  return { size, lines: linesOf(text, serif, COLUMN / size, MAX_LINES) }
}
