import { h } from '../elements.ts'
import { inPixels, type Point } from '../geometry.ts'

/** The image, or a page of the PDF, which may not be there yet. */
export function surfaceOf(sheet: number | null): Element | null {
  return sheet === null
    ? document.querySelector('#image')
    : document.querySelector(`.pdfViewer .page[data-page-number="${sheet}"]`)
}

/** A spot on the image or on a page of the PDF; `x` and `y` go from 0 to 1, from the top left. */
export interface SurfaceSpot {
  sheet: number | null
  x: number
  y: number
}

/** Where it is in the window; null while its page is not there. */
export function pointOf({ sheet, x, y }: SurfaceSpot): Point | null {
  const box = surfaceOf(sheet)?.getBoundingClientRect()
  return box ? { left: box.left + x * box.width, top: box.top + y * box.height } : null
}

/** Calls back when surfaces may be elsewhere: by scrolling, zooming, or with the window. */
export function watchLayout(onChange: () => void): void {
  const container = document.getElementById('container')
  container?.addEventListener('scroll', onChange, { passive: true })
  window.addEventListener('resize', onChange)
  if (container === null) return
  new ResizeObserver(onChange).observe(container)
  // Pages are added, and their style changes when they are zoomed.
  new MutationObserver(onChange).observe(container, {
    subtree: true,
    childList: true,
    attributeFilter: ['style'],
  })
}

const SPOT = /^#spot=(\d{1,6}),([\d.]{1,10}),([\d.]{1,10})$/

/**
 * Scrolls to the spot that the address names, as that of a comment in the inbox does, and marks it.
 * Call it once the layout stands. @returns whether it names one
 */
export function showSpot(container: HTMLElement): boolean {
  const [address, no, x, y] = SPOT.exec(location.hash) ?? []
  const sheet = document.body.dataset.kind === 'pdf' ? Number(no) : null
  const spot = { sheet, x: Number(x), y: Number(y) }
  const point = pointOf(spot)
  if (address === undefined || point === null) return false
  const pin = h('span', { class: 'spot' })
  document.body.append(pin)
  const box = container.getBoundingClientRect()
  container.scrollBy(point.left - box.left - box.width / 2, point.top - box.top - box.height / 2)
  const place = () => Object.assign(pin.style, inPixels(pointOf(spot) ?? {}))
  place()
  watchLayout(place)
  return true
}
