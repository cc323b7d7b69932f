import { render } from 'preact'
import type { Anchor } from '../../../src/model/anchor.ts'
import { MAX_SPOTS } from '../../../src/model/passage.ts'
import { clamp, inPixels, type Point } from '../../geometry.ts'
import type { PlacedSpot, SpotMark } from '../../shell/frame-message.ts'
import { AUTHOR_MARKS, spotMarks } from '../../threads/model.ts'
import type { SurfaceSpot } from '../../viewer/spot.ts'
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
export interface FileSpot extends SurfaceSpot {
  threadId: string
}

/** Buttons over the page at the spots that have threads. */
export function createPins(context: TabContext, { onMark }: Pick<PlacesOptions, 'onMark'>) {
  const layer = context.createLayer()
  let threads: readonly Thread[] = []
  let points: ReadonlyMap<string, Point | null> = new Map()
  let active: string | null = null

  function show(): void {
    const pins = threads.map(({ id, author }, index) => {
      const point = points.get(id) ?? null
      const { text } = AUTHOR_MARKS[author?.kind ?? 'owner']
      const name = author?.name ?? 'the owner'
      return (
        <button
          key={id}
          type="button"
          className="pin"
          aria-label={`Comment ${index + 1} by ${name}, ${text.toLowerCase()}`}
          hidden={point === null}
          data-active={id === active ? '' : undefined}
          style={inPixels(point ?? {})}
          onClick={() => {
            context.open()
            onMark(id)
          }}
        >
          {index + 1}
        </button>
      )
    })
    render(pins, layer)
  }

  return {
    /** Makes pins of these threads, instead of those before. They are hidden until placed. */
    set(next: readonly Thread[]): void {
      threads = next
      show()
    },
    /** Moves pins to points of the window; others, and those without a point, are hidden. */
    place(next: readonly (readonly [threadId: string, point: Point | null])[]): void {
      points = new Map(next)
      show()
    },
    has: (threadId: string): boolean => threads.some(({ id }) => id === threadId),
    /** Stresses a pin for a moment. */
    flash(threadId: string): void {
      active = threadId
      show()
      setTimeout(() => {
        if (active === threadId) active = null
        show()
      }, REVEAL_MS)
    },
  }
}

/** Pins over the framed page, at the spots that its document has found on elements. */
export function createElementPins(context: TabContext, options: PlacesOptions) {
  const pins = createPins(context, options)
  let spots: ReadonlyMap<string, PlacedSpot> = new Map()

  function place(): void {
    const box = context.frame.box()
    pins.place([...spots.values()].map((spot) => [spot.id, box && pointIn(box, spot)]))
  }
  window.addEventListener('resize', place)

  return {
    /** Makes pins for those threads that are about a spot. @returns what to send */
    set(threads: readonly Thread[]): SpotMark[] {
      const about = threads.filter((thread) => spotMarks(thread).length > 0).slice(-MAX_SPOTS)
      pins.set(about)
      place()
      return about.flatMap(spotMarks)
    },
    /** @returns whether other spots are there than before */
    place(next: readonly PlacedSpot[]): boolean {
      const before = [...spots.keys()].join()
      spots = new Map(next.map((spot) => [spot.id, spot]))
      place()
      return [...spots.keys()].join() !== before
    },
    isPlaced: (threadId: string): boolean => pins.has(threadId) && spots.has(threadId),
    flash: pins.flash,
  }
}

/** Null where it is out of sight. A pin stays within the frame whole. */
function pointIn(box: DOMRect, { left, top, is_visible: isVisible }: PlacedSpot): Point | null {
  const isInside = left >= 0 && top >= 0 && left <= box.width && top <= box.height
  if (!isVisible || !isInside) return null
  return {
    left: clamp(box.left + left, box.left + MARGIN_PX, box.right - MARGIN_PX),
    top: clamp(box.top + top, box.top + MARGIN_PX, box.bottom - MARGIN_PX),
  }
}
