import type { AnchorNow } from '../../src/model/comment.ts'
import type { AnchorElement } from '../../src/model/passage.ts'
import type { Mark, SpotMark } from '../shell/frame-message.ts'

interface Anchored {
  id: string
  anchor: {
    quote?: string | undefined
    prefix?: string | undefined
    suffix?: string | undefined
    x?: number | undefined
    y?: number | undefined
    element: AnchorElement | null
  } | null
  anchor_state: string | null
  anchor_now: AnchorNow | null
}

/**
 * The passage that a thread is about, as the framed page marks it; none where it has changed. Words
 * that have no place in the stored text, such as a script's, may stand once in what is shown.
 */
export function passageMarks({ id, anchor, anchor_now: now }: Anchored): Mark[] {
  if (anchor?.quote === undefined || (now !== null && now.reason !== 'unplaced')) return []
  return [{ id, quote: anchor.quote, prefix: anchor.prefix ?? '', suffix: anchor.suffix ?? '' }]
}

/** The spot that a thread is about. In a changed file, its element may be another one. */
export function spotMarks({ id, anchor, anchor_state: state }: Anchored): SpotMark[] {
  const { x, y, element } = anchor ?? {}
  if (state !== 'exact' || x === undefined || y === undefined || !element) return []
  return [{ id, x, y, element }]
}
