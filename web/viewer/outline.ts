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
  const items = entries.map((entry) => {
    const { title, url, items: below = [] } = entry
    // pdf.js allows only web and mail addresses here.
    const label = url
      ? h('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, title)
      : h('button', { type: 'button', onclick: () => choose(entry) }, title)
    return h('li', {}, label, below.length > 0 && listOf(below as Entry[], choose))
  })
  return h('ul', {}, ...items)
}
