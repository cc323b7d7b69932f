import type { PlacedSpot, SpotMark } from '../../marks.ts'
import type { Post } from '../connection.ts'
import { elementOf } from './elements.ts'
import { revealElement } from './reveal.ts'
import { onContentChange, onViewChange } from './watch.ts'

/** Reports to the shell where commented spots on elements are: it shows pins there. */
export function createElementMarks(post: Post) {
  let marks: readonly SpotMark[] = []
  let elements = new Map<SpotMark, Element>()
  let lastPosted = ''

  function locate(): void {
    elements = new Map()
    for (const mark of marks) {
      const element = elementOf(mark)
      if (element !== null) elements.set(mark, element)
    }
    place()
  }

  function place(): void {
    const spots = [...elements].map(([mark, element]) => placeOf(mark, element))
    const next = JSON.stringify(spots)
    if (next !== lastPosted) post({ type: 'marks-placed', spots })
    lastPosted = next
  }

  onContentChange(() => marks.length > 0 && locate(), ['id', 'class', 'alt'])
  onViewChange(() => elements.size > 0 && place())

  return {
    set(next: readonly SpotMark[]): void {
      marks = next
      lastPosted = ''
      locate()
    },
    /** Scrolls to a marked element. */
    reveal(id: string): void {
      for (const [mark, element] of elements) if (mark.id === id) revealElement(element)
    },
  }
}

function placeOf({ id, x, y }: SpotMark, element: Element): PlacedSpot {
  const box = element.getBoundingClientRect()
  const left = box.left + x * box.width
  const top = box.top + y * box.height
  // The point that is asked for must be within the element, not on its edge.
  const at = document.elementFromPoint(
    Math.max(box.left + 1, Math.min(box.right - 1, left)),
    Math.max(box.top + 1, Math.min(box.bottom - 1, top)),
  )
  return { id, left, top, is_visible: element.contains(at) }
}
