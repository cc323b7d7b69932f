import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Anchor } from '../../../src/model/anchor.ts'
import { MAX_MARKS } from '../../../src/model/passage.ts'
import { clamp } from '../../geometry.ts'
import type { Box, Mark, PickedSpot, SelectedPassage, SpotMark } from '../../shell/frame-message.ts'
import { passageMarks } from '../../threads/model.ts'
import type { TabContext } from '../tab.ts'
import { createElementPicker } from './element-picker.tsx'
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
