import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'
import { ACCENT_COLOURS, type Accent } from '../../model/accent.ts'
import type { FontPaths } from '../../platform/drawing/fonts.ts'
import { type Colour, createRaster } from '../../platform/drawing/raster.ts'
import { drawable, lineOf, linesOf, type Typeface, widthOf } from '../../platform/drawing/text.ts'

export interface PictureToDraw extends FontPaths {
  /** Null for a picture that says nothing of the page. */
  title: string | null
  host: string
  /** Null where the owner set no name. */
  owner: string | null
  accent: Accent
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
/** The owner's name stands before the host, and leaves it half of the line at least. */
const NAME_COLUMN = COLUMN / 2
const NAME_GAP = 28
/** As in web/tokens.css. */
const PAPER: Colour = [251, 250, 247]
const INK: Colour = [27, 26, 23]
const MUTED: Colour = [107, 103, 94]
const LINE: Colour = [231, 227, 218]

/**
 * Draws a PNG of the title, the owner's name and the host. Words that no font has letters for are
 * left out; what loses many of its letters is not drawn at all. Fonts are read once.
 */
export function createDrawing() {
  const fonts = new Map<string, Font>()
  const fontAt = (path: string) =>
    fonts.getOrInsertComputed(path, () => create(readFileSync(path)) as Font)

  return (input: PictureToDraw): { png: Uint8Array } => {
    return { png: pngOf(input, input.serif.map(fontAt), input.sans.map(fontAt)) }
  }
}

function pngOf(
  { title, host, owner, accent }: PictureToDraw,
  serif: Typeface,
  sans: Typeface,
): Uint8Array {
  const text = (title === null ? null : drawable(title, serif)) ?? `A page on ${host}`
  const { size, lines } = titleOf(text, serif)
  const step = size * LEADING
  // The block of lines stands in the middle of the room above the host.
  const top = (HEIGHT - MARGIN - HOST_SIZE - lines.length * step) / 2 + MARGIN / 4
  const letters = lines.flatMap((line, no) =>
    lineOf(line, serif, { x: MARGIN, y: top + no * step + size * 0.86, size }),
  )
  const name = owner === null ? null : drawable(owner, sans)
  const [shownName = ''] = name === null ? [] : linesOf(name, sans, NAME_COLUMN / HOST_SIZE, 1)
  const hostX = MARGIN + (name === null ? 0 : widthOf(shownName, sans) * HOST_SIZE + NAME_GAP)
  const [shownHost = ''] = linesOf(host, sans, (WIDTH - MARGIN - hostX) / HOST_SIZE, 1)
  const raster = createRaster(WIDTH, HEIGHT, PAPER)
  raster.fillRows(0, 12, [0, WIDTH], colourOf(accent))
  raster.fillRows(HEIGHT - 136, HEIGHT - 134, [MARGIN, WIDTH - MARGIN], LINE)
  raster.fill(letters, INK)
  const at = { y: HEIGHT - 76, size: HOST_SIZE }
  raster.fill(lineOf(shownName, sans, { x: MARGIN, ...at }), INK)
  raster.fill(lineOf(shownHost, sans, { x: hostX, ...at }), MUTED)
  return raster.png()
}

function colourOf(accent: Accent): Colour {
  const [light] = ACCENT_COLOURS[accent]
  return [1, 3, 5].map((at) => Number.parseInt(light.slice(at, at + 2), 16)) as unknown as Colour
}

function titleOf(text: string, serif: Typeface) {
  const layouts = TITLE_SIZES.map((size) => ({
    size,
    lines: linesOf(text, serif, COLUMN / size, MAX_LINES + 1),
  }))
  // A short title on one line stays large; a long one gets what room there is.
  const layout = layouts.find(
    ({ size, lines }) =>
      lines.length <= MAX_LINES && lines.every((line) => widthOf(line, serif) * size <= COLUMN),
  )
  if (layout !== undefined) return layout
  const size = TITLE_SIZES.at(-1)!
  return { size, lines: linesOf(text, serif, COLUMN / size, MAX_LINES) }
}
