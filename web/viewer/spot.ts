import { h } from '../elements.ts'

/** The image, or a page of the PDF, which may not be there yet. */
export function surfaceOf(sheet: number | null): Element | null {
  return sheet === null
    ? document.querySelector('#image')
    : document.querySelector(`.pdfViewer .page[data-page-number="${sheet}"]`)
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
  const [, sheet, x, y] = SPOT.exec(location.hash) ?? []
  const surface = surfaceOf(document.body.dataset.kind === 'pdf' ? Number(sheet) : null)
  if (sheet === undefined || surface === null) return false
  const pin = h('span', { class: 'spot' })
  document.body.append(pin)
  function place() {
    const { left, top, width, height } = surface!.getBoundingClientRect()
    const point = { left: left + Number(x) * width, top: top + Number(y) * height }
    pin.style.left = `${point.left}px`
    pin.style.top = `${point.top}px`
    return point
  }
  const { left, top } = place()
  const box = container.getBoundingClientRect()
  container.scrollBy(left - box.left - box.width / 2, top - box.top - box.height / 2)
  place()
  watchLayout(place)
  return true
}
