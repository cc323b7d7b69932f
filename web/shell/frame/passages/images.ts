import { MAX_ELEMENT_TEXT_CHARS } from '../../../../src/model/anchor-element.ts'
import type { ImageSpot, PickedSpot } from '../../marks.ts'
import type { Post } from '../connection.ts'
import { onPlainClick } from './clicks.ts'
import { findOnly, selectorOf } from './selector.ts'
import { onViewChange } from './watch.ts'

/** Smaller images are icons and ornaments. */
const MIN_WIDTH_PX = 40

/** Tells the shell which image was clicked, where in it, and where it is on the screen. */
export function reportSpot(post: Post): void {
  let picked: { image: HTMLImageElement; spot: ImageSpot } | null = null
  const report = () => {
    if (picked !== null) post({ type: 'spot', spot: withBox(picked.spot, picked.image) })
  }
  const forget = () => {
    if (picked === null) return
    picked = null
    post({ type: 'spot', spot: null })
  }
  window.addEventListener('click', forget, true)
  onPlainClick((event, target) => {
    const spot = target instanceof HTMLImageElement ? spotOf(target, event) : null
    if (spot === null) return
    picked = { image: target as HTMLImageElement, spot }
    report()
  })
  onViewChange(report)
}

/** The image that a spot is on, if it is the one that its author saw. */
export function imageOf({ element }: ImageSpot): HTMLImageElement | null {
  const found = findOnly(element.selector)
  return found instanceof HTMLImageElement && textOf(found) === element.text ? found : null
}

function spotOf(image: HTMLImageElement, { clientX, clientY }: MouseEvent): ImageSpot | null {
  const { left, top, width, height } = image.getBoundingClientRect()
  const selector = selectorOf(image)
  if (width < MIN_WIDTH_PX || height === 0 || selector === null) return null
  return {
    x: ratio((clientX - left) / width),
    y: ratio((clientY - top) / height),
    element: { tag: 'img', text: textOf(image), selector },
  }
}

function withBox(spot: ImageSpot, image: HTMLImageElement): PickedSpot {
  const { top, left, bottom, right } = image.getBoundingClientRect()
  return { ...spot, top, left, bottom, right }
}

/** What is written in its place, without control characters and halves of characters. */
function textOf({ alt }: HTMLImageElement): string {
  return alt
    .slice(0, MAX_ELEMENT_TEXT_CHARS)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
}

function ratio(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * 10_000) / 10_000
}
