import type { PDFDocumentProxy } from 'pdfjs-dist'
import { button, part } from './dom.ts'
import { hideMessage, showMessage } from './message.ts'

const DOTS_PER_INCH = 150
const POINTS_PER_INCH = 72
/** pdf.js: AnnotationMode.ENABLE_STORAGE, what was typed into the form's fields included. */
const WITH_FIELDS = 3

/** Only the sheets in sight are drawn on the screen, so for printing each is drawn once more. */
export function bindPrint(documentProxy: PDFDocumentProxy): void {
  const toggle = document.getElementById('print-button')
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'p' || event.shiftKey) return
    event.preventDefault()
    toggle?.click()
  })
  if (toggle === null) return
  toggle.hidden = false
  button('print-button').addEventListener('click', async () => {
    const cancel = new AbortController()
    try {
      await drawAll(documentProxy, cancel)
      hideMessage()
      if (!cancel.signal.aborted) window.print()
    } finally {
      hideMessage()
      clear()
    }
  })
}

async function drawAll(documentProxy: PDFDocumentProxy, cancel: AbortController): Promise<void> {
  const target = part('print', HTMLElement)
  const canvas = document.createElement('canvas')
  const say = showMessage({
    title: 'Preparing to print',
    text: '',
    action: { label: 'Cancel', run: () => cancel.abort() },
  })
  for (let number = 1; number <= documentProxy.numPages; number += 1) {
    if (cancel.signal.aborted) return
    say(`Page ${number} of ${documentProxy.numPages}`)
    const { blob, size } = await draw(documentProxy, number, canvas)
    if (number === 1) setSheet(size)
    const image = new Image()
    image.src = URL.createObjectURL(blob)
    await image.decode()
    target.append(image)
  }
  canvas.width = 0
}

async function draw(documentProxy: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement) {
  const page = await documentProxy.getPage(number)
  const viewport = page.getViewport({ scale: DOTS_PER_INCH / POINTS_PER_INCH })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  await page.render({
    canvas,
    viewport,
    intent: 'print',
    annotationMode: WITH_FIELDS,
    background: 'white',
  }).promise
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done))
  if (blob === null) throw new Error('the page could not be drawn for printing')
  const size: [number, number] = [viewport.width / DOTS_PER_INCH, viewport.height / DOTS_PER_INCH]
  return { blob, size }
}

const sheet = new CSSStyleSheet()

/** All sheets print at the size of the first, as other viewers do. */
function setSheet([width, height]: [number, number]): void {
  sheet.replaceSync(`@page { size: ${width}in ${height}in; margin: 0 }`)
  document.adoptedStyleSheets = [sheet]
}

function clear(): void {
  const target = part('print', HTMLElement)
  for (const image of target.querySelectorAll('img')) URL.revokeObjectURL(image.src)
  target.replaceChildren()
}
