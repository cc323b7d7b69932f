import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { EventBus } from 'pdfjs-dist/types/web/event_utils'
import type * as Components from 'pdfjs-dist/types/web/pdf_viewer.component'
import { setReading } from './bars.ts'
import { announce, buttonById, elementById, isTyping } from './dom.ts'
import { hideMessage, type Message, showMessage } from './message.ts'
import { bindOutline } from './outline.ts'
import { bindPrint } from './print.ts'
import { showSpot } from './spot.ts'
import { bindZoom, showScale, type Zoomable } from './zoom.ts'

/** pdf.js: RenderingStates.INITIAL. */
const NOT_RENDERED = 0
/** Pages that stay rendered on either side of the visible ones. */
const NEIGHBOURS_KEPT = 1
/** A portrait page is not easier to read at a larger scale. */
const MIN_FIT_SCALE = 0.1
const MAX_FIT_SCALE = 1.25
/** The height of the bars above and below. */
const BARS_HEIGHT_PX = 64 + 76
/** During a gesture pdf.js scales the old canvases and renders once it ends. */
const ONGOING_DRAWING_DELAY_MS = 400
const FREE_DELAY_MS = 300

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
    const pdfjs = (await import(pdfJs!)) as PdfJs
    // After it: the components use the global that the library sets.
    const components = (await import(pdfViewer!)) as typeof Components
    const pdf = await loadDocument(pdfjs, file!)
    hideMessage()
    show(container, components, pdf)
  } catch (error) {
    showMessage(explainFailure(error))
  }
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
    const isAtSpot = showSpot(container)
    const { hash } = location
    // What begins with `#~` is for the panel.
    if (!isAtSpot && hash.length > 1 && !hash.startsWith('#~')) links.setHash(hash.slice(1))
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

/** Turns an error of pdf.js into a message that says what to do next. */
function explainFailure(error: unknown): Message {
  const { name, status } = error as { name?: string; status?: number }
  const again = { label: 'Load again', run: () => location.reload() }
  if (name === 'InvalidPDFException' || name === 'FormatError') {
    return {
      title: 'This PDF could not be read',
      text: 'The file is damaged or incomplete. Ask the owner to publish it again.',
    }
  }
  if (name === 'ResponseException' && status === 422) {
    return {
      title: 'This PDF cannot be shown',
      text:
        'Its owner wants each copy to say whose it is, and this file cannot be marked: ' +
        'it is locked or damaged. Tell the owner.',
    }
  }
  if (name === 'ResponseException' && status === 503) {
    return {
      title: 'This file is not ready',
      text: 'Too many people open files now. Load it again in a few seconds.',
      action: again,
    }
  }
  if (name === 'ResponseException' && status !== undefined && status >= 400) {
    return {
      title: 'This file is not there any more',
      text:
        'The owner closed or changed the link since you opened it. ' +
        'Load the page again to see how it is now.',
      action: again,
    }
  }
  return {
    title: 'The file did not arrive',
    text:
      'The connection broke, or this browser is too old to show a PDF here. ' +
      'Load the page again, or use another browser.',
    action: again,
  }
}

type Viewer = Components.PDFViewer
type Events = Components.EventBus

interface PageView {
  id: number
  renderingState: number
  scale: number
  width: number
  height: number
  destroy(): void
}

/** Fits a page to the width; a landscape page, most likely a slide, is fitted whole. */
function zoomPages(container: HTMLElement, viewer: Viewer, events: Events): Zoomable {
  const fitScale = () => {
    const page = viewer.getPageView(viewer.currentPageNumber - 1) as PageView
    const margin = container.clientWidth > 600 ? 32 : 0
    const widthScale = (container.clientWidth - margin) / (page.width / page.scale)
    const heightScale = (container.clientHeight - BARS_HEIGHT_PX) / (page.height / page.scale)
    const isPortrait = page.width <= page.height
    const scale = Math.min(widthScale, isPortrait ? MAX_FIT_SCALE : heightScale)
    // A frame that is being removed has no size.
    return Math.max(MIN_FIT_SCALE, scale)
  }
  const fit = () => {
    viewer.currentScale = fitScale()
  }
  let isFitted = true
  let roundingError = 1
  events.on('scalechanging', ({ scale }: { scale: number }) => {
    isFitted = Math.abs(scale - fitScale()) < 0.005
    showScale(scale, isFitted)
  })
  new ResizeObserver(() => {
    if (!viewer.pdfDocument || viewer.pagesCount === 0) return
    if (isFitted) fit()
    viewer.update()
  }).observe(container)
  return {
    isFitted: () => isFitted,
    fit,
    actual: () => {
      viewer.currentScale = 1
    },
    zoomBy(factor, origin, isOngoing = false) {
      // pdf.js rounds to whole percents. Small steps add up only if the next one corrects for it.
      const before = viewer.currentScale
      const scaleFactor = factor * (isOngoing ? roundingError : 1)
      const drawingDelay = isOngoing ? ONGOING_DRAWING_DELAY_MS : 0
      viewer.updateScale({ scaleFactor, origin, drawingDelay } as never)
      roundingError = (before * scaleFactor) / viewer.currentScale
    },
  }
}

/**
 * Frees the canvases of pages far from the visible ones, except while text is selected. pdf.js
 * keeps the last ten pages rendered; on a high-density screen each takes tens of megabytes.
 */
function freeFarPages(viewer: Viewer, events: Events): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  events.on('updateviewarea', () => {
    clearTimeout(timer)
    timer = setTimeout(() => freePagesFarFromVisible(viewer), FREE_DELAY_MS)
  })
}

function freePagesFarFromVisible(viewer: Viewer): void {
  if (document.getSelection()?.isCollapsed === false) return
  const { first, last } = viewer._getVisiblePages() as { first?: PageView; last?: PageView }
  if (!first || !last) return
  for (let index = 0; index < viewer.pagesCount; index += 1) {
    const page = viewer.getPageView(index) as PageView
    const isFar = page.id < first.id - NEIGHBOURS_KEPT || page.id > last.id + NEIGHBOURS_KEPT
    if (isFar && page.renderingState !== NOT_RENDERED) page.destroy()
  }
}

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
function bindFind(events: EventBus): void {
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
