import { UNSEEN_ELEMENTS } from '../../../../src/model/passage.ts'
import { type Point, spotIn } from '../../../geometry.ts'
import type { PickStep } from '../../frame-message.ts'
import type { Connection } from '../connection.ts'
import { describe, textOf } from './elements.ts'
import { passageOf } from './selection.ts'
import { selectorOf } from './selector.ts'
import { onViewChange } from './watch.ts'

/** Elements that people regard as one thing. Others are reached by pointing, or by Out and In. */
const THINGS =
  'img, svg, video, audio, canvas, iframe, object, embed, table, figure, h1, h2, h3, h4, h5, h6, ' +
  'p, li, dt, dd, blockquote, pre, td, th, button, a[href], input, select, textarea, summary'

/**
 * Answers which element the visitor points at or goes to while they choose one to comment on. The
 * shell catches pointer and keys, so the page notices nothing of it, and can take no choice itself.
 */
export function offerElements({ post, onMessage }: Connection): void {
  let current: Element | null = null
  /** Where the visitor points; null after a key. */
  let point: Point | null = null

  function report(): void {
    post({ type: 'candidate', candidate: current?.isConnected ? candidateOf(current) : null })
  }

  function take(): void {
    const element = current?.isConnected ? current : null
    post({ type: 'picked', picked: element && pickedOf(element, point) })
  }

  onViewChange(() => current !== null && report())
  onMessage((message) => {
    if (message.type === 'pick-at') {
      point = { left: message.left, top: message.top }
      scrollAt(point, message.scroll_x, message.scroll_y)
      const next = outward(document.elementFromPoint(point.left, point.top))
      if (next === current) return
      current = next
      report()
    } else if (message.type === 'pick-step') {
      current = candidateFrom(current, message.step)
      point = null
      current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      report()
    } else if (message.type === 'pick-end') {
      if (message.is_taken) take()
      current = null
    }
  })
}

function candidateOf(element: Element) {
  const { top, left, bottom, right } = element.getBoundingClientRect()
  return { tag: element.localName, text: textOf(element), top, left, bottom, right }
}

function pickedOf(element: Element, point: Point | null) {
  const description = describe(element)
  if (description === null) return null
  const range = document.createRange()
  range.selectNodeContents(element)
  const words = passageOf(range)
  const passage = words && { quote: words.quote, prefix: words.prefix, suffix: words.suffix }
  const at = point && spotIn(element.getBoundingClientRect(), point)
  return { ...(at ?? { x: 0.5, y: 0.5 }), element: description, passage }
}

/** Scrolls what is at a point, as a wheel does: the innermost part that can be scrolled. */
function scrollAt({ left, top }: Point, x: number, y: number): void {
  if (x === 0 && y === 0) return
  for (let at = document.elementFromPoint(left, top); at !== null; at = at.parentElement) {
    const isOwnScroller = /auto|scroll/.test(getComputedStyle(at).overflow)
    const before = at.scrollTop + at.scrollLeft
    if (isOwnScroller) at.scrollBy(x, y)
    if (at.scrollTop + at.scrollLeft !== before) return
  }
  window.scrollBy(x, y)
}

/** The candidate before, after, around or in another one; the first on the screen after none. */
function candidateFrom(current: Element | null, step: PickStep): Element | null {
  if (current === null || !current.isConnected) return firstOnScreen()
  if (step === 'outer') return outward(current.parentElement) ?? current
  if (step === 'inner') return walkerIn(current).nextNode() ?? current
  const walker = walkerIn(document.body)
  walker.currentNode = current
  const isNext = step === 'next'
  const next = isNext ? walker.nextNode() : walker.previousNode()
  if (next !== null && next !== document.body) return next
  // From one end of the page to the other.
  const again = walkerIn(document.body)
  return isNext ? again.nextNode() : (lastOf(again) ?? current)
}

/** An element, or the innermost around it that can be commented on. */
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
