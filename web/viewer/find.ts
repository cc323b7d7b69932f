import type { EventBus } from 'pdfjs-dist/types/web/event_utils'
import { button, part } from './dom.ts'

interface Counted {
  matchesCount: { current: number; total: number }
  state?: number
}
const NOT_FOUND = 1
const PENDING = 3
const LENIENT = {
  source: 'find',
  caseSensitive: false,
  entireWord: false,
  matchDiacritics: false,
  highlightAll: true,
}

/** Find in all pages, rendered or not. The browser's own is a second Ctrl+F away. */
export function bindFind(events: EventBus): void {
  const form = part('find', HTMLFormElement)
  const field = part('find-field', HTMLInputElement)
  const toggle = button('find-button')

  const search = (type: '' | 'again', backwards = false) =>
    events.dispatch('find', { ...LENIENT, type, query: field.value, findPrevious: backwards })
  const open = () => {
    form.hidden = false
    toggle.ariaExpanded = 'true'
    field.focus()
    field.select()
  }
  const close = () => {
    form.hidden = true
    toggle.ariaExpanded = 'false'
    events.dispatch('findbarclose', { source: form })
    part('container', HTMLElement).focus()
  }

  toggle.hidden = false
  toggle.addEventListener('click', () => (form.hidden ? open() : close()))
  field.addEventListener('input', () => search(''))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    search('again')
  })
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    search('again', true)
  })
  button('find-previous').addEventListener('click', () => search('again', true))
  button('find-close').addEventListener('click', close)
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !form.hidden) close()
    const asks = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'f'
    if (!asks || document.activeElement === field) return
    event.preventDefault()
    open()
  })
  showCounts(events, field)
}

function showCounts(events: EventBus, field: HTMLInputElement): void {
  const shown = part('find-count', HTMLElement)
  const show = ({ matchesCount: { current, total }, state }: Counted) => {
    if (field.value === '') shown.textContent = ''
    else if (total > 0) shown.textContent = `${current} of ${total}`
    else if (state === NOT_FOUND) shown.textContent = 'Not found'
    else if (state === PENDING) shown.textContent = 'Searching'
  }
  events.on('updatefindmatchescount', show)
  events.on('updatefindcontrolstate', show)
}
