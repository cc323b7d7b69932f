import { h } from '../../elements.ts'
import { surfaceOf, watchLayout } from '../../viewer/spot.ts'
import type { TabContext } from '../tab.ts'
import { createPins, type FileSpot, type Places, type PlacesOptions } from './pins.ts'
import type { Thread } from './state.ts'

const MAX_PINS = 200
/** What a spot is on: the image, or a page of the PDF. */
const SURFACES = '#image, .pdfViewer .page'

/** Spots on an image or on the pages of a PDF: visitors pick one, and see those with threads. */
export function createSpots(context: TabContext, options: PlacesOptions): Places {
  const { onComment, onMarksShown } = options
  const pins = createPins(context, options)
  const hint = h(
    'p',
    { class: 'pick-hint', role: 'status', hidden: true },
    'Click the place that you want to comment on. Escape ends it.',
  )
  context.showOverPage(hint)
  let spots: FileSpot[] = []
  let isPicking = false
  let isScheduled = false
  /** The thread whose spot is to be scrolled to. */
  let revealed: string | null = null

  /** Pins follow scrolling and zooming. */
  function place(): void {
    isScheduled = false
    for (const spot of spots) {
      const box = surfaceOf(spot.sheet)?.getBoundingClientRect()
      const isShown = box !== undefined && box.bottom >= 0 && box.top <= window.innerHeight
      pins.place(
        spot.threadId,
        isShown
          ? { left: box.left + spot.x * box.width, top: box.top + spot.y * box.height }
          : null,
      )
    }
    scrollToRevealed()
  }

  /** A PDF has its pages only a while after it was opened. */
  function scrollToRevealed(): void {
    const spot = spots.find(({ threadId }) => threadId === revealed)
    const surface = spot && surfaceOf(spot.sheet)
    if (!surface) return
    revealed = null
    const container = document.getElementById('container')!
    const at = surface.getBoundingClientRect()
    const view = container.getBoundingClientRect()
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    container.scrollBy({
      top: at.top + spot.y * at.height - view.top - view.height / 2,
      behavior: isCalm ? 'auto' : 'smooth',
    })
  }
  function schedule(): void {
    if (isScheduled || spots.length === 0) return
    isScheduled = true
    requestAnimationFrame(place)
  }
  watchLayout(schedule)

  function setPicking(next: boolean): void {
    isPicking = next
    hint.hidden = !next
    document.documentElement.toggleAttribute('data-picking', next)
  }

  function pick(event: MouseEvent): void {
    if (!isPicking) return
    const surface = event.target instanceof Element ? event.target.closest(SURFACES) : null
    if (surface === null) return
    event.preventDefault()
    event.stopPropagation()
    setPicking(false)
    const box = surface.getBoundingClientRect()
    const at = {
      x: ratio((event.clientX - box.left) / box.width),
      y: ratio((event.clientY - box.top) / box.height),
    }
    const sheet = surface.getAttribute('data-page-number')
    context.open()
    onComment(
      sheet === null ? { ...at, element: null } : { sheet: Number(sheet), ...at, element: null },
    )
  }
  document.addEventListener('click', pick, true)
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !isPicking) return
      event.preventDefault()
      event.stopPropagation()
      setPicking(false)
    },
    true,
  )

  return {
    /** The next click on the image or on a page picks the spot of a new comment. */
    pick: { label: () => 'Point at a spot', start: () => setPicking(true) },
    mark(threads) {
      const shown = threads
        .filter(({ state, anchor_state: at }) => state === 'open' && at !== 'outdated')
        .filter((thread) => spotsOf(thread).length > 0)
        .slice(-MAX_PINS)
      spots = shown.flatMap(spotsOf)
      pins.set(shown)
      schedule()
      onMarksShown()
    },
    spots: () => spots,
    isMarked: pins.has,
    reveal(threadId) {
      revealed = threadId
      scrollToRevealed()
      pins.flash(threadId)
    },
  }
}

function spotsOf({ id, anchor }: Thread): FileSpot[] {
  if (anchor?.x === undefined || anchor.y === undefined) return []
  return [{ threadId: id, sheet: anchor.sheet ?? null, x: anchor.x, y: anchor.y }]
}

function ratio(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * 10_000) / 10_000
}
