import { MAX_SPOTS, type PlacedSpot, type SpotMark } from '../../shell/marks.ts'
import type { TabContext } from '../tab.ts'
import type { PlacesOptions } from './model.ts'
import { clamp } from './offer.ts'
import { createPins } from './pins.ts'
import type { Thread } from './thread-state.ts'

/** Half of a pin: all of it stays within the frame. */
const MARGIN_PX = 12

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
      const about = threads.filter((thread) => markOf(thread).length > 0).slice(-MAX_SPOTS)
      marks = about.flatMap(markOf)
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

/** Only in the same bytes: in a changed file, the element may be another one. */
function markOf({ id, anchor, anchor_state: state }: Thread): SpotMark[] {
  const { x, y, element } = anchor ?? {}
  if (state !== 'exact' || x === undefined || y === undefined || !element) return []
  return [{ id, x, y, element }]
}
