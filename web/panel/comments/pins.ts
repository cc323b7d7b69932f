import type { Anchor } from '../../../src/model/anchor.ts'
import { MAX_SPOTS } from '../../../src/model/passage.ts'
import { h } from '../../elements.ts'
import type { PlacedSpot, SpotMark } from '../../shell/frame-message.ts'
import { spotMarks } from '../../threads/marks.ts'
import { AUTHOR_MARKS } from '../../threads/model.ts'
import type { TabContext } from '../tab.ts'
import type { Thread } from './state.ts'

const REVEAL_MS = 1600
/** Half of a pin: all of it stays within the frame. */
const MARGIN_PX = 12

export interface PlacesOptions {
  /** The visitor wants to comment on a passage or spot. The panel is open. */
  onComment(anchor: Anchor): void
  /** The visitor clicked what is marked. The panel is open. */
  onMark(threadId: string): void
  /** The marked places have changed. */
  onMarksShown(): void
}

/** Where comments stand in the page: passages of a framed page, spots on an image or a PDF. */
export interface Places {
  /** Marks the places of these threads. */
  mark(threads: readonly Thread[]): void
  isMarked(threadId: string): boolean
  /** Scrolls to a marked place. */
  reveal(threadId: string): void
  /** Lets the visitor choose a spot or an element, and what the button for it says. */
  pick: { label(): string; start(): void }
  /** On an image or a PDF: the spots that are marked. */
  spots?(): readonly FileSpot[]
}

/** A thread's spot on the image, or on a page of the PDF. */
export interface FileSpot {
  threadId: string
  sheet: number | null
  x: number
  y: number
}

/** Buttons over the page at the spots that have threads. */
export function createPins(context: TabContext, { onMark }: Pick<PlacesOptions, 'onMark'>) {
  const layer = h('div', { class: 'pins' })
  context.showOverPage(layer)
  let pins = new Map<string, HTMLButtonElement>()

  function pinOf({ id, author }: Thread, index: number): HTMLButtonElement {
    const onclick = () => {
      context.open()
      onMark(id)
    }
    const { text: mark } = AUTHOR_MARKS[author?.kind ?? 'owner']
    const label = `Comment ${index + 1} by ${author?.name ?? 'the owner'}, ${mark.toLowerCase()}`
    const attributes = { type: 'button', class: 'pin', 'aria-label': label, hidden: true, onclick }
    return h('button', attributes, index + 1)
  }

  return {
    /** Makes pins of these threads, instead of those before. They are hidden until placed. */
    set(threads: readonly Thread[]): void {
      pins = new Map(threads.map((thread, index) => [thread.id, pinOf(thread, index)]))
      layer.replaceChildren(...pins.values())
    },
    /** Moves a pin to a point of the window; null hides it. */
    place(threadId: string, point: { left: number; top: number } | null): void {
      const pin = pins.get(threadId)
      if (pin === undefined) return
      pin.hidden = point === null
      if (point === null) return
      pin.style.left = `${point.left}px`
      pin.style.top = `${point.top}px`
    },
    has: (threadId: string): boolean => pins.has(threadId),
    /** Stresses a pin for a moment. */
    flash(threadId: string): void {
      const pin = pins.get(threadId)
      pin?.toggleAttribute('data-active', true)
      setTimeout(() => pin?.toggleAttribute('data-active', false), REVEAL_MS)
    },
  }
}

/** Pins over the framed page, at the spots that its document has found on elements. */
export function createElementPins(context: TabContext, options: PlacesOptions) {
  const pins = createPins(context, options)
  let marks: SpotMark[] = []
  let made = ''
  let placed = new Map<string, PlacedSpot>()

  function pointOf(spot: PlacedSpot | undefined) {
    const box = context.frame.box()
    if (!spot?.is_visible || box === null) return null
    const { left, top } = spot
    if (left < 0 || top < 0 || left > box.width || top > box.height) return null
    return {
      left: clamp(box.left + left, box.left + MARGIN_PX, box.right - MARGIN_PX),
      top: clamp(box.top + top, box.top + MARGIN_PX, box.bottom - MARGIN_PX),
    }
  }
  function place(): void {
    for (const { id } of marks) pins.place(id, pointOf(placed.get(id)))
  }
  window.addEventListener('resize', place)

  return {
    /** Makes pins for those threads that are about a spot. @returns what to send */
    set(threads: readonly Thread[]): SpotMark[] {
      const about = threads.filter((thread) => spotMarks(thread).length > 0).slice(-MAX_SPOTS)
      marks = about.flatMap(spotMarks)
      const next = JSON.stringify(about.map(({ id, author }) => [id, author]))
      // A pin that has the focus stays.
      if (next !== made) pins.set(about)
      made = next
      place()
      return marks
    },
    /** @returns whether other spots are found than before */
    place(spots: readonly PlacedSpot[]): boolean {
      const before = [...placed.keys()].join()
      placed = new Map(spots.map((spot) => [spot.id, spot]))
      place()
      return [...placed.keys()].join() !== before
    },
    isPlaced: (threadId: string): boolean => pins.has(threadId) && placed.has(threadId),
    flash: pins.flash,
  }
}

export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}
