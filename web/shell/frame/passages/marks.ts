import { condensePassage, findPassage } from '../../../../src/model/passage.ts'
import { createSlices } from '../../../../src/model/time-slices.ts'
import type { Mark } from '../../marks.ts'
import type { Post } from '../connection.ts'
import { onPlainClick } from './clicks.ts'
import { revealElement } from './reveal.ts'
import { readTextIndex } from './text-index.ts'
import { onContentChange } from './watch.ts'

const NAME = 'handbill-comments'
const ACTIVE_NAME = 'handbill-comment'
const STYLES = `
::highlight(${NAME}) { background-color: rgb(255 200 0 / 0.32); }
::highlight(${ACTIVE_NAME}) { background-color: rgb(255 170 0 / 0.62); }`
const ACTIVE_MS = 2500

/**
 * Marks the passages that have comments with the CSS Custom Highlight API, which changes nothing in
 * the page's document. A passage is marked where its words and those around them occur once.
 */
export function createMarks(post: Post) {
  if (!('highlights' in CSS)) return null
  const all = new Highlight()
  const active = new Highlight()
  CSS.highlights.set(NAME, all)
  CSS.highlights.set(ACTIVE_NAME, active)
  addStyles()
  let marks: readonly Mark[] = []
  let ranges = new Map<string, Range>()
  let search = 0

  async function locate(): Promise<void> {
    search += 1
    const own = search
    const found = new Map<string, Range>()
    const index = readTextIndex(document.documentElement)
    const pause = createSlices()
    for (const { id, ...passage } of marks) {
      const place = findPassage(index.text, condensePassage(passage))
      if (place !== null) found.set(id, index.rangeOf(place))
      if ((await pause()) && own !== search) return
    }
    const shownBefore = [...ranges.keys()].join()
    ranges = found
    all.clear()
    for (const range of found.values()) all.add(range)
    if ([...found.keys()].join() !== shownBefore) {
      post({ type: 'marks-shown', ids: [...found.keys()] })
    }
  }

  onContentChange(() => marks.length > 0 && void locate())
  onPlainClick(({ clientX, clientY }) => {
    const caret = document.caretPositionFromPoint?.(clientX, clientY)
    if (!caret) return
    const { offsetNode: node, offset } = caret
    const hit = [...ranges].find(([, range]) => range.isPointInRange(node, offset))
    if (hit !== undefined) post({ type: 'mark-click', id: hit[0] })
  })

  return {
    set(next: readonly Mark[]): void {
      marks = next
      void locate()
    },
    /** Scrolls to a marked passage and lights it up for a moment. */
    reveal(id: string): void {
      const range = ranges.get(id)
      if (range === undefined) return
      active.clear()
      active.add(range)
      setTimeout(() => active.delete(range), ACTIVE_MS)
      revealElement(range.startContainer.parentElement)
    },
  }
}

function addStyles(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
}
