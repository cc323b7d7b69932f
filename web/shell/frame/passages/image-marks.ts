import type { PlacedSpot, SpotMark } from '../../marks.ts'
import type { Post } from '../connection.ts'
import { imageOf } from './images.ts'
import { revealElement } from './reveal.ts'
import { onContentChange, onViewChange } from './watch.ts'

/** Tells the shell where the spots on images are that have comments: it shows pins there. */
export function createImageMarks(post: Post) {
  let marks: readonly SpotMark[] = []
  let images = new Map<SpotMark, HTMLImageElement>()
  let lastPosted = ''

  function locate(): void {
    images = new Map()
    for (const mark of marks) {
      const image = imageOf(mark)
      if (image !== null) images.set(mark, image)
    }
    place()
  }

  function place(): void {
    const spots = [...images].map(([mark, image]) => placeOf(mark, image))
    const next = JSON.stringify(spots)
    if (next !== lastPosted) post({ type: 'marks-placed', spots })
    lastPosted = next
  }

  onContentChange(() => marks.length > 0 && locate(), ['id', 'class', 'alt'])
  onViewChange(() => images.size > 0 && place())

  return {
    set(next: readonly SpotMark[]): void {
      marks = next
      lastPosted = ''
      locate()
    },
    /** Scrolls to a marked image. */
    reveal(id: string): void {
      for (const [mark, image] of images) if (mark.id === id) revealElement(image)
    },
  }
}

function placeOf({ id, x, y }: SpotMark, image: HTMLImageElement): PlacedSpot {
  const box = image.getBoundingClientRect()
  const left = box.left + x * box.width
  const top = box.top + y * box.height
  // The point that is asked for must be within the image, not on its edge.
  const at = document.elementFromPoint(
    Math.max(box.left + 1, Math.min(box.right - 1, left)),
    Math.max(box.top + 1, Math.min(box.bottom - 1, top)),
  )
  return { id, left, top, is_visible: at === image }
}
