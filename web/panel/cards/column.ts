import { clamp } from '../../geometry.ts'
import { arrange, type Card } from './layout.ts'

const GAP_PX = 12
/** How long the page may take to scroll to the passage of a card that became active. */
const REVEAL_MS = 800
/** As `--motion`. */
const SLIDE_MS = 180

interface ColumnOptions {
  /** Has the list of threads, whose items are the cards. */
  container: HTMLElement
  /** The part of the window in which passages are seen. */
  viewBox(): { top: number; bottom: number }
  /** Scrolls to a passage that is out of sight. */
  reveal(threadId: string): void
}

/**
 * Arranges the items of a list as cards beside their passages. They scroll with the page, and the
 * visitor may scroll them by themselves. Items without a passage stay a list, below the cards.
 */
export function createColumn({ container, viewBox, reveal }: ColumnOptions) {
  let tops: ReadonlyMap<string, number> = new Map()
  let active: string | null = null
  let pivot: string | null = null
  let heldUntilMs = 0
  /** The top of the first card that the column was scrolled for; NaN: it is to be scrolled. */
  let lastFirst = Number.NaN
  let lastHeight = 0

  const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-thread]')]
  const idOf = (item: HTMLElement) => item.dataset.thread!

  function isSeen(threadId: string | null, { top: from, bottom: to } = viewBox()): boolean {
    const top = tops.get(threadId!) ?? Number.NaN
    return top >= from && top < to
  }

  /** What the list's items want, as far as there is space for those whose passages are seen. */
  function cardsOf(items: readonly HTMLElement[], column: DOMRect): Card[] {
    const box = viewBox()
    return items.map((item) => {
      const id = idOf(item)
      const height = item.offsetHeight
      const top = tops.get(id)! - column.top
      if (!isSeen(id, box)) return { id, wanted: top, height }
      const most = id === active ? column.height - height : top
      return { id, wanted: clamp(top, 0, most), height }
    })
  }

  function place(list: HTMLElement, items: readonly HTMLElement[]): void {
    const column = list.getBoundingClientRect()
    const cards = items.filter((item) => tops.has(idOf(item)))
    const others = items.filter((item) => !tops.has(idOf(item)))
    const isHeld = performance.now() < heldUntilMs && !isSeen(active)
    const inColumn = cardsOf(cards, column)
    // Of what is read, the first passage has its card beside it: those above it make way.
    const isPivot = ({ id }: Card) => (isHeld || isSeen(active) ? id === active : isSeen(id))
    pivot = inColumn.toSorted((a, b) => a.wanted - b.wanted).find(isPivot)?.id ?? pivot
    const arrangement = arrange(inColumn, { active: pivot, gap: GAP_PX })
    const [first = 0] = arrangement.values()
    // The first card can be at the lower end of the column, and the last one at its upper end.
    const topOf = (item: HTMLElement) => arrangement.get(idOf(item))! - first + column.height
    for (const item of cards) item.style.top = `${topOf(item)}px`
    const last = Math.max(...cards.map(topOf))
    const end = Math.max(...cards.map((item) => topOf(item) + item.offsetHeight)) + GAP_PX
    const rest = others.reduce((sum, item) => sum + item.offsetHeight, 0)
    list.style.setProperty('--above', `${end}px`)
    list.style.setProperty('--below', `${Math.max(0, last + column.height - end - rest)}px`)

    // Where the page has not moved, the visitor may have scrolled the column.
    if (isHeld || first === lastFirst) list.scrollTop += column.height - lastHeight
    else list.scrollTop = column.height - first
    if (!isHeld) lastFirst = first
    lastHeight = column.height
  }

  /** @param next the tops of passages in the window; none: all is a list */
  function show(next: ReadonlyMap<string, number>): void {
    tops = next
    const list = container.querySelector<HTMLElement>('.threads')
    if (list === null) return
    const items = itemsOf(list)
    for (const item of items) {
      item.toggleAttribute('data-card', tops.has(idOf(item)))
      item.toggleAttribute('data-active', idOf(item) === active)
    }
    const hasCards = items.some((item) => tops.has(idOf(item)))
    container.toggleAttribute('data-cards', hasCards)
    if (hasCards) place(list, items)
    else lastFirst = Number.NaN
  }

  return {
    show,
    /** Puts a card beside its passage, and the page where that is seen. */
    activate(threadId: string): void {
      if (threadId === active || !tops.has(threadId)) return
      active = threadId
      lastFirst = Number.NaN
      container.toggleAttribute('data-sliding', true)
      setTimeout(() => container.toggleAttribute('data-sliding', false), SLIDE_MS)
      if (!isSeen(threadId)) {
        heldUntilMs = performance.now() + REVEAL_MS
        setTimeout(() => show(tops), REVEAL_MS)
        reveal(threadId)
      }
      show(tops)
    },
  }
}
