import { render } from 'preact'
import { type Point, spotIn } from '../../geometry.ts'
import { pointOf, surfaceOf, watchLayout } from '../../viewer/spot.ts'
import type { TabContext } from '../tab.ts'
import { createPins, type FileSpot, type Places, type PlacesOptions } from './pins.tsx'
import type { Thread } from './state.ts'

const MAX_PINS = 200
/** What a spot is on: the image, or a page of the PDF. */
const SURFACES = '#image, .pdfViewer .page'

/** Spots on an image or on the pages of a PDF: visitors pick one, and see those with threads. */
export function createSpots(context: TabContext, options: PlacesOptions): Places {
  const pins = createPins(context, options)
  const pick = createSpotPicker(context, options)
  let spots: FileSpot[] = []
  let isScheduled = false
  /** The thread whose spot is to be scrolled to. */
  let target: string | null = null

  /** Pins follow scrolling and zooming. */
  function place(): void {
    isScheduled = false
    pins.place(spots.map((spot) => [spot.threadId, visiblePointOf(spot)]))
    scrollToTarget()
  }

  function schedule(): void {
    if (isScheduled || spots.length === 0) return
    isScheduled = true
    requestAnimationFrame(place)
  }
  watchLayout(schedule)

  /** A PDF has its pages only a while after it was opened. */
  function scrollToTarget(): void {
    const spot = spots.find(({ threadId }) => threadId === target)
    const point = spot && pointOf(spot)
    if (!point) return
    target = null
    const container = document.getElementById('container')!
    const view = container.getBoundingClientRect()
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const top = point.top - view.top - view.height / 2
    container.scrollBy({ top, behavior: isCalm ? 'auto' : 'smooth' })
  }

  return {
    pick,
    mark(threads) {
      const rows = threads
        .filter(({ state, anchor_state: at }) => state === 'open' && at !== 'outdated')
        .filter((thread) => spotsOf(thread).length > 0)
        .slice(-MAX_PINS)
      spots = rows.flatMap(spotsOf)
      pins.set(rows)
      schedule()
      options.onMarksShown()
    },
    spots: () => spots,
    isMarked: pins.has,
    reveal(threadId) {
      target = threadId
      scrollToTarget()
      pins.flash(threadId)
    },
  }
}

/** Null where its image or page is out of sight. */
function visiblePointOf(spot: FileSpot): Point | null {
  const box = surfaceOf(spot.sheet)?.getBoundingClientRect()
  const isSeen = box !== undefined && box.bottom >= 0 && box.top <= window.innerHeight
  return isSeen ? pointOf(spot) : null
}

function spotsOf({ id, anchor }: Thread): FileSpot[] {
  if (anchor?.x === undefined || anchor.y === undefined) return []
  return [{ threadId: id, sheet: anchor.sheet ?? null, x: anchor.x, y: anchor.y }]
}

/** The next click on the image or on a page picks the spot of a new comment. */
function createSpotPicker(context: TabContext, { onComment }: PlacesOptions): Places['pick'] {
  const layer = context.createLayer()
  let isPicking = false
  setPicking(false)

  function setPicking(next: boolean): void {
    isPicking = next
    document.documentElement.toggleAttribute('data-picking', next)
    render(
      <p className="pick-hint" role="status" hidden={!next}>
        Click the place that you want to comment on. Escape ends it.
      </p>,
      layer,
    )
  }

  function pick(event: MouseEvent): void {
    const surface = event.target instanceof Element ? event.target.closest(SURFACES) : null
    if (!isPicking || surface === null) return
    end(event)
    const point = { left: event.clientX, top: event.clientY }
    const at = { ...spotIn(surface.getBoundingClientRect(), point), element: null }
    const sheet = surface.getAttribute('data-page-number')
    context.open()
    onComment(sheet === null ? at : { sheet: Number(sheet), ...at })
  }

  /** The page does nothing by the click or key that ends it. */
  function end(event: Event): void {
    event.preventDefault()
    event.stopPropagation()
    setPicking(false)
  }

  document.addEventListener('click', pick, true)
  const leave = (event: KeyboardEvent) => event.key === 'Escape' && isPicking && end(event)
  document.addEventListener('keydown', leave, true)
  return { label: () => 'Point at a spot', start: () => setPicking(true) }
}
