import {
  type SearchEntry,
  type SearchResult,
  searchDocs,
  splitAtMatches,
} from '../../src/model/docs-search.ts'

const MAX_RESULTS = 8
const LIST_ID = 'search-results'

/** Shows results while the reader types: a combobox with a list of links. */
export function enhanceSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.search')
  const input = form?.querySelector('input')
  if (!form || !input) return
  const list = createList()
  form.append(list)
  setAttributes(input, {
    role: 'combobox',
    'aria-controls': LIST_ID,
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  })
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

function createList(): HTMLElement {
  const list = document.createElement('div')
  list.id = LIST_ID
  list.className = 'found'
  list.hidden = true
  setAttributes(list, { role: 'listbox', 'aria-label': 'Results' })
  return list
}

/** The list of results under the input. The focus stays in the input; the arrows choose. */
function createBox(input: HTMLInputElement, list: HTMLElement) {
  let chosen = -1

  function choose(at: number): void {
    chosen = at
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
    list.replaceChildren(
      ...(results.length > 0 ? results.map((each, at) => optionOf(each, at, query)) : [nothing()]),
    )
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
    const options = list.querySelectorAll<HTMLAnchorElement>('a')
    const option = options[chosen]
    if (event.key === 'Escape') {
      if (list.hidden) input.blur()
      close()
    } else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (options.length > 0) choose((chosen + step + options.length) % options.length)
    } else if (!list.hidden && event.key === 'Enter' && option !== undefined) {
      option.click()
    } else return
    event.preventDefault()
  }
  return { show, close, handleKey }
}

function optionOf({ entry, excerpt }: SearchResult, at: number, query: string): HTMLElement {
  const link = document.createElement('a')
  link.href = entry.url
  link.id = `${LIST_ID}-${at}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  const title = span('title', marked(entry.title, query))
  const where = span('where', [entry.page])
  link.append(title, where, span('excerpt', marked(excerpt, query)))
  return link
}

function nothing(): HTMLElement {
  const text = document.createElement('p')
  text.textContent = 'Nothing found. Try fewer words.'
  return text
}

function marked(text: string, query: string): (string | Node)[] {
  return splitAtMatches(text, query).map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function span(className: string, content: (string | Node)[]): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.append(...content)
  return element
}

function setAttributes(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}

export async function loadIndex(): Promise<SearchEntry[]> {
  const response = await fetch('/docs/search.json')
  return response.ok ? ((await response.json()) as SearchEntry[]) : []
}
