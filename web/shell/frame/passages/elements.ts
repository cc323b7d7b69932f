import {
  type AnchorElement,
  condense,
  MAX_ELEMENT_TEXT_CHARS,
} from '../../../../src/model/passage.ts'
import type { ElementSpot } from '../../frame-message.ts'
import { findOnly, selectorOf } from './selector.ts'
import { readTextIndex } from './text-index.ts'

/** An element as an anchor names it; null where no short selector has it alone. */
export function describe(element: Element): AnchorElement | null {
  const selector = selectorOf(element)
  return selector === null ? null : { tag: element.localName, text: textOf(element), selector }
}

/** The element that a spot is on, if it is the one that its author saw. */
export function elementOf({ element }: ElementSpot): Element | null {
  const match = findOnly(element.selector)
  const isSame =
    match?.localName === element.tag && condense(textOf(match)) === condense(element.text)
  return isSame ? match : null
}

/** The first words in an element; of an image what is written in its place. */
export function textOf(element: Element): string {
  if (element instanceof HTMLImageElement) return cleaned(element.alt)
  const index = readTextIndex(element)
  // Each of these characters may have a space before it.
  const end = Math.min(index.text.length, MAX_ELEMENT_TEXT_CHARS / 2)
  return cleaned(index.written({ start: 0, end }))
}

/** Without control characters and halves of characters. */
function cleaned(text: string): string {
  return text
    .slice(0, MAX_ELEMENT_TEXT_CHARS)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
}
