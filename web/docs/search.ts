import {
  type SearchEntry,
  type SearchResult,
  searchDocs,
  splitAtMatches,
} from '../../src/model/docs-search.ts'
import { type Child, fill, h } from '../elements.ts'

const MAX_RESULTS = 8
const LIST_ID = 'search-results'

/** Shows results while the reader types: a combobox with a list of links. */
export function enhanceSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.search')
  const input = form?.querySelector('input')
  if (!form || !input) return
  const attributes = { id: LIST_ID, class: 'found', hidden: true }
  const list = h('div', { ...attributes, role: 'listbox', 'aria-label': 'Results' })
  form.append(list)
  input.role = 'combobox'
  input.setAttribute('aria-controls', LIST_ID)
  input.ariaExpanded = 'false'
  input.ariaAutoComplete = 'list'
  const box = createBox(input, list)
  let index: Promise<SearchEntry[]> | undefined

  async function search(): Promise<void> {
    const query = input!.value
    index ??= loadIndex()
    const entries = await index
    if (query === input!.value) box.show(searchDocs(entries, query, MAX_RESULTS), query)
  }
  input.addEventListener('focus', () => {
    index ??= loadIndex()
  })
  input.addEventListener('input', () => void search())
  input.addEventListener('keydown', (event) => box.handleKey(event))
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) box.close()
  })
  list.addEventListener('click', () => box.close())
  addShortcut(input)
}

function addShortcut(input: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isTyping = target instanceof HTMLElement && target.matches('input:not([type=radio])')
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping
    if (!isSlash && !(key.toLowerCase() === 'k' && (ctrlKey || metaKey))) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** The list of results under the input. The focus stays in the input; the arrows choose. */
function createBox(input: HTMLInputElement, list: HTMLElement) {
  let current = -1

  function choose(at: number): void {
    current = at
    const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
    for (const [index, option] of options.entries()) {
      option.setAttribute('aria-selected', String(index === at))
    }
    const option = options[at]
    if (option) option.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }
  function show(results: readonly SearchResult[], query: string): void {
    const isEmpty = query.trim() === ''
    const options = results.map((each, at) => optionOf(each, at, query))
    if (options.length === 0) options.push(h('p', {}, 'Nothing found. Try fewer words.'))
    fill(list, ...options)
    list.hidden = isEmpty
    input.setAttribute('aria-expanded', String(!isEmpty))
    choose(results.length > 0 ? 0 : -1)
  }
  function close(): void {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    choose(-1)
  }
  function handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const options = list.querySelectorAll<HTMLAnchorElement>('a')
    const option = options[current]
    if (event.key === 'Escape') {
      if (list.hidden) input.blur()
      close()
    } else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (options.length > 0) choose((current + step + options.length) % options.length)
    } else if (!list.hidden && event.key === 'Enter' && option !== undefined) {
      option.click()
    } else return
    event.preventDefault()
  }
  return { show, close, handleKey }
}

function optionOf({ entry, excerpt }: SearchResult, at: number, query: string): HTMLElement {
  const attributes = { href: entry.url, id: `${LIST_ID}-${at}`, tabindex: -1, role: 'option' }
  return h(
    'a',
    attributes,
    h('span', { class: 'title' }, ...withMarks(entry.title, query)),
    h('span', { class: 'where' }, entry.page),
    h('span', { class: 'excerpt' }, ...withMarks(excerpt, query)),
  )
}

function withMarks(text: string, query: string): Child[] {
  return splitAtMatches(text, query).map((part, at) => (at % 2 === 0 ? part : h('mark', {}, part)))
}

async function loadIndex(): Promise<SearchEntry[]> {
  const response = await fetch('/docs/search.json')
  return response.ok ? ((await response.json()) as SearchEntry[]) : []
}
