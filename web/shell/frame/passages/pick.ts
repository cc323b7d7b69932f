import type { Connection } from '../connection.ts'
import { candidateAt, candidateFrom } from './candidates.ts'
import { describe, spotIn, textOf } from './elements.ts'
import { passageOf } from './selection.ts'
import { onViewChange } from './watch.ts'

interface Point {
  left: number
  top: number
}

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
      const next = candidateAt(point)
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
  const described = describe(element)
  if (described === null) return null
  const range = document.createRange()
  range.selectNodeContents(element)
  const found = passageOf(range)
  const passage = found && { quote: found.quote, prefix: found.prefix, suffix: found.suffix }
  const at = point && spotIn(element.getBoundingClientRect(), point)
  return { ...(at ?? { x: 0.5, y: 0.5 }), element: described, passage }
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
