import type { PDFDocumentProxy } from 'pdfjs-dist'
import { elementById } from './dom.ts'
import { hideMessage, showMessage } from './message.ts'

const DOTS_PER_INCH = 150
const POINTS_PER_INCH = 72
/** pdf.js: AnnotationMode.ENABLE_STORAGE, which includes text typed into form fields. */
const ANNOTATIONS_WITH_FIELDS = 3

/** Renders every page as an image for printing: on screen only the visible ones are rendered. */
export function bindPrint(pdf: PDFDocumentProxy): void {
  const control = document.getElementById('print-button')
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'p' || event.shiftKey) return
    event.preventDefault()
    control?.click()
  })
  // A view-only page has no such button.
  if (control === null) return
  control.hidden = false
  const target = elementById('print', HTMLElement)
  control.addEventListener('click', async () => {
    const cancel = new AbortController()
    try {
      await renderAll(pdf, target, cancel)
      hideMessage()
      if (!cancel.signal.aborted) window.print()
    } finally {
      hideMessage()
      for (const image of target.querySelectorAll('img')) URL.revokeObjectURL(image.src)
      target.replaceChildren()
    }
  })
}

async function renderAll(pdf: PDFDocumentProxy, target: HTMLElement, cancel: AbortController) {
  const canvas = document.createElement('canvas')
  const setText = showMessage({
    title: 'Preparing to print',
    text: '',
    action: { label: 'Cancel', run: () => cancel.abort() },
  })
  for (let number = 1; number <= pdf.numPages; number += 1) {
    if (cancel.signal.aborted) return
    setText(`Page ${number} of ${pdf.numPages}`)
    const { blob, size } = await renderPage(pdf, number, canvas)
    if (number === 1) setPaperSize(size)
    const image = new Image()
    image.src = URL.createObjectURL(blob)
    await image.decode()
    target.append(image)
  }
  canvas.width = 0
}

async function renderPage(pdf: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement) {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale: DOTS_PER_INCH / POINTS_PER_INCH })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  await page.render({
    canvas,
    viewport,
    intent: 'print',
    annotationMode: ANNOTATIONS_WITH_FIELDS,
    background: 'white',
  }).promise
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done))
  if (blob === null) throw new Error('the page could not be drawn for printing')
  const size: [number, number] = [viewport.width / DOTS_PER_INCH, viewport.height / DOTS_PER_INCH]
  return { blob, size }
}

const paperStyles = new CSSStyleSheet()

/** All pages print at the size of the first, as in other viewers. */
function setPaperSize([width, height]: [number, number]): void {
  paperStyles.replaceSync(`@page { size: ${width}in ${height}in; margin: 0 }`)
  document.adoptedStyleSheets = [paperStyles]
}
