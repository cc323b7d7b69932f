import type * as Components from 'pdfjs-dist/types/web/pdf_viewer.component'
import { showScale, type Zoomable } from './zoom.ts'

export type Viewer = Components.PDFViewer
export type Events = Components.EventBus

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

interface PageView {
  id: number
  renderingState: number
  scale: number
  width: number
  height: number
  destroy(): void
}

/** Fits a page to the width; a landscape page, most likely a slide, is fitted whole. */
export function zoomPages(container: HTMLElement, viewer: Viewer, events: Events): Zoomable {
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
export function freeFarPages(viewer: Viewer, events: Events): void {
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
