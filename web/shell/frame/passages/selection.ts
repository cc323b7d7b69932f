import { MAX_CONTEXT_CHARS, MAX_QUOTE_CHARS, type Place } from '../../../../src/model/passage.ts'
import type { Post } from '../connection.ts'
import { readTextIndex, type TextIndex } from './text-index.ts'

/** A selection that still changes is not reported. */
const SETTLE_MS = 120

/** Reports to the shell which passage is selected, and where it is on the screen. */
export function reportSelection(post: Post): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReported = false
  const report = () => {
    const range = selectedRange()
    const passage = range && passageOf(range)
    if (passage !== null) post({ type: 'selection', selection: passage })
    else if (isReported) post({ type: 'selection', selection: null })
    isReported = passage !== null
  }
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(report, SETTLE_MS)
  }
  const leave = () => {
    clearTimeout(timer)
    if (isReported) post({ type: 'selection', selection: null })
    isReported = false
  }
  document.addEventListener('selectionchange', schedule)
  // A press may leave the selection as it is, such as one on a button. A touch may be a scroll.
  const press = ({ button, pointerType }: PointerEvent) =>
    button === 0 && pointerType !== 'touch' && leave()
  window.addEventListener('pointerdown', press, true)
  onEscape(leave)
  // The place on the screen changes as well.
  const move = () => isReported && schedule()
  window.addEventListener('scroll', move, { passive: true, capture: true })
  window.addEventListener('resize', move)
}

export function onEscape(listener: () => void): void {
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && listener(), true)
}

function selectedRange(): Range | null {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  return selection.getRangeAt(0)
}

/** The words of a range and those around them; null where there are none, or too many. */
export function passageOf(range: Range) {
  const index = readTextIndex(document.documentElement)
  const place = index.placeOf(range)
  if (place === null) return null
  const quote = index.written(place)
  if (quote === '' || quote.length > MAX_QUOTE_CHARS) return null
  const { top, left, bottom, right } = range.getBoundingClientRect()
  return { quote, ...contextOf(index, place), top, left, bottom, right }
}

function contextOf(index: TextIndex, { start, end }: Place) {
  const before = { start: Math.max(0, start - MAX_CONTEXT_CHARS / 2), end: start }
  const after = { start: end, end: Math.min(index.text.length, end + MAX_CONTEXT_CHARS / 2) }
  return { prefix: index.written(before), suffix: index.written(after) }
}
