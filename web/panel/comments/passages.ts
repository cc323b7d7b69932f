import { MAX_MARKS } from '../../../src/model/passage.ts'
import { h } from '../../elements.ts'
import type { Box, Mark, PickedSpot, SelectedPassage, SpotMark } from '../../shell/frame-message.ts'
import { passageMarks } from '../../threads/marks.ts'
import type { TabContext } from '../tab.ts'
import { createElementPicker } from './element-picker.ts'
import { clamp, createElementPins, type Places, type PlacesOptions } from './pins.ts'
import type { Thread } from './state.ts'

const GAP_PX = 8

/**
 * Passages and elements of the framed page: offers to comment on what is selected, clicked or
 * chosen, marks what has threads.
 */
export function createPassages(context: TabContext, options: PlacesOptions): Places {
  const { frame } = context
  let selection: SelectedPassage | null = null
  let spot: PickedSpot | null = null
  let all: readonly Thread[] = []
  let marks: Mark[] = []
  let spots: SpotMark[] = []
  let sent = ''
  let shown = new Set<string>()
  /** What the visitor has commented on or left: the page reports it again when it moves. */
  let done = ''
  const offer = createOffer(context, { onPress: comment, onLeave: leave })
  const pins = createElementPins(context, options)
  const picker = createElementPicker(context, {
    onPicked(anchor) {
      context.open()
      options.onComment(anchor)
    },
    onToggle: options.onMarksShown,
  })

  function comment(): void {
    const anchor = anchorOf(selection, spot)
    if (anchor === null) return
    leave()
    context.open()
    options.onComment(anchor)
  }

  function leave(): void {
    done = JSON.stringify(anchorOf(selection, spot))
    offer.show(null)
  }

  function select(passage: SelectedPassage | null, image: PickedSpot | null): void {
    selection = passage
    spot = image
    if (JSON.stringify(anchorOf(passage, image)) === done) return
    done = ''
    offer.show(passage ?? (image && pointOf(image)))
  }

  function send(isForced: boolean): void {
    const next = JSON.stringify([marks, spots])
    if (next === sent && !isForced) return
    sent = next
    frame.post({ type: 'marks', marks, spots })
  }

  function markShownFile(): void {
    const threads = all.filter(({ state, path }) => state === 'open' && path === frame.path())
    marks = threads.flatMap(passageMarks).slice(-MAX_MARKS)
    spots = pins.set(threads)
  }

  frame.onMove(() => {
    select(null, null)
    shown = new Set()
    pins.place([])
    markShownFile()
    options.onMarksShown()
  })
  frame.onMessage((message) => {
    switch (message.type) {
      case 'selection':
        return select(message.selection, message.selection === null ? spot : null)
      case 'spot':
        return select(message.spot === null ? selection : null, message.spot)
      case 'ready-for-marks':
        return send(true)
      case 'marks-shown':
        shown = new Set(message.ids)
        return options.onMarksShown()
      case 'marks-placed':
        if (pins.place(message.spots)) options.onMarksShown()
        return
      case 'mark-click':
        if (!marks.some(({ id }) => id === message.id)) return
        // The page can say so at any time, such as between two clicks of a double click.
        if (!context.isOpen()) window.dispatchEvent(new Event('handbill:appear'))
        context.open()
        options.onMark(message.id)
    }
  })

  return {
    pick: {
      label: () => (picker.isPicking() ? 'Stop' : 'Point at something'),
      start: picker.toggle,
    },
    /** Marks the passages and elements in the file that is shown. */
    mark(threads) {
      all = threads
      markShownFile()
      send(false)
    },
    isMarked: (threadId) => shown.has(threadId) || pins.isPlaced(threadId),
    reveal(threadId) {
      frame.post({ type: 'reveal', id: threadId })
      pins.flash(threadId)
    },
  }
}

function anchorOf(selection: SelectedPassage | null, spot: PickedSpot | null) {
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

/**
 * The button that offers to comment on what the visitor selected in the framed page. It leaves by
 * Escape and by a press on anything else; the page reports what happens in the page.
 */
function createOffer(
  context: TabContext,
  { onPress, onLeave }: Record<'onPress' | 'onLeave', () => void>,
) {
  const button = h(
    'button',
    { type: 'button', class: 'button comment-on', hidden: true, onclick: onPress },
    'Comment on this',
  )
  context.showOverPage(button)
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && onLeave(), true)
  document.addEventListener(
    'pointerdown',
    (event) => event.composedPath().includes(button) || onLeave(),
    true,
  )

  return {
    /** Shows it below this part of the frame, or above where there is no space; null hides it. */
    show(part: Box | null): void {
      const box = context.frame.box()
      const isSeen = part !== null && box !== null && part.bottom > 0 && part.top < box.height
      button.hidden = !isSeen
      if (!isSeen) return
      const { offsetHeight: height, offsetWidth: width } = button
      const middle = box.left + (part.left + part.right) / 2 - width / 2
      const below = box.top + part.bottom + GAP_PX
      const above = box.top + part.top - height - GAP_PX
      const isBelow = below + height <= box.bottom - GAP_PX
      const top = isBelow ? below : Math.max(box.top + GAP_PX, above)
      button.style.left = `${clamp(middle, box.left + GAP_PX, box.right - width - GAP_PX)}px`
      button.style.top = `${clamp(top, box.top + GAP_PX, box.bottom - height - GAP_PX)}px`
    },
  }
}
