import { announce, part } from './dom.ts'
import { showMessage } from './message.ts'
import { bindZoom, type Point, showScale, type Zoomable } from './zoom.ts'

const LARGEST = 16

/** An image is laid out by the document itself; this adds zoom and pan. */
export function openImage(container: HTMLElement): void {
  const image = part('image', HTMLImageElement)
  const ready = () => {
    const zoomable = zoomImage(container, image)
    bindZoom(container, zoomable)
    bindPan(container)
    image.addEventListener('dblclick', (event) => {
      if (zoomable.isFitted()) zoomable.zoomBy(2, [event.clientX, event.clientY])
      else zoomable.fit()
    })
    window.addEventListener('resize', () => zoomable.isFitted() && zoomable.fit())
    zoomable.fit()
  }
  const failed = () => {
    image.hidden = true
    showMessage({
      title: 'This image could not be shown',
      text:
        'The link may have been closed since, or the file is damaged. ' +
        'Load the page again, or ask the owner to publish the image again.',
      action: { label: 'Load again', run: () => location.reload() },
    })
  }
  if (image.complete) image.naturalWidth > 0 ? ready() : failed()
  else {
    image.addEventListener('load', ready, { once: true })
    image.addEventListener('error', failed, { once: true })
  }
}

function zoomImage(container: HTMLElement, image: HTMLImageElement): Zoomable {
  let scale = 1
  let fitted = true

  const fitScale = () => {
    const style = getComputedStyle(container)
    const across = container.clientWidth - sumOf(style.paddingLeft, style.paddingRight)
    const down = container.clientHeight - sumOf(style.paddingTop, style.paddingBottom)
    return Math.min(1, across / image.naturalWidth, down / image.naturalHeight)
  }
  const show = (next: number, fits: boolean) => {
    scale = next
    fitted = fits
    image.style.width = `${image.naturalWidth * scale}px`
    image.style.height = `${image.naturalHeight * scale}px`
    container.toggleAttribute('data-zoomed', !fits)
    showScale(scale, fitted)
    announce(`Zoom ${Math.round(scale * 100)} percent`)
  }
  return {
    isFitted: () => fitted,
    fit: () => show(fitScale(), true),
    actual: () => show(1, false),
    zoomBy(factor, origin = middleOf(container)) {
      const smallest = Math.min(fitScale(), 0.1)
      const next = Math.min(LARGEST, Math.max(smallest, scale * factor))
      const before = image.getBoundingClientRect()
      const held: Point = [(origin[0] - before.left) / scale, (origin[1] - before.top) / scale]
      show(next, false)
      const after = image.getBoundingClientRect()
      container.scrollLeft += after.left + held[0] * next - origin[0]
      container.scrollTop += after.top + held[1] * next - origin[1]
    },
  }
}

/** Drag to look around; touch scrolls by itself. */
function bindPan(container: HTMLElement): void {
  container.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return
    if (!container.hasAttribute('data-zoomed')) return
    event.preventDefault()
    container.setPointerCapture(event.pointerId)
    const move = (moved: PointerEvent) => {
      container.scrollLeft -= moved.movementX
      container.scrollTop -= moved.movementY
    }
    container.addEventListener('pointermove', move)
    const stop = () => container.removeEventListener('pointermove', move)
    container.addEventListener('lostpointercapture', stop, { once: true })
  })
}

function middleOf(container: HTMLElement): Point {
  const box = container.getBoundingClientRect()
  return [box.left + box.width / 2, box.top + box.height / 2]
}

function sumOf(one: string, other: string): number {
  return Number.parseFloat(one) + Number.parseFloat(other)
}
