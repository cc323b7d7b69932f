import type { Font, Path } from 'fontkit'

/** Fonts by preference: each has letters that those before it do not have. */
export type Typeface = readonly Font[]

interface Run {
  font: Font
  text: string
}

/** No title needs more on three lines. */
const MAX_CHARS = 300
/** Letters that a title must keep to be shown: fewer would say something else. */
const MIN_SHARE = 0.7
const ELLIPSIS = '…'
/** Emoji, with what joins and colours them, and characters that show nothing. */
const UNDRAWN =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Cf}\p{Cc}\p{Mn}]/u

/** The words that the fonts have letters for; null where too few are left. */
export function drawable(title: string, fonts: Typeface): string | null {
  const whole = title.normalize('NFC').slice(0, MAX_CHARS).replaceAll(/\s+/gu, ' ').trim()
  const visible = [...whole].filter((char) => hasChar(fonts, char) || !UNDRAWN.test(char)).join('')
  const words = visible.split(' ').filter((word) => word !== '')
  const drawnWords = words.filter((word) => [...word].every((char) => hasChar(fonts, char)))
  const text = drawnWords.join(' ')
  const isEnough = lettersIn(text) > 0 && lettersIn(text) >= lettersIn(visible) * MIN_SHARE
  return isEnough ? text : null
}

/**
 * Breaks a text into lines. What is beyond the last line ends with an ellipsis.
 *
 * @param width of a line, in sizes of the font
 */
export function linesOf(text: string, fonts: Typeface, width: number, maxLines: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of text.split(' ').flatMap((word) => piecesOf(word, fonts, width))) {
    const longer = line === '' || part.continues ? line + part.text : `${line} ${part.text}`
    if (line !== '' && widthOf(longer, fonts) > width) {
      lines.push(line)
      line = part.text
    } else {
      line = longer
    }
  }
  lines.push(line)
  if (lines.length <= maxLines) return lines
  const last = lines.slice(maxLines - 1).join(' ')
  return [...lines.slice(0, maxLines - 1), shortened(last, fonts, width)]
}

/** A word that is wider than a line is broken anywhere. */
function piecesOf(word: string, fonts: Typeface, width: number) {
  const pieces: { text: string; continues: boolean }[] = []
  let piece = ''
  for (const char of word) {
    if (piece !== '' && widthOf(piece + char, fonts) > width) {
      pieces.push({ text: piece, continues: pieces.length > 0 })
      piece = ''
    }
    piece += char
  }
  pieces.push({ text: piece, continues: pieces.length > 0 })
  return pieces
}

function shortened(text: string, fonts: Typeface, width: number): string {
  const chars = [...text]
  while (chars.length > 0 && widthOf(chars.join('') + ELLIPSIS, fonts) > width) chars.pop()
  return chars.join('').replace(/[\s.,;:–—-]+$/u, '') + ELLIPSIS
}

/** In sizes of the font. */
export function widthOf(text: string, fonts: Typeface): number {
  return runsOf(text, fonts).reduce((sum, { font, text }) => {
    return sum + font.layout(text).advanceWidth / font.unitsPerEm
  }, 0)
}

/** The outlines of the letters of a line. */
export function lineOf(
  line: string,
  fonts: Typeface,
  { x, y, size }: { x: number; y: number; size: number },
): Path[] {
  let at = x
  const outlines: Path[] = []
  for (const { font, text } of runsOf(line, fonts)) {
    const scale = size / font.unitsPerEm
    const { glyphs, positions } = font.layout(text)
    for (const [no, glyph] of glyphs.entries()) {
      const { xAdvance, xOffset, yOffset } = positions[no]!
      const [dx, dy] = [at + xOffset * scale, y - yOffset * scale]
      outlines.push(glyph.path.transform(scale, 0, 0, -scale, dx, dy))
      at += xAdvance * scale
    }
  }
  return outlines
}

/** Splits a text by the fonts that have its letters. The first font stands in for none. */
function runsOf(text: string, fonts: Typeface): Run[] {
  const runs: Run[] = []
  for (const char of text) {
    const last = runs.at(-1)
    const font = fonts.find((font) => has(font, char)) ?? fonts[0]!
    if (last?.font === font) last.text += char
    else runs.push({ font, text: char })
  }
  return runs
}

function hasChar(fonts: Typeface, char: string): boolean {
  return fonts.some((font) => has(font, char))
}

function has(font: Font, char: string): boolean {
  return char === ' ' || font.hasGlyphForCodePoint(char.codePointAt(0)!)
}

function lettersIn(text: string): number {
  return text.replaceAll(' ', '').length
}
