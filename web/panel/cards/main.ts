import { fill, h, icon } from '../../elements.ts'
import { stored } from '../../stored.ts'
import { styleOf } from '../style.ts'
import type { FramedPage } from '../tab.ts'
import styles from './cards.css' with { type: 'text' }
import { createColumn } from './column.ts'

const CARDS_ICON = 'M2 3.5h5M2 8h5M2 12.5h5M9.5 2.5h4.5v4H9.5zM9.5 9.5h4.5v4H9.5z'
const LIST_ICON = 'M2 3.5h12M2 8h12M2 12.5h12'
/** How long after it was posted a comment is shown to its author. */
const POSTED_MS = 10_000

/**
 * Shows threads as cards beside their passages, where the window is wide: a script of its own,
 * which narrow windows do not load. It works on what the panel has rendered.
 */
export function showCards(container: HTMLElement, frame: FramedPage, wide: MediaQueryList): void {
  const root = container.getRootNode() as ShadowRoot
  root.append(styleOf(styles))
  const chosen = stored('localStorage', 'handbill:panel-cards')
  let isChosen = chosen.read() !== 'list'
  let isFollowing = false
  let isScheduled = false
  let path = frame.path()
  let passages = new Map<string, number>()
  let spots = new Map<string, number>()
  let posted: { byMs: number; last: string | undefined; hasPassage: boolean } | null = null

  const column = createColumn({
    container,
    viewBox: () => frame.box()!,
    reveal: (id) => frame.post({ type: 'reveal', id }),
  })
  const toggle = h('button', { type: 'button', class: 'tool', onclick: choose })
  root.querySelector('header .tool')!.before(toggle)

  function choose(): void {
    isChosen = !isChosen
    chosen.write(isChosen ? null : 'list')
    arrange()
  }

  function follow(isOn: boolean): void {
    isFollowing = isOn
    frame.post({ type: 'follow-marks', is_on: isOn })
  }

  function arrange(): void {
    isScheduled = false
    const isShown = wide.matches && container.offsetWidth > 0
    if (isShown !== isFollowing) follow(isShown)
    const { top } = frame.box()!
    const tops = new Map([...spots, ...passages].map(([id, at]) => [id, top + at]))
    toggle.hidden = !isShown || tops.size === 0
    const label = isChosen ? 'Show as a list' : 'Show beside the page'
    if (toggle.ariaLabel !== label) {
      toggle.ariaLabel = label
      toggle.title = label
      fill(toggle, icon(isChosen ? LIST_ICON : CARDS_ICON))
    }
    const isBeside = isShown && isChosen
    column.show(isBeside ? tops : new Map())
    if (isBeside) showPosted(tops)
  }

  function schedule(): void {
    if (!isScheduled) requestAnimationFrame(arrange)
    isScheduled = true
  }

  const newest = () => container.querySelector<HTMLElement>('.threads > :last-child')

  /** Brings what the visitor has just posted into view, once it is in the list. */
  function showPosted(tops: ReadonlyMap<string, number>): void {
    const item = newest()
    const id = item?.dataset.thread
    if (posted === null || !item || !id || id === posted.last) return
    if (posted.hasPassage && !tops.has(id) && performance.now() < posted.byMs) return
    posted = null
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
    posted = {
      byMs: performance.now() + POSTED_MS,
      last: newest()?.dataset.thread,
      hasPassage: form.querySelector('.about') !== null,
    }
  })

  frame.onMessage((message) => {
    switch (message.type) {
      // Another document, which is to be asked again.
      case 'ready-for-marks':
        passages = new Map()
        spots = new Map()
        if (isFollowing) follow(true)
        break
      case 'marks-moved':
        passages = new Map(message.marks.map(({ id, top }) => [id, top]))
        break
      case 'marks-placed':
        spots = new Map(message.spots.map(({ id, top }) => [id, top]))
        break
      default:
        return
    }
    schedule()
  })
  frame.onMove(() => {
    if (path === frame.path()) return
    path = frame.path()
    passages = new Map()
    spots = new Map()
    schedule()
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
