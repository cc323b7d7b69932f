import { measureVisibleTime } from '../time/visible-time.ts'
import { hideBarsWhileReading } from './bars.ts'
import { announce, elementById } from './dom.ts'
import { showMessage } from './message.ts'
import { openPdf } from './pdf.ts'
import { showSpot } from './spot.ts'
import { bindZoom, type Point, showScale, type Zoomable } from './zoom.ts'

const MIN_SCALE = 0.1
const MAX_SCALE = 16

const container = elementById('container', HTMLDivElement)
document.body.setAttribute('data-ready', '')
hideBarsWhileReading(container)
container.focus({ preventScroll: true })
const { time: token = '', stamp: sourceToken = '' } = document.body.dataset
const pageField = document.querySelector<HTMLInputElement>('#page')
measureVisibleTime({ origin: '', token, sourceToken, partNow: () => pageField?.value ?? '' })
if (document.body.dataset.kind === 'pdf') openPdf(container)
else openImage(container)

/** Adds zoom and pan to the image, which the document lays out without scripts. */
function openImage(container: HTMLElement): void {
  const image = elementById('image', HTMLImageElement)
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
    showSpot(container)
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
  let isFitted = true

  const fitScale = () => {
    const style = getComputedStyle(container)
    const across = container.clientWidth - sumOf(style.paddingLeft, style.paddingRight)
    const down = container.clientHeight - sumOf(style.paddingTop, style.paddingBottom)
    return Math.min(1, across / image.naturalWidth, down / image.naturalHeight)
  }
  const show = (nextScale: number, fits: boolean) => {
    scale = nextScale
    isFitted = fits
    image.style.width = `${image.naturalWidth * scale}px`
    image.style.height = `${image.naturalHeight * scale}px`
    container.toggleAttribute('data-zoomed', !fits)
    showScale(scale, isFitted)
    announce(`Zoom ${Math.round(scale * 100)} percent`)
  }
  return {
    isFitted: () => isFitted,
    fit: () => show(fitScale(), true),
    actual: () => show(1, false),
    zoomBy(factor, origin = middleOf(container)) {
      const minScale = Math.min(fitScale(), MIN_SCALE)
      const nextScale = Math.min(MAX_SCALE, Math.max(minScale, scale * factor))
      const before = image.getBoundingClientRect()
      const anchor: Point = [(origin[0] - before.left) / scale, (origin[1] - before.top) / scale]
      show(nextScale, false)
      const after = image.getBoundingClientRect()
      container.scrollLeft += after.left + anchor[0] * nextScale - origin[0]
      container.scrollTop += after.top + anchor[1] * nextScale - origin[1]
    },
  }
}

/** The mouse drags a zoomed image; touch scrolls it natively. */
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
