import { render } from 'preact'
import { useRef } from 'preact/hooks'
import type { Anchor } from '../../../src/model/anchor.ts'
import { clamp, inPixels } from '../../geometry.ts'
import type { Box, Candidate, PickStep } from '../../shell/frame-message.ts'
import { wordsOf } from '../../threads/model.ts'
import type { TabContext } from '../tab.ts'

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
export function createElementPicker(context: TabContext, { onPicked, onToggle }: PickerOptions) {
  const { frame } = context
  const layer = context.createLayer()
  let isPicking = false
  let isAwaited = false
  let candidate: Candidate | null = null
  let isByKeys = false

  function show(): void {
    const box = isPicking ? frame.box() : null
    render(box && <Surface {...{ box, candidate, pointAt }} onClick={() => end(true)} />, layer)
  }

  function end(isTaken: boolean): void {
    if (!isPicking) return
    isPicking = false
    isAwaited = isTaken
    show()
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

  function press(event: KeyboardEvent): void {
    if (!isPicking) return
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
    } else if (candidate !== null) {
      end(true)
    }
  }

  document.addEventListener('keydown', press, true)
  // Keys belong to a field that the visitor goes to.
  document.addEventListener('focusin', (event) => {
    const [target] = event.composedPath()
    if (target instanceof Element && target.matches('input, textarea')) end(false)
  })
  window.addEventListener('resize', show)
  frame.onMove(() => end(false))
  frame.onMessage((message) => {
    if (message.type === 'candidate' && isPicking) {
      candidate = message.candidate
      show()
      const element = candidate && { ...candidate, selector: '' }
      if (isByKeys && element !== null) context.announce(wordsOf({ element }))
    }
    if (message.type !== 'picked' || !isAwaited) return
    isAwaited = false
    if (message.picked === null) return
    const { passage, ...spot } = message.picked
    onPicked(passage === null ? spot : { ...passage, element: spot.element })
  })

  return {
    label: () => (isPicking ? 'Stop' : 'Point at something'),
    /** Starts picking, or stops it. */
    start(): void {
      if (isPicking) {
        end(false)
        return
      }
      isPicking = true
      isAwaited = false
      candidate = null
      show()
      context.announce(HINT)
      onToggle()
    },
  }
}

interface SurfaceProps {
  /** Where the frame is. */
  box: DOMRect
  candidate: Candidate | null
  pointAt(event: MouseEvent, scroll?: typeof NO_SCROLL): void
  onClick(): void
}

function Surface({ box, candidate, pointAt, onClick }: SurfaceProps) {
  /** Where the pointer was before. */
  const last = useRef({ x: 0, y: 0 })
  const { left, top, width, height } = box
  const outline = candidate && partOf(candidate, box)

  function move(event: PointerEvent): void {
    const at = { x: event.clientX, y: event.clientY }
    // A finger that moves scrolls the page.
    const from = event.pointerType === 'touch' ? last.current : at
    pointAt(event, { scroll_x: from.x - at.x, scroll_y: from.y - at.y })
    last.current = at
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a way beside keys, of the document */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the document has them */}
      <div
        className="pick-surface"
        style={inPixels({ left, top, width, height })}
        onPointerDown={({ clientX: x, clientY: y }) => {
          last.current = { x, y }
        }}
        onPointerMove={move}
        onWheel={(event) => {
          event.preventDefault()
          const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
          pointAt(event, { scroll_x: event.deltaX * unit, scroll_y: event.deltaY * unit })
        }}
        onClick={(event) => {
          pointAt(event)
          onClick()
        }}
      />
      {outline && <div className="pick-outline" style={inPixels(outline)} />}
      <p className="pick-hint" style={inPixels({ left, right: window.innerWidth - box.right })}>
        {HINT}
      </p>
    </>
  )
}

/** The part of the window where a candidate is; null where it is out of sight. */
function partOf({ left, top, right, bottom }: Box, box: DOMRect) {
  const [from, to] = [clamp(left, 0, box.width), clamp(right, 0, box.width)]
  const [above, below] = [clamp(top, 0, box.height), clamp(bottom, 0, box.height)]
  if (to - from < 1 || below - above < 1) return null
  return { left: box.left + from, top: box.top + above, width: to - from, height: below - above }
}
