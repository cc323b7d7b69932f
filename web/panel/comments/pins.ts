import { AUTHOR_MARKS } from '../../authors.ts'
import { h } from '../elements.ts'
import type { TabContext } from '../tab.ts'
import type { PlacesOptions } from './model.ts'
import type { Thread } from './thread-state.ts'

const REVEAL_MS = 1600

export type Pins = ReturnType<typeof createPins>

/** Buttons over the page at the spots that have threads. */
export function createPins(context: TabContext, { onMark }: Pick<PlacesOptions, 'onMark'>) {
  const layer = h('div', { class: 'pins' })
  context.showOverPage(layer)
  let pins = new Map<string, HTMLButtonElement>()

  function pinOf({ id, author }: Thread, index: number): HTMLButtonElement {
    const onclick = () => {
      context.open()
      onMark(id)
    }
    const { text: mark } = AUTHOR_MARKS[author?.kind ?? 'owner']
    const label = `Comment ${index + 1} by ${author?.name ?? 'the owner'}, ${mark.toLowerCase()}`
    const attributes = { type: 'button', class: 'pin', 'aria-label': label, hidden: true, onclick }
    return h('button', attributes, index + 1)
  }

  return {
    /** Makes pins of these threads, instead of those before. They are hidden until placed. */
    set(threads: readonly Thread[]): void {
      pins = new Map(threads.map((thread, index) => [thread.id, pinOf(thread, index)]))
      layer.replaceChildren(...pins.values())
    },
    /** Moves a pin to a point of the window; null hides it. */
    place(threadId: string, point: { left: number; top: number } | null): void {
      const pin = pins.get(threadId)
      if (pin === undefined) return
      pin.hidden = point === null
      if (point === null) return
      pin.style.left = `${point.left}px`
      pin.style.top = `${point.top}px`
    },
    has: (threadId: string): boolean => pins.has(threadId),
    /** Stresses a pin for a moment. */
    flash(threadId: string): void {
      const pin = pins.get(threadId)
      pin?.toggleAttribute('data-active', true)
      setTimeout(() => pin?.toggleAttribute('data-active', false), REVEAL_MS)
    },
  }
}
