import type { ElementSpot, PickedSpot } from '../../marks.ts'
import type { Post } from '../connection.ts'
import { onPlainClick } from './clicks.ts'
import { describe, spotIn } from './elements.ts'
import { onViewChange } from './watch.ts'

/** Smaller images are icons and ornaments. */
const MIN_WIDTH_PX = 40

/** Reports to the shell which image was clicked, where in it, and where it is on the screen. */
export function reportSpot(post: Post): void {
  let picked: { image: HTMLImageElement; spot: ElementSpot } | null = null
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

function spotOf(image: HTMLImageElement, event: MouseEvent): ElementSpot | null {
  const box = image.getBoundingClientRect()
  const element = describe(image)
  if (box.width < MIN_WIDTH_PX || box.height === 0 || element === null) return null
  return { ...spotIn(box, { left: event.clientX, top: event.clientY }), element }
}

function withBox(spot: ElementSpot, image: HTMLImageElement): PickedSpot {
  const { top, left, bottom, right } = image.getBoundingClientRect()
  return { ...spot, top, left, bottom, right }
}
