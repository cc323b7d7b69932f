import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Anchor } from '../../../src/model/anchor.ts'
import { MAX_MARKS } from '../../../src/model/passage.ts'
import { clamp, inPixels } from '../../geometry.ts'
import type {
  Box,
  Candidate,
  Mark,
  PickedSpot,
  PickStep,
  SelectedPassage,
  SpotMark,
} from '../../shell/frame-message.ts'
import { passageMarks, wordsOf } from '../../threads/model.ts'
import type { TabContext } from '../tab.ts'
import { createElementPins, type Places, type PlacesOptions } from './pins.tsx'
import type { Thread } from './state.ts'

const GAP_PX = 8

/**
 * Passages and elements of the framed page: offers to comment on what is selected, clicked or
 * chosen, marks what has threads.
 */
export function createPassages(context: TabContext, options: PlacesOptions): Places {
  const { frame } = context
  const { onMark, onMarksShown } = options
  let threads: readonly Thread[] = []
  let marks: Mark[] = []
  let spots: SpotMark[] = []
  let lastPosted = ''
  /** The ids of the marks that the document has found. */
  let locatedIds = new Set<string>()
  // The page can have it opened at any time, such as between two clicks of a double click.
  const open = () => {
    if (!context.isOpen()) window.dispatchEvent(new Event('handbill:appear'))
    context.open()
  }
  const onPicked = (anchor: Anchor) => {
    open()
    options.onComment(anchor)
  }
  const offer = createOffer(context, onPicked)
  const pins = createElementPins(context, options)
  const pick = createElementPicker(context, { onPicked, onToggle: onMarksShown })

  function send(): void {
    lastPosted = JSON.stringify([marks, spots])
    frame.post({ type: 'marks', marks, spots })
  }

  function markFile(): void {
    const inFile = threads.filter(({ state, path }) => state === 'open' && path === frame.path())
    marks = inFile.flatMap(passageMarks).slice(-MAX_MARKS)
    spots = pins.set(inFile)
  }

  frame.onMove(() => {
    offer.select(null, null)
    locatedIds = new Set()
    pins.place([])
    markFile()
    onMarksShown()
  })
  frame.onMessage((message) => {
    switch (message.type) {
      case 'ready-for-marks':
        return send()
      case 'marks-shown':
        locatedIds = new Set(message.ids)
        return onMarksShown()
      case 'marks-placed':
        if (pins.place(message.spots)) onMarksShown()
        return
      case 'mark-click':
        if (!marks.some(({ id }) => id === message.id)) return
        open()
        onMark(message.id)
    }
  })

  return {
    pick,
    /** Marks the passages and elements in the file that is shown. */
    mark(next) {
      threads = next
      markFile()
      if (JSON.stringify([marks, spots]) !== lastPosted) send()
    },
    isMarked: (threadId) => locatedIds.has(threadId) || pins.isPlaced(threadId),
    reveal(threadId) {
      frame.post({ type: 'reveal', id: threadId })
      pins.flash(threadId)
    },
  }
}

/**
 * Offers to comment on what the visitor selected or clicked in the framed page. The offer leaves by
 * Escape and by a press on anything else; the page reports what happens in the page.
 */
function createOffer(context: TabContext, onPress: (anchor: Anchor) => void) {
  const layer = context.createLayer()
  let selection: SelectedPassage | null = null
  let spot: PickedSpot | null = null
  /** What the visitor has commented on or left: the page reports it again when it moves. */
  let done = ''
  show(null)

  function show(part: Box | null): void {
    render(<Offer box={context.frame.box()} part={part} act={comment} />, layer)
  }

  function leave(): void {
    done = JSON.stringify(anchorOf(selection, spot))
    show(null)
  }

  function comment(): void {
    const anchor = anchorOf(selection, spot)
    if (anchor === null) return
    leave()
    onPress(anchor)
  }

  function select(passage: SelectedPassage | null, image: PickedSpot | null): void {
    selection = passage
    spot = image
    if (JSON.stringify(anchorOf(passage, image)) === done) return
    done = ''
    show(passage ?? (image && pointOf(image)))
  }

  document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), true)
  const leaveOutside = (event: Event) => event.composedPath().includes(layer) || leave()
  document.addEventListener('pointerdown', leaveOutside, true)
  context.frame.onMessage((message) => {
    if (message.type === 'selection') select(message.selection, message.selection ? null : spot)
    if (message.type === 'spot') select(message.spot ? null : selection, message.spot)
  })
  return { select }
}

interface OfferProps {
  /** Where the frame is. */
  box: DOMRect | null
  /** The part of the frame that it is about. */
  part: Box | null
  act(): void
}

/** The button stands below that part, or above it where there is no space. */
function Offer({ box, part, act }: OfferProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isSeen = part !== null && box !== null && part.bottom > 0 && part.top < box.height
  useLayoutEffect(() => {
    if (!isSeen) return
    const { offsetHeight: height, offsetWidth: width, style } = button.current!
    const middle = box.left + (part.left + part.right) / 2 - width / 2
    const below = box.top + part.bottom + GAP_PX
    const above = box.top + part.top - height - GAP_PX
    const isBelow = below + height <= box.bottom - GAP_PX
    const top = isBelow ? below : Math.max(box.top + GAP_PX, above)
    style.left = `${clamp(middle, box.left + GAP_PX, box.right - width - GAP_PX)}px`
    style.top = `${clamp(top, box.top + GAP_PX, box.bottom - height - GAP_PX)}px`
  })
  return (
    <button ref={button} type="button" className="button comment-on" hidden={!isSeen} onClick={act}>
      Comment on this
    </button>
  )
}

function anchorOf(selection: SelectedPassage | null, spot: PickedSpot | null): Anchor | null {
  if (selection !== null) {
    const { quote, prefix, suffix } = selection
    return { quote, prefix, suffix, element: null }
  }
  return spot && { x: spot.x, y: spot.y, element: spot.element }
}

/** An image may be larger than the screen, so the offer is where it was clicked. */
function pointOf({ x, y, left, top, right, bottom }: PickedSpot): Box {
  const at = { left: left + x * (right - left), top: top + y * (bottom - top) }
  return { ...at, right: at.left, bottom: at.top }
}

const HINT =
  'Click what you want to comment on, or use the arrow keys and Enter. Escape or the button stops.'
const STEPS: Record<string, PickStep> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowLeft: 'outer',
  ArrowRight: 'inner',
}
/** Pixels a line, for wheels that do not count in pixels, which is mode 0. */
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
function createElementPicker(context: TabContext, { onPicked, onToggle }: PickerOptions) {
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
          const unit = event.deltaMode === 0 ? 1 : LINE_PX
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
