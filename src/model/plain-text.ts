import { z } from 'zod'

/**
 * Overrides and isolates of the direction of text. A mark of direction stays, since right-to-left
 * languages need it.
 */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
/** C0 except tab and line feed, C1, and characters that stand for an object or for no character. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufff9-\ufffc\ufeff]/g
const LINE_BREAKS = /\r\n?|\u0085|\u2028|\u2029/g
/** Tag characters, which are invisible to people but not to programs; valid in flags of regions. */
const HIDDEN_TAGS = /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f})|[\u{e0000}-\u{e007f}]/gu
/** Variation selectors after the first one, which can carry hidden text as well. */
const MORE_SELECTORS = /([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu
/** No language has more than a few marks on a letter; hundreds would cover neighbouring lines. */
const MORE_MARKS = /([\p{Mn}\p{Me}]{5})[\p{Mn}\p{Me}]+/gu
const MORE_INVISIBLE =
  /([\u200b-\u200f\u2060-\u2064\u00ad]{2})[\u200b-\u200f\u2060-\u2064\u00ad]+/gu
/** The look-behind keeps it linear: a run of spaces is tried from its start alone. */
const LINE_ENDS = /(?<![^\S\n])[^\S\n]+$/gm
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Mn}\p{Me}]/gu

/** One line of it needs nothing but its ends trimmed. */
const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * Makes text of strangers safe to show among other text: removes what cannot be seen or what
 * changes the text around it, and normalizes line breaks. Everything else stays as it was typed.
 *
 * @returns '' where nothing visible is left
 */
export function plainText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim()
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(LINE_BREAKS, '\n')
    .replace(CONTROLS, '')
    .replace(BIDI_CONTROLS, '')
    .replace(HIDDEN_TAGS, '$1')
    .replace(MORE_SELECTORS, '$1')
    .replace(MORE_MARKS, '$1')
    .replace(MORE_INVISIBLE, '$1')
    .replace(LINE_ENDS, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return clean.replace(INVISIBLE, '') === '' ? '' : clean
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ')
}

/** The first `most` characters of a text: of a longer one, the last is `…`. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** The same on one line. Of a much longer text, only the start is read. */
export function shortLine(text: string, most: number): string {
  return shortened(plainLine(text.slice(0, 4 * most)), most)
}

/** How many characters a person would count, nearly: code points. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A schema for text of several lines that strangers read: 1 to `max` characters of plain text. */
export function plainTextOf(max: number) {
  return z
    .string()
    .transform(plainText)
    .refine((text) => text !== '' && charactersIn(text) <= max, {
      error: `must be 1 to ${max.toLocaleString('en')} characters`,
    })
}

/** A schema for what an owner writes in a mail of the service. */
export const mailMessage = plainTextOf(2000).nullish().describe('What the mail says besides. Text.')
