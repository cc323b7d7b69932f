/** A point of the window, in CSS pixels. */
export interface Point {
  left: number
  top: number
}

export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}

/** Where in a box a point is, from 0 to 1. */
export function spotIn(box: DOMRect, { left, top }: Point) {
  return { x: ratio((left - box.left) / box.width), y: ratio((top - box.top) / box.height) }
}

function ratio(value: number): number {
  return Math.round(clamp(value, 0, 1) * 10_000) / 10_000
}

type Side = 'left' | 'right' | 'top' | 'width' | 'height'

/** As styles: `{ left: 5 }` is `{ left: '5px' }`. */
export function inPixels(box: Partial<Record<Side, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(box).map(([name, value]) => [name, `${value}px`]))
}
