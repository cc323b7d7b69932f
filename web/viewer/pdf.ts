import type { PDFDocumentProxy } from 'pdfjs-dist'
import type * as Components from 'pdfjs-dist/types/web/pdf_viewer.component'
import { setReading } from './bars.ts'
import { announce, elementById, isTyping } from './dom.ts'
import { explainFailure } from './failure.ts'
import { bindFind } from './find.ts'
import { hideMessage, showMessage } from './message.ts'
import { bindOutline } from './outline.ts'
import { type Events, freeFarPages, type Viewer, zoomPages } from './pdf-pages.ts'
import { bindPrint } from './print.ts'
import { bindZoom } from './zoom.ts'

type PdfJs = typeof import('pdfjs-dist')
/** pdf.js: PasswordResponses.INCORRECT_PASSWORD. */
const INCORRECT_PASSWORD = 2
/** Few requests for a page far into the file, and little excess for a small page. */
const RANGE_BYTES = 256 * 1024
/** Of a larger file, only the parts shown are fetched: a phone could not hold it whole. */
const LARGE_BYTES = 4_000_000

export async function openPdf(container: HTMLDivElement): Promise<void> {
  try {
    const { file, pdfJs, pdfViewer } = document.body.dataset
    const [pdfjs, components] = await loadPdfJs(pdfJs!, pdfViewer!)
    const pdf = await loadDocument(pdfjs, file!)
    hideMessage()
    show(container, components, pdf)
  } catch (error) {
    showMessage(explainFailure(error))
  }
}

/** In this order: the components use the global that the library sets. */
async function loadPdfJs(library: string, viewer: string): Promise<[PdfJs, typeof Components]> {
  const pdfjs = (await import(library)) as PdfJs
  return [pdfjs, (await import(viewer)) as typeof Components]
}

async function loadDocument(pdfjs: PdfJs, file: string): Promise<PDFDocumentProxy> {
  const { pdfWorker, pdfMaps, pdfFonts, pdfWasm, sizeBytes } = document.body.dataset
  const isLarge = Number(sizeBytes) > LARGE_BYTES
  pdfjs.GlobalWorkerOptions.workerSrc = pdfWorker!
  const task = pdfjs.getDocument({
    url: file,
    cMapUrl: pdfMaps!,
    standardFontDataUrl: pdfFonts!,
    wasmUrl: pdfWasm!,
    // The file is untrusted: the worker must not fetch or evaluate anything.
    useWorkerFetch: false,
    isEvalSupported: false,
    enableXfa: false,
    disableAutoFetch: isLarge,
    disableStream: isLarge,
    rangeChunkSize: RANGE_BYTES,
  })
  task.onProgress = ({ loaded, total }: { loaded: number; total: number }) => {
    if (total > 0) document.body.style.setProperty('--loaded', String(Math.min(1, loaded / total)))
  }
  task.onPassword = (submit: (password: string) => void, reason: number) =>
    showMessage({
      title: 'This PDF is locked',
      text:
        reason === INCORRECT_PASSWORD
          ? 'That was not its password. Check it with the person who made the file.'
          : 'Its author protected the file with a password, which this server does not know.',
      password: { label: 'Password of the PDF', submit },
    })
  return task.promise
}

function show(container: HTMLDivElement, components: typeof Components, pdf: PDFDocumentProxy) {
  const { EventBus, LinkTarget, PDFFindController, PDFLinkService, PDFViewer } = components
  const events = new EventBus()
  const links = new PDFLinkService({
    eventBus: events,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
    ignoreDestinationZoom: true,
  })
  const viewer = new PDFViewer({
    container,
    eventBus: events,
    linkService: links,
    findController: new PDFFindController({ eventBus: events, linkService: links }),
    imageResourcesPath: document.body.dataset.pdfImages!,
    annotationEditorMode: -1,
    removePageBorders: true,
    supportsPinchToZoom: false,
  })
  links.setViewer(viewer)

  const zoomable = zoomPages(container, viewer, events)
  events.on('pagesinit', () => {
    zoomable.fit()
    container.scrollTop = 0
    if (location.hash.length > 1) links.setHash(location.hash.slice(1))
  })
  events.on('pagerendered', () => document.body.setAttribute('data-shown', ''))
  viewer.setDocument(pdf)
  links.setDocument(pdf, null)

  bindPageNumber(container, viewer, events)
  bindZoom(container, zoomable)
  bindFind(events)
  bindPrint(pdf)
  bindOutline(pdf, (destination) => {
    links.goToDestination(destination)
    setReading(true)
  })
  freeFarPages(viewer, events)
}

function bindPageNumber(container: HTMLElement, viewer: Viewer, events: Events): void {
  const field = elementById('page', HTMLInputElement)
  const total = viewer.pdfDocument!.numPages
  elementById('page-count', HTMLElement).textContent = String(total)
  field.max = String(total)
  field.size = Math.max(2, String(total).length)
  elementById('pages', HTMLElement).hidden = false

  const goTo = (page: number) => {
    if (page >= 1 && page <= total) viewer.currentPageNumber = page
    field.value = String(viewer.currentPageNumber)
  }
  events.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => {
    field.value = String(pageNumber)
    announce(`Page ${pageNumber} of ${total}`)
  })
  field.addEventListener('focus', () => field.select())
  field.addEventListener('change', () => goTo(Math.round(Number(field.value))))
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    goTo(Math.round(Number(field.value)))
    container.focus()
    setReading(true)
  })
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    const scrollsSideways = container.scrollWidth > container.clientWidth
    if (event.key === 'ArrowRight' && !scrollsSideways) goTo(viewer.currentPageNumber + 1)
    else if (event.key === 'ArrowLeft' && !scrollsSideways) goTo(viewer.currentPageNumber - 1)
    else if (event.key === 'Home') goTo(1)
    else if (event.key === 'End') goTo(total)
    else return
    event.preventDefault()
  })
}
