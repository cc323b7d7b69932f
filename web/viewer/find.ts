import type { EventBus } from 'pdfjs-dist/types/web/event_utils'
import { buttonById, elementById } from './dom.ts'

interface FindResult {
  matchesCount: { current: number; total: number }
  state?: number
}
const NOT_FOUND = 1
const PENDING = 3
const FIND_OPTIONS = {
  source: 'find',
  caseSensitive: false,
  entireWord: false,
  matchDiacritics: false,
  highlightAll: true,
}

/** Finds in all pages, rendered or not. A second Ctrl+F opens the browser's own find. */
export function bindFind(events: EventBus): void {
  const form = elementById('find', HTMLFormElement)
  const field = elementById('find-field', HTMLInputElement)
  const toggle = buttonById('find-button')

  const search = (type: '' | 'again', backwards = false) =>
    events.dispatch('find', { ...FIND_OPTIONS, type, query: field.value, findPrevious: backwards })
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
    elementById('container', HTMLElement).focus()
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
  buttonById('find-previous').addEventListener('click', () => search('again', true))
  buttonById('find-close').addEventListener('click', close)
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !form.hidden) close()
    const isFind = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'f'
    if (!isFind || document.activeElement === field) return
    event.preventDefault()
    open()
  })
  showCounts(events, field)
}

function showCounts(events: EventBus, field: HTMLInputElement): void {
  const output = elementById('find-count', HTMLElement)
  const show = ({ matchesCount: { current, total }, state }: FindResult) => {
    if (field.value === '') output.textContent = ''
    else if (total > 0) output.textContent = `${current} of ${total}`
    else if (state === NOT_FOUND) output.textContent = 'Not found'
    else if (state === PENDING) output.textContent = 'Searching'
  }
  events.on('updatefindmatchescount', show)
  events.on('updatefindcontrolstate', show)
}
