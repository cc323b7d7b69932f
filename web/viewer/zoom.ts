import { buttonById, isTyping } from './dom.ts'

export type Point = [x: number, y: number]

/** The target of buttons, keys, wheel and pinch: the pages of a PDF or an image. */
export interface Zoomable {
  /**
   * @param origin the point of the window that stays where it is
   * @param isOngoing within a gesture: more steps will follow
   */
  zoomBy(factor: number, origin?: Point, isOngoing?: boolean): void
  fit(): void
  actual(): void
  isFitted(): boolean
}

const STEP = 1.2

export function bindZoom(container: HTMLElement, target: Zoomable): void {
  buttonById('zoom-in').addEventListener('click', () => target.zoomBy(STEP))
  buttonById('zoom-out').addEventListener('click', () => target.zoomBy(1 / STEP))
  buttonById('zoom-fit').addEventListener('click', () =>
    target.isFitted() ? target.actual() : target.fit(),
  )
  document.addEventListener('keydown', (event) => onKey(event, target))
  container.addEventListener('wheel', (event) => onWheel(event, target), { passive: false })
  bindPinch(container, target)
}

export function showScale(scale: number, isFitted: boolean): void {
  const control = buttonById('zoom-fit')
  const percent = `${Math.round(scale * 100)}%`
  control.textContent = percent
  control.ariaLabel = `Zoom ${percent}, ${isFitted ? 'show at actual size' : 'fit to window'}`
  control.title = isFitted ? 'Actual size' : 'Fit to window'
}

function onKey(event: KeyboardEvent, target: Zoomable): void {
  if (event.altKey || (isTyping(event) && !event.ctrlKey && !event.metaKey)) return
  if (event.key === '+' || event.key === '=') target.zoomBy(STEP)
  else if (event.key === '-' || event.key === '_') target.zoomBy(1 / STEP)
  else if (event.key === '0') target.fit()
  else return
  event.preventDefault()
}

/** Browsers report a trackpad's pinch as small wheel events with the Control key. */
function onWheel(event: WheelEvent, target: Zoomable): void {
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  const isInLines = event.deltaMode === WheelEvent.DOM_DELTA_LINE
  const pixels = Math.max(-120, Math.min(120, event.deltaY * (isInLines ? 30 : 1)))
  target.zoomBy(Math.exp(-pixels / 300), [event.clientX, event.clientY], true)
}

function bindPinch(container: HTMLElement, target: Zoomable): void {
  let lastDistance = 0
  const distanceOf = (touches: TouchList) =>
    Math.hypot(touches[0]!.clientX - touches[1]!.clientX, touches[0]!.clientY - touches[1]!.clientY)
  function move(event: TouchEvent): void {
    const { touches } = event
    if (touches.length !== 2) {
      lastDistance = 0
      return
    }
    event.preventDefault()
    const distance = distanceOf(touches)
    if (lastDistance > 0 && Math.abs(distance / lastDistance - 1) > 0.01) {
      target.zoomBy(distance / lastDistance, middleOf(touches), true)
      lastDistance = distance
    }
    if (lastDistance === 0) lastDistance = distance
  }
  container.addEventListener('touchmove', move, { passive: false })
  for (const name of ['touchend', 'touchcancel'] as const) {
    container.addEventListener(name, () => {
      lastDistance = 0
    })
  }
}

function middleOf(touches: TouchList): Point {
  const [one, other] = [touches[0]!, touches[1]!]
  return [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2]
}
