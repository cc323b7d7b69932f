import { copyText } from '../copy-text.ts'
import { h } from '../elements.ts'
import { stored } from '../stored.ts'
import { enhanceSearch } from './search.ts'

/** The language of the examples that was chosen last. */
const language = stored('localStorage', 'handbill-docs-language')
const COPIED_MS = 1600
/** From the top of the window: a section that starts above it is being read. */
const READING_LINE = 180

/** The script of the documentation. Without it, everything can be read, and the search works. */
rememberLanguage()
addCopyButtons()
enhanceSearch()
closeMenuAfterUse()
followReading()

/** Shows all examples in the language that was chosen for one of them, on later pages too. */
function rememberLanguage(): void {
  const remembered = language.read()
  if (remembered !== null) choose(remembered)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.name.startsWith('language-')) return
    // The other examples change their height, which must not move this one.
    const before = target.getBoundingClientRect().top
    choose(target.value)
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    language.write(target.value)
  })
}

/** An example without this language keeps the one that it shows. */
function choose(name: string): void {
  const inputs = document.querySelectorAll<HTMLInputElement>('input[name^="language-"]')
  for (const input of inputs) if (input.value === name) input.checked = true
}

/** Adds a button to each example that copies it, in the language that is shown. */
function addCopyButtons(): void {
  const status = h('p', { class: 'status', role: 'status' })
  document.body.append(status)
  for (const figure of document.querySelectorAll('figure.code')) {
    figure.querySelector('figcaption')?.append(copyButton(figure, status))
  }
}

function copyButton(figure: Element, status: Element): HTMLButtonElement {
  const attributes = { type: 'button', class: 'copy', 'aria-label': 'Copy the example' }
  const button = h('button', { ...attributes, onclick: copyExample }, 'Copy')
  async function copyExample(): Promise<void> {
    const code = visibleCode(figure)
    if (code === undefined) return
    const isCopied = await copyText(code.textContent ?? '').then(
      () => true,
      () => getSelection()?.selectAllChildren(code),
    )
    button.textContent = isCopied ? 'Copied' : 'Selected'
    status.textContent = isCopied ? 'Copied' : 'Selected: copy it with the keyboard'
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, COPIED_MS)
  }
  return button
}

function visibleCode(figure: Element): Element | undefined {
  const all = [...figure.querySelectorAll('pre')]
  return all.find((each) => each.getClientRects().length > 0)?.querySelector('code') ?? undefined
}

/** Closes the menu of a phone when a link in it leads to a section of the same page. */
function closeMenuAfterUse(): void {
  const menu = document.querySelector<HTMLDetailsElement>('details.menu')
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) menu.open = false
  })
  document.addEventListener('click', ({ target }) => {
    if (menu?.open && !menu.contains(target as Node)) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && menu?.open) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

/** Marks the section that is being read in the contents of the page. */
function followReading(): void {
  const links = new Map<string, Element[]>()
  for (const link of document.querySelectorAll('nav a[href^="#"]')) {
    const id = link.getAttribute('href')!.slice(1)
    links.set(id, [...(links.get(id) ?? []), link])
  }
  const sections = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  if (sections.length === 0) return
  let activeId = ''

  function mark(): void {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const current =
      isAtEnd && scrollY > 0
        ? sections.at(-1)
        : sections.findLast((each) => each.getBoundingClientRect().top < READING_LINE)
    const id = current?.id ?? ''
    if (id === activeId) return
    for (const link of links.get(activeId) ?? []) link.removeAttribute('aria-current')
    for (const link of links.get(id) ?? []) link.setAttribute('aria-current', 'true')
    activeId = id
  }
  // Browsers send one event for each frame.
  addEventListener('scroll', mark, { passive: true })
  mark()
}
