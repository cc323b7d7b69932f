import type { Mark, SelectedPassage } from '../../shell/frame-message.ts'
import { h } from '../elements.ts'
import type { TabContext } from '../tab.ts'
import type { Places, PlacesOptions } from './model.ts'
import type { Thread } from './thread-state.ts'

const MAX_MARKS = 1000
const GAP_PX = 8

/** Passages of the framed page: offers to comment on a selected one, marks those with threads. */
export function createPassages(context: TabContext, options: PlacesOptions): Places {
  const { frame } = context
  let selection: SelectedPassage | null = null
  let all: readonly Thread[] = []
  let marks: Mark[] = []
  let sent = ''
  let shown = new Set<string>()
  const button = h(
    'button',
    { type: 'button', class: 'button comment-on', hidden: true, onclick: comment },
    'Comment on this',
  )
  context.showOverPage(button)

  function comment(): void {
    if (selection === null) return
    const { quote, prefix, suffix } = selection
    select(null)
    context.open()
    options.onComment({ quote, prefix, suffix, element: null })
  }

  function select(next: SelectedPassage | null): void {
    selection = next
    const box = frame.box()
    button.hidden = next === null || box === null
    if (next === null || box === null) return
    const { offsetHeight: height, offsetWidth: width } = button
    const middle = box.left + (next.left + next.right) / 2 - width / 2
    const below = box.top + next.bottom + GAP_PX
    const above = box.top + next.top - height - GAP_PX
    const isBelow = below + height <= box.bottom - GAP_PX
    const top = isBelow ? below : Math.max(box.top + GAP_PX, above)
    button.style.left = `${clamp(middle, box.left + GAP_PX, box.right - width - GAP_PX)}px`
    button.style.top = `${clamp(top, box.top + GAP_PX, box.bottom - height - GAP_PX)}px`
  }

  function send(isForced: boolean): void {
    const next = JSON.stringify(marks)
    if (next === sent && !isForced) return
    sent = next
    frame.post({ type: 'marks', marks })
  }

  function markShownFile(): void {
    marks = all
      .filter((thread) => thread.state === 'open' && thread.path === frame.path())
      .flatMap(markOf)
      .slice(-MAX_MARKS)
  }

  frame.onMove(() => {
    select(null)
    shown = new Set()
    markShownFile()
    options.onMarksShown()
  })
  frame.onMessage((message) => {
    switch (message.type) {
      case 'selection':
        return select(message.selection)
      case 'ready-for-marks':
        return send(true)
      case 'marks-shown':
        shown = new Set(message.ids)
        return options.onMarksShown()
      case 'mark-click':
        if (!marks.some(({ id }) => id === message.id)) return
        context.open()
        options.onMark(message.id)
    }
  })

  return {
    pick: null,
    /** Marks the passages in the file that is shown. */
    mark(threads) {
      all = threads
      markShownFile()
      send(false)
    },
    isMarked: (threadId) => shown.has(threadId),
    reveal: (threadId) => frame.post({ type: 'reveal', id: threadId }),
  }
}
function markOf({ id, anchor, anchor_state: state }: Thread): Mark[] {
  if (anchor?.quote === undefined || state === 'outdated') return []
  return [{ id, quote: anchor.quote, prefix: anchor.prefix ?? '', suffix: anchor.suffix ?? '' }]
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}
