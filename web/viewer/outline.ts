import type { PDFDocumentProxy } from 'pdfjs-dist'
import { h } from '../elements.ts'
import { buttonById, elementById } from './dom.ts'

type Entry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** Shows the PDF's table of contents, where it has one. */
export async function bindOutline(
  pdf: PDFDocumentProxy,
  goTo: (destination: NonNullable<Entry['dest']>) => void,
): Promise<void> {
  const entries = (await pdf.getOutline()) as Entry[] | null
  if (!entries?.length) return
  const panel = elementById('outline', HTMLElement)
  const toggle = buttonById('outline-button')
  const setOpen = (isOpen: boolean) => {
    panel.hidden = !isOpen
    toggle.ariaExpanded = String(isOpen)
    if (isOpen) panel.querySelector('button')?.focus()
  }
  const choose = (entry: Entry) => {
    if (entry.dest === null) return
    goTo(entry.dest)
    if (matchMedia('(max-width: 56.25rem)').matches) setOpen(false)
  }
  panel.append(listOf(entries, choose))
  toggle.hidden = false
  toggle.addEventListener('click', () => setOpen(panel.hidden !== false))
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return
    setOpen(false)
    toggle.focus()
  })
}

function listOf(entries: Entry[], choose: (entry: Entry) => void): HTMLUListElement {
  const items = entries.map((entry) =>
    h(
      'li',
      {},
      entry.url ? linkOf(entry, entry.url) : buttonOf(entry, choose),
      entry.items?.length ? listOf(entry.items as Entry[], choose) : null,
    ),
  )
  return h('ul', {}, ...items)
}

function buttonOf(entry: Entry, choose: (entry: Entry) => void): HTMLButtonElement {
  return h('button', { type: 'button', onclick: () => choose(entry) }, entry.title)
}

/** pdf.js allows only web and mail addresses here. */
function linkOf(entry: Entry, url: string): HTMLAnchorElement {
  const attributes = { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }
  return h('a', attributes, entry.title)
}
