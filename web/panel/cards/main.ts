import { fill, h, icon } from '../../elements.ts'
import { stored } from '../../stored.ts'
import type { Places } from '../comments/pins.tsx'
import type { FramedPage } from '../framed-page.ts'
import { styleOf } from '../style.ts'
import styles from './cards.css' with { type: 'text' }
import { createColumn } from './column.ts'
import { framedTops, spotTops } from './tops.ts'

const CARDS_ICON = 'M2 3.5h5M2 8h5M2 12.5h5M9.5 2.5h4.5v4H9.5zM9.5 9.5h4.5v4H9.5z'
const LIST_ICON = 'M2 3.5h12M2 8h12M2 12.5h12'
/** How long after it was posted a comment is shown to its author. */
const POSTED_MS = 10_000

interface CardsOptions {
  /** Has the list of threads. */
  container: HTMLElement
  frame: FramedPage
  places: Places
  /** Whether the window has room for cards. */
  wide: MediaQueryList
}

/**
 * Shows threads as cards beside their passages, where the window is wide: a script of its own,
 * which narrow windows do not load. It works on what the panel has rendered.
 */
export function showCards({ container, frame, places, wide }: CardsOptions): void {
  const root = container.getRootNode() as ShadowRoot
  root.append(styleOf(styles))
  const choice = stored('localStorage', 'handbill:panel-cards')
  let isChosen = choice.read() !== 'list'
  let isScheduled = false
  let newPost: { byMs: number; last: string | undefined; hasPassage: boolean } | null = null

  const source = places.spots ? spotTops(places.spots, schedule) : framedTops(frame, schedule)
  const column = createColumn({ container, viewBox: source.box, reveal: places.reveal })
  const toggle = h('button', { type: 'button', class: 'tool', onclick: choose })
  root.querySelector('header .tool')!.before(toggle)

  function choose(): void {
    isChosen = !isChosen
    choice.write(isChosen ? null : 'list')
    arrange()
  }

  function arrange(): void {
    isScheduled = false
    const isShown = wide.matches && container.offsetWidth > 0
    source.follow(isShown)
    const tops = source.read()
    toggle.hidden = !isShown || tops.size === 0
    const label = isChosen ? 'Show as a list' : 'Show beside the page'
    if (toggle.ariaLabel !== label) {
      toggle.ariaLabel = label
      toggle.title = label
      fill(toggle, icon(isChosen ? LIST_ICON : CARDS_ICON))
    }
    const isBeside = isShown && isChosen
    const hadCards = container.hasAttribute('data-cards')
    column.show(isBeside ? tops : new Map())
    if (!isBeside) return
    showFocused(tops, hadCards)
    showPosted(tops)
  }

  function schedule(): void {
    if (!isScheduled) requestAnimationFrame(arrange)
    isScheduled = true
  }

  /** A link to a thread gives it the focus, before there are cards. */
  function showFocused(tops: ReadonlyMap<string, number>, hadCards: boolean): void {
    const item = root.activeElement?.closest<HTMLElement>('[data-thread]')
    const id = item?.dataset.thread
    if (!item || id === undefined) return
    column.activate(id)
    if (!hadCards && !tops.has(id)) item.scrollIntoView({ block: 'nearest' })
  }

  const newest = () => container.querySelector<HTMLElement>('.threads > :last-child')

  /** Brings what the visitor has just posted into view, once it is in the list. */
  function showPosted(tops: ReadonlyMap<string, number>): void {
    const item = newest()
    const id = item?.dataset.thread
    if (newPost === null || !item || !id || id === newPost.last) return
    if (newPost.hasPassage && !tops.has(id) && performance.now() < newPost.byMs) return
    newPost = null
    column.activate(id)
    if (!tops.has(id)) item.scrollIntoView({ block: 'nearest' })
  }

  function activate({ target }: Event): void {
    const id = (target as Element).closest<HTMLElement>('[data-thread]')?.dataset.thread
    if (id !== undefined) column.activate(id)
  }
  container.addEventListener('focusin', activate)
  container.addEventListener('click', activate)
  container.addEventListener('submit', ({ target }) => {
    const form = target as Element
    if (form.closest('.write') === null) return
    newPost = {
      byMs: performance.now() + POSTED_MS,
      last: newest()?.dataset.thread,
      hasPassage: form.querySelector('.about') !== null,
    }
  })

  // What changes the height of a card, or of the column.
  container.addEventListener('input', schedule)
  wide.addEventListener('change', schedule)
  document.fonts.addEventListener('loadingdone', schedule)
  const sizes = new ResizeObserver(schedule)
  for (const element of [container, ...container.querySelectorAll('.letters')]) {
    sizes.observe(element)
  }
  new MutationObserver(schedule).observe(container, {
    childList: true,
    subtree: true,
    attributeFilter: ['open'],
  })
  arrange()
}
