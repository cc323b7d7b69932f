import type { PDFDocumentProxy } from 'pdfjs-dist'
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
    if (matchMedia('(max-width: 900px)').matches) setOpen(false)
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
  const list = document.createElement('ul')
  for (const entry of entries) {
    const item = document.createElement('li')
    item.append(entry.url ? linkOf(entry, entry.url) : buttonOf(entry, choose))
    if (entry.items?.length) item.append(listOf(entry.items as Entry[], choose))
    list.append(item)
  }
  return list
}

function buttonOf(entry: Entry, choose: (entry: Entry) => void): HTMLButtonElement {
  const control = document.createElement('button')
  control.type = 'button'
  control.textContent = entry.title
  control.addEventListener('click', () => choose(entry))
  return control
}

/** pdf.js allows only web and mail addresses here. */
function linkOf(entry: Entry, url: string): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
  link.textContent = entry.title
  return link
}
