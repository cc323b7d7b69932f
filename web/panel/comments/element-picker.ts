import type { Anchor } from '../../../src/model/anchor.ts'
import { h } from '../../elements.ts'
import type { Box, Candidate, PickedElement, PickStep } from '../../shell/frame-message.ts'
import { wordsOf } from '../../threads/model.ts'
import type { TabContext } from '../tab.ts'
import { clamp } from './pins.ts'

const HINT =
  'Click what you want to comment on, or use the arrow keys and Enter. Escape or the button stops.'
const STEPS: Record<string, PickStep> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowLeft: 'outer',
  ArrowRight: 'inner',
}
/** Pixels a line, for wheels that count in lines. */
const LINE_PX = 16
const NO_SCROLL = { scroll_x: 0, scroll_y: 0 }

interface PickerOptions {
  onPicked(anchor: Anchor): void
  /** Picking has begun or ended. */
  onToggle(): void
}

/**
 * Lets the visitor choose an element of the framed page, by pointer or by keys. A transparent
 * surface of ours lies over the frame meanwhile: the page sees neither pointer nor keys, so that
 * nothing in it happens by a click, and it cannot take a choice in the visitor's place.
 */
export function createElementPicker(context: TabContext, options: PickerOptions) {
  const { frame } = context
  const { onPicked, onToggle } = options
  const surface = h('div', { class: 'pick-surface', hidden: true })
  const outline = h('div', { class: 'pick-outline', hidden: true })
  const hint = h('p', { class: 'pick-hint', hidden: true }, HINT)
  for (const element of [surface, outline, hint]) context.showOverPage(element)
  let isPicking = false
  let isAwaited = false
  let hasCandidate = false
  let isByKeys = false
  let touched: { x: number; y: number } | null = null

  function place(): void {
    const box = frame.box()
    if (!isPicking || box === null) return
    const { left, top, width, height } = box
    Object.assign(surface.style, inPixels({ left, top, width, height }))
    Object.assign(hint.style, inPixels({ left, right: window.innerWidth - box.right }))
  }

  function end(isTaken: boolean): void {
    if (!isPicking) return
    isPicking = false
    isAwaited = isTaken
    for (const element of [surface, outline, hint]) element.hidden = true
    frame.post({ type: 'pick-end', is_taken: isTaken })
    onToggle()
  }

  /** Asks for the element at a point, after the page was scrolled there. */
  function pointAt({ clientX, clientY }: MouseEvent, scroll = NO_SCROLL): void {
    const box = frame.box()
    if (box === null) return
    isByKeys = false
    const point = { left: clientX - box.left, top: clientY - box.top }
    frame.post({ type: 'pick-at', ...point, ...scroll })
  }

  function showCandidate(candidate: Candidate | null): void {
    hasCandidate = candidate !== null
    const part = candidate && partOf(candidate, frame.box())
    outline.hidden = part === null
    if (part !== null) Object.assign(outline.style, inPixels(part))
    if (isByKeys && candidate !== null) context.announce(nameOf(candidate))
  }

  function press(event: KeyboardEvent): void {
    if (!isPicking || event.isComposing) return
    const { key, shiftKey } = event
    const step = key === 'Tab' ? (shiftKey ? 'previous' : 'next') : STEPS[key]
    if (step === undefined && key !== 'Enter' && key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (step !== undefined) {
      isByKeys = true
      frame.post({ type: 'pick-step', step })
    } else if (key === 'Escape') {
      end(false)
    } else if (hasCandidate) {
      end(true)
    }
  }

  surface.addEventListener('pointerdown', ({ clientX, clientY }) => {
    touched = { x: clientX, y: clientY }
  })
  surface.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') return pointAt(event)
    // A finger that moves scrolls the page.
    const { clientX: x, clientY: y } = event
    if (touched !== null) pointAt(event, { scroll_x: touched.x - x, scroll_y: touched.y - y })
    touched = { x, y }
  })
  surface.addEventListener('wheel', (event) => {
    event.preventDefault()
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
    pointAt(event, { scroll_x: event.deltaX * unit, scroll_y: event.deltaY * unit })
  })
  surface.addEventListener('click', (event) => {
    pointAt(event)
    end(true)
  })
  document.addEventListener('keydown', press, true)
  // Keys belong to a field that the visitor goes to.
  document.addEventListener('focusin', (event) => {
    const [target] = event.composedPath()
    if (target instanceof Element && target.matches('input, textarea')) end(false)
  })
  window.addEventListener('resize', place)
  frame.onMove(() => end(false))
  frame.onMessage((message) => {
    if (message.type === 'candidate' && isPicking) showCandidate(message.candidate)
    if (message.type !== 'picked' || !isAwaited) return
    isAwaited = false
    if (message.picked !== null) onPicked(anchorOf(message.picked))
  })

  return {
    /** Starts picking, or stops it. */
    toggle(): void {
      if (isPicking) {
        end(false)
        return
      }
      isPicking = true
      isAwaited = false
      hasCandidate = false
      surface.hidden = false
      hint.hidden = false
      place()
      context.announce(HINT)
      onToggle()
    },
    isPicking: () => isPicking,
  }
}

function anchorOf({ passage, ...spot }: PickedElement): Anchor {
  return passage === null ? spot : { ...passage, element: spot.element }
}

function nameOf({ tag, text }: Candidate): string {
  return wordsOf({ element: { tag, text, selector: '' } })
}

/** The part of the window where a candidate is; null where it is out of sight. */
function partOf({ left, top, right, bottom }: Box, box: DOMRect | null) {
  if (box === null) return null
  const [from, to] = [clamp(left, 0, box.width), clamp(right, 0, box.width)]
  const [above, below] = [clamp(top, 0, box.height), clamp(bottom, 0, box.height)]
  if (to - from < 1 || below - above < 1) return null
  return { left: box.left + from, top: box.top + above, width: to - from, height: below - above }
}

function inPixels(box: Partial<Record<'left' | 'right' | 'top' | 'width' | 'height', number>>) {
  return Object.fromEntries(Object.entries(box).map(([name, value]) => [name, `${value}px`]))
}
