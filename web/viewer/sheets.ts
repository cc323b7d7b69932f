import type * as Components from 'pdfjs-dist/types/web/pdf_viewer.component'
import { showScale, type Zoomable } from './zoom.ts'

export type Viewer = Components.PDFViewer
export type Events = Components.EventBus

/** pdf.js: RenderingStates.INITIAL, nothing drawn. */
const BLANK = 0
/** Sheets kept drawn on either side of those in sight. */
const KEPT = 1
/** Wider than this a portrait sheet is not read with more ease. */
const LARGEST_FIT = 1.25
/** What the bars above and below take of the height. */
const BARS_PX = 64 + 76

interface Sheet {
  id: number
  renderingState: number
  scale: number
  width: number
  height: number
  destroy(): void
}

/** Fits the width; a landscape sheet, most likely a slide, is shown whole. */
export function zoomSheets(container: HTMLElement, viewer: Viewer, events: Events): Zoomable {
  const fitScale = () => {
    const sheet = viewer.getPageView(viewer.currentPageNumber - 1) as Sheet
    const margin = container.clientWidth > 600 ? 32 : 0
    const across = (container.clientWidth - margin) / (sheet.width / sheet.scale)
    if (sheet.width <= sheet.height) return Math.min(LARGEST_FIT, across)
    return Math.min(across, (container.clientHeight - BARS_PX) / (sheet.height / sheet.scale))
  }
  const fit = () => {
    viewer.currentScale = fitScale()
  }
  let fitted = true
  let unspent = 1
  events.on('scalechanging', ({ scale }: { scale: number }) => {
    fitted = Math.abs(scale - fitScale()) < 0.005
    showScale(scale, fitted)
  })
  new ResizeObserver(() => {
    if (!viewer.pdfDocument || viewer.pagesCount === 0) return
    if (fitted) fit()
    viewer.update()
  }).observe(container)
  return {
    isFitted: () => fitted,
    fit,
    actual: () => {
      viewer.currentScale = 1
    },
    zoomBy(factor, origin, settling = false) {
      // The viewer rounds to whole percents: what is lost is kept for the next small step.
      const before = viewer.currentScale
      const wanted = factor * (settling ? unspent : 1)
      viewer.updateScale({ scaleFactor: wanted, origin, drawingDelay: settling ? 400 : 0 } as never)
      unspent = (before * wanted) / viewer.currentScale
    },
  }
}

/**
 * pdf.js keeps the last ten sheets drawn; on a sharp screen each is tens of megabytes. Those far
 * from sight are emptied, unless a selection may reach into them.
 */
export function freeFarPages(viewer: Viewer, events: Events): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  events.on('updateviewarea', () => {
    clearTimeout(timer)
    timer = setTimeout(() => freeAround(viewer), 300)
  })
}

function freeAround(viewer: Viewer): void {
  if (document.getSelection()?.isCollapsed === false) return
  const { first, last } = viewer._getVisiblePages() as { first?: Sheet; last?: Sheet }
  if (!first || !last) return
  for (let index = 0; index < viewer.pagesCount; index += 1) {
    const sheet = viewer.getPageView(index) as Sheet
    const far = sheet.id < first.id - KEPT || sheet.id > last.id + KEPT
    if (far && sheet.renderingState !== BLANK) sheet.destroy()
  }
}
