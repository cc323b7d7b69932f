import type { Box } from '../../shell/marks.ts'
import { h } from '../elements.ts'
import type { TabContext } from '../tab.ts'

const GAP_PX = 8

/** The button that offers to comment on what the visitor selected in the framed page. */
export function createOffer(context: TabContext, onPress: () => void) {
  const button = h(
    'button',
    { type: 'button', class: 'button comment-on', hidden: true, onclick: onPress },
    'Comment on this',
  )
  context.showOverPage(button)

  return {
    /** Shows it below this part of the frame, or above where there is no space; null hides it. */
    show(part: Box | null): void {
      const box = context.frame.box()
      button.hidden = part === null || box === null
      if (part === null || box === null) return
      const { offsetHeight: height, offsetWidth: width } = button
      const middle = box.left + (part.left + part.right) / 2 - width / 2
      const below = box.top + part.bottom + GAP_PX
      const above = box.top + part.top - height - GAP_PX
      const isBelow = below + height <= box.bottom - GAP_PX
      const top = isBelow ? below : Math.max(box.top + GAP_PX, above)
      button.style.left = `${clamp(middle, box.left + GAP_PX, box.right - width - GAP_PX)}px`
      button.style.top = `${clamp(top, box.top + GAP_PX, box.bottom - height - GAP_PX)}px`
    },
  }
}

export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}
