import { button, isTyping } from './dom.ts'

export type Point = [x: number, y: number]

/** What the buttons, keys, wheel and fingers act on: a document's sheets or an image. */
export interface Zoomable {
  /** `origin`, a point of the window, stays where it is; `settling` while more will follow. */
  zoomBy(factor: number, origin?: Point, settling?: boolean): void
  fit(): void
  actual(): void
  isFitted(): boolean
}

const STEP = 1.2

export function bindZoom(container: HTMLElement, target: Zoomable): void {
  button('zoom-in').addEventListener('click', () => target.zoomBy(STEP))
  button('zoom-out').addEventListener('click', () => target.zoomBy(1 / STEP))
  button('zoom-fit').addEventListener('click', () => toggleFit(target))
  document.addEventListener('keydown', (event) => onKey(event, target))
  container.addEventListener('wheel', (event) => onWheel(event, target), { passive: false })
  bindPinch(container, target)
}

export function showScale(scale: number, fitted: boolean): void {
  const control = button('zoom-fit')
  const percent = `${Math.round(scale * 100)}%`
  control.textContent = percent
  control.ariaLabel = `Zoom ${percent}, ${fitted ? 'show at actual size' : 'fit to window'}`
  control.title = fitted ? 'Actual size' : 'Fit to window'
}

function toggleFit(target: Zoomable): void {
  if (target.isFitted()) target.actual()
  else target.fit()
}

function onKey(event: KeyboardEvent, target: Zoomable): void {
  if (event.altKey || (isTyping(event.target) && !event.ctrlKey && !event.metaKey)) return
  if (event.key === '+' || event.key === '=') target.zoomBy(STEP)
  else if (event.key === '-' || event.key === '_') target.zoomBy(1 / STEP)
  else if (event.key === '0') target.fit()
  else return
  event.preventDefault()
}

/** A trackpad's pinch arrives as a wheel with the control key, in small steps. */
function onWheel(event: WheelEvent, target: Zoomable): void {
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE
  const pixels = Math.max(-120, Math.min(120, event.deltaY * (lines ? 30 : 1)))
  target.zoomBy(Math.exp(-pixels / 300), [event.clientX, event.clientY], true)
}

function bindPinch(container: HTMLElement, target: Zoomable): void {
  let span = 0
  const measure = (touches: TouchList) =>
    Math.hypot(touches[0]!.clientX - touches[1]!.clientX, touches[0]!.clientY - touches[1]!.clientY)
  container.addEventListener(
    'touchmove',
    (event) => {
      const { touches } = event
      if (touches.length !== 2) {
        span = 0
        return
      }
      event.preventDefault()
      const now = measure(touches)
      if (span > 0 && Math.abs(now / span - 1) > 0.01) {
        target.zoomBy(now / span, middle(touches), true)
        span = now
      }
      if (span === 0) span = now
    },
    { passive: false },
  )
  for (const name of ['touchend', 'touchcancel'] as const) {
    container.addEventListener(name, () => {
      span = 0
    })
  }
}

function middle(touches: TouchList): Point {
  const [one, other] = [touches[0]!, touches[1]!]
  return [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2]
}
