import { UNSEEN_ELEMENTS } from '../../../../src/model/passage.ts'
import type { PickStep } from '../../marks.ts'
import { selectorOf } from './selector.ts'

/** Elements that people regard as one thing. Others are reached by pointing, or by Out and In. */
const THINGS =
  'img, svg, video, audio, canvas, iframe, object, embed, table, figure, h1, h2, h3, h4, h5, h6, ' +
  'p, li, dt, dd, blockquote, pre, td, th, button, a[href], input, select, textarea, summary'

/** The element at a point of the window that can be commented on. */
export function candidateAt({ left, top }: { left: number; top: number }): Element | null {
  return outward(document.elementFromPoint(left, top))
}

/** The candidate before, after, around or in another one; the first on the screen after none. */
export function candidateFrom(current: Element | null, step: PickStep): Element | null {
  if (current === null || !current.isConnected) return firstOnScreen()
  if (step === 'outer') return outward(current.parentElement) ?? current
  if (step === 'inner') return walkerIn(current).nextNode() ?? current
  const walker = walkerIn(document.body)
  walker.currentNode = current
  const isNext = step === 'next'
  const found = isNext ? walker.nextNode() : walker.previousNode()
  if (found !== null && found !== document.body) return found
  // From one end of the page to the other.
  const again = walkerIn(document.body)
  return isNext ? again.nextNode() : (lastOf(again) ?? current)
}

function outward(element: Element | null): Element | null {
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
    if (at === document.documentElement) return null
    // A form has its controls as properties, which would stand in place of what is read of it.
    if (!(at instanceof HTMLFormElement) && selectorOf(at) !== null) return at
  }
  return null
}

function firstOnScreen(): Element | null {
  const walker = walkerIn(document.body)
  let first: Element | null = null
  for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) {
    first ??= at
    if (at.getBoundingClientRect().top >= 0) return at
  }
  return first
}

function lastOf(walker: ElementWalker): Element | null {
  let last: Element | null = null
  for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) last = at
  return last
}

/** A walker that finds elements alone. */
interface ElementWalker extends TreeWalker {
  nextNode(): Element | null
  previousNode(): Element | null
}

function walkerIn(root: Element): ElementWalker {
  return document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT, (node) => {
    const element = node as Element
    const isControl = element.matches(THINGS)
    if (UNSEEN_ELEMENTS.has(element.localName) && !isControl) return NodeFilter.FILTER_REJECT
    if (!isControl && !isBlockOfText(element)) return NodeFilter.FILTER_SKIP
    if (!isShown(element) || selectorOf(element) === null) return NodeFilter.FILTER_SKIP
    return NodeFilter.FILTER_ACCEPT
  }) as ElementWalker
}

/** An element such as a `div` that has text of its own. */
function isBlockOfText(element: Element): boolean {
  const hasWords = [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
  )
  return hasWords && !/^(?:inline|contents)$/.test(getComputedStyle(element).display)
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
}
