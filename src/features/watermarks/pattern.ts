import { readFileSync } from 'node:fs'
import { create, type Font, type Path } from 'fontkit'
import { drawable, lineOf, linesOf, type Typeface, widthOf } from '../../platform/drawing/text.ts'
import type { MarkTexts } from './texts.ts'

/** The text of a mark at font size 1, its middle at 0, 0, and y downwards. */
export interface Pattern {
  outlines: Path[]
  width: number
  height: number
}

/** Everything here is in sizes of the font. */
const LINE = 1.35
const MAX_WIDTH = 24
const MAX_LINES = 3
const GAP = { x: 5, y: 4.5 }
/** A page of any shape has about as many marks: the size follows from its area. */
const SIZES_PER_SIDE = 46
/** On a strip, so that there are not thousands. */
const MAX_SIZES_ACROSS = 400

/** Text rises to the right. */
export const SLOPE = Math.PI / 6

export function loadFonts(paths: readonly string[]): Typeface {
  return paths.map((path) => create(readFileSync(path)) as Font)
}

export function patternOf({ who, note }: MarkTexts, fonts: Typeface): Pattern {
  const name = who.map((text) => drawable(text, fonts)).find((text) => text !== null) ?? ''
  const lines = [...linesOf(name, fonts, MAX_WIDTH, MAX_LINES), note].filter((line) => line !== '')
  const height = lines.length * LINE
  const widths = lines.map((line) => widthOf(line, fonts))
  const outlines = lines.flatMap((line, no) =>
    // The baseline is about three quarters down its line.
    lineOf(line, fonts, { x: -widths[no]! / 2, y: (no + 0.75) * LINE - height / 2, size: 1 }),
  )
  return { outlines, width: Math.max(...widths), height }
}

/** The size of the text on a page or image, and the middle of each mark, y downwards. */
export function placesOn(page: { width: number; height: number }, pattern: Pattern) {
  const { width, height } = page
  const across = Math.hypot(width, height)
  const size = Math.max(Math.sqrt(width * height) / SIZES_PER_SIDE, across / MAX_SIZES_ACROSS)
  const [stepX, stepY] = [(pattern.width + GAP.x) * size, (pattern.height + GAP.y) * size]
  const [sin, cos] = [Math.sin(-SLOPE), Math.cos(-SLOPE)]
  const margin = (Math.max(pattern.width, pattern.height) / 2) * size
  const isSeen = (at: number, end: number) => at > -margin && at < end + margin
  const places: { x: number; y: number }[] = []
  const [columns, rows] = [across / stepX / 2 + 1, across / stepY / 2 + 1].map(Math.ceil)
  for (let row = -rows!; row <= rows!; row++) {
    for (let column = -columns!; column <= columns!; column++) {
      const u = (column + (row % 2 === 0 ? 0 : 0.5)) * stepX
      const v = row * stepY
      const place = { x: width / 2 + u * cos - v * sin, y: height / 2 + u * sin + v * cos }
      if (isSeen(place.x, width) && isSeen(place.y, height)) places.push(place)
    }
  }
  return { size, places }
}
