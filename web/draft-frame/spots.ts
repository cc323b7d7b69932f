import { BODY, MARK, type Place } from './protocol.ts'

/** A run of text: text nodes one after the other. */
export interface Spot {
  /** Null where the element did not come from the source. */
  place: Place | null
  nodes: Text[]
  text: string
  /** Where in the text was pressed. */
  offset: number
}

/** A press beside a text counts as one on it; in its own element, also beside its lines. */
const NEAR_PX = 6

const elementsAt = (no: string | number) => [...document.querySelectorAll(`[${MARK}="${no}"]`)]

export function placeOf(element: Element, run = 0): Place | null {
  if (element === document.body) return { number: BODY, nth: 0, of: 1, run }
  const number = element.getAttribute(MARK)
  if (number === null || !/^\d{1,7}$/.test(number)) return null
  const all = elementsAt(number)
  const nth = all.indexOf(element)
  return nth < 0 ? null : { number: Number(number), nth, of: all.length, run }
}

export function spotAt(event: MouseEvent): Spot | null {
  const { clientX: x, clientY: y } = event
  const caret = document.caretPositionFromPoint?.(x, y)
  const range = caret ? null : document.caretRangeFromPoint?.(x, y)
  const node = caret?.offsetNode ?? range?.startContainer
  const isInside = node?.parentNode === event.composedPath()[0]
  if (!(node instanceof Text) || !isNear(node, { x, y, isInside })) return null
  return spotOf(node, caret?.offset ?? range?.startOffset ?? 0)
}

function isNear(node: Text, { x, y, isInside }: { x: number; y: number; isInside: boolean }) {
  const range = document.createRange()
  range.selectNodeContents(node)
  const lines = isInside ? [range.getBoundingClientRect()] : [...range.getClientRects()]
  return lines.some(
    ({ left, right, top, bottom }) =>
      (isInside || (x > left - NEAR_PX && x < right + NEAR_PX)) &&
      y > top - NEAR_PX &&
      y < bottom + NEAR_PX,
  )
}

function spotOf(node: Text, at: number): Spot | null {
  const parent = node.parentElement
  if (parent === null || node.data.trim() === '') return null
  let first = node
  while (first.previousSibling instanceof Text) first = first.previousSibling
  const nodes = [first]
  while (nodes.at(-1)!.nextSibling instanceof Text) nodes.push(nodes.at(-1)!.nextSibling as Text)
  const children = [...parent.childNodes]
  const run = children.slice(0, children.indexOf(first)).filter((one) => !(one instanceof Text))
  const before = nodes.slice(0, nodes.indexOf(node))
  const offset = at + before.reduce((sum, { data }) => sum + data.length, 0)
  const text = nodes.map(({ data }) => data).join('')
  return { place: placeOf(parent, run.length), nodes, text, offset }
}

/** The next text that is shown and has a place; without one before, the first one in view. */
export function stepFrom(from: Spot | null, by: 1 | -1): Spot | null {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const start = from?.nodes.at(by === 1 ? -1 : 0)
  if (start) walker.currentNode = start
  for (;;) {
    const node = (by === 1 ? walker.nextNode() : walker.previousNode()) as Text | null
    if (node === null) return null
    const spot = isShown(node, start === undefined) ? spotOf(node, 0) : null
    if (spot?.place) return spot
  }
}

function isShown(node: Text, mustBeInView: boolean): boolean {
  const range = document.createRange()
  range.selectNodeContents(node)
  const { width, height, bottom } = range.getBoundingClientRect()
  return width > 0 && height > 0 && (!mustBeInView || bottom > 0)
}
