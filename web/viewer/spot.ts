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

/** Whether the address names a spot, as that of a comment in the inbox does. */
export function hasSpot(): boolean {
  return SPOT.test(location.hash)
}

/** Scrolls to the spot that the address names, and marks it. Call it once the layout stands. */
export function showSpot(container: HTMLElement): void {
  const [, sheet, x, y] = SPOT.exec(location.hash) ?? []
  const isPdf = document.body.dataset.kind === 'pdf'
  const surface = surfaceOf(isPdf ? Number(sheet) : null)
  if (sheet === undefined || surface === null) return
  const pin = document.createElement('span')
  pin.className = 'spot'
  document.body.append(pin)
  const point = () => {
    const { left, top, width, height } = surface.getBoundingClientRect()
    return { left: left + Number(x) * width, top: top + Number(y) * height }
  }
  const place = () => {
    const { left, top } = point()
    pin.style.left = `${left}px`
    pin.style.top = `${top}px`
  }
  const { left, top } = point()
  const box = container.getBoundingClientRect()
  container.scrollBy(left - box.left - box.width / 2, top - box.top - box.height / 2)
  place()
  watchLayout(place)
}
