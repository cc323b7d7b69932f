import { PDFDocument, PDFName, type PDFPage } from '@cantoo/pdf-lib'
import { type Pattern, placesOn, SLOPE } from './pattern.ts'

const MAX_PAGES = 5000
/** The smallest side of a page, in points. */
const MIN_SIDE = 3
/** Dark letters with a light edge are readable on any ground. */
const OPACITY = { ca: 0.15, CA: 0.28 }
const EDGE = 0.06

/** @throws Error for a PDF that cannot be marked: it is encrypted, damaged or too large */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocument> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Infinity })
  const pages = pdf.getPages()
  if (pages.length === 0 || pages.length > MAX_PAGES) throw new Error('No pages, or too many')
  for (const page of pages) shownPart(page)
  return pdf
}

/**
 * The PDF with the marks over each page. It is written anew: nothing of the file that was given is
 * a part of it as it was. The letters are shapes, so that no search or selection finds them.
 */
export async function markPdf(bytes: Uint8Array, pattern: Pattern): Promise<Uint8Array> {
  const pdf = await openPdf(bytes)
  const { context } = pdf
  // No earlier mark has the name.
  const name = `Mark${context.largestObjectNumber}`
  const { width, height } = pattern
  const shapes = context.flateStream(pathOf(pattern), {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [-width / 2 - 1, -height / 2 - 1, width / 2 + 1, height / 2 + 1],
  })
  const mark = context.register(shapes)
  const state = context.register(context.obj({ Type: 'ExtGState', BM: 'Normal', ...OPACITY }))
  for (const page of pdf.getPages()) {
    page.node.setXObject(PDFName.of(name), mark)
    page.node.setExtGState(PDFName.of(name), state)
    const content = context.flateStream(contentOf(page, name, pattern))
    page.node.addContentStream(context.register(content))
  }
  return pdf.save({ addDefaultPage: false, updateFieldAppearances: false })
}

/** Draws the marks on what is seen of a page, whichever way up it is shown. */
function contentOf(page: PDFPage, name: string, pattern: Pattern): string {
  const box = shownPart(page)
  const { size, places } = placesOn(box, pattern)
  const angle = SLOPE + (page.getRotation().angle * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle) * size, Math.cos(angle) * size]
  // In a PDF, y points upwards.
  const matrices = places.map(({ x, y }) =>
    operator('cm', cos, sin, sin, -cos, box.x + x, box.y + box.height - y),
  )
  const marks = matrices.map((at) => `q ${at} /${name} Do Q\n`).join('')
  return `q /${name} gs 0 g 1 G ${EDGE} w\n${marks}Q`
}

function shownPart(page: PDFPage) {
  const [media, crop] = [page.getMediaBox(), page.getCropBox()]
  const part = (at: 'x' | 'y', length: 'width' | 'height') => {
    const starts = [media, crop].map((box) => Math.min(box[at], box[at] + box[length]))
    const ends = [media, crop].map((box) => Math.max(box[at], box[at] + box[length]))
    return [Math.max(...starts), Math.min(...ends)] as const
  }
  const [[left, right], [bottom, top]] = [part('x', 'width'), part('y', 'height')]
  const box = { x: left, y: bottom, width: right - left, height: top - bottom }
  if (box.width >= MIN_SIDE && box.height >= MIN_SIDE) return box
  throw new Error('A page of the PDF has no size')
}

function pathOf({ outlines }: Pattern): string {
  const operators: string[] = []
  let at: readonly number[] = []
  for (const { command, args } of outlines.flatMap(({ commands }) => commands)) {
    if (command === 'moveTo') operators.push(operator('m', ...args))
    else if (command === 'lineTo') operators.push(operator('l', ...args))
    else if (command === 'closePath') operators.push('h')
    else if (command === 'bezierCurveTo') operators.push(operator('c', ...args))
    else operators.push(operator('c', ...cubic(at, args)))
    if (args.length > 0) at = args.slice(-2)
  }
  return `${operators.join('\n')}\nB`
}

/** The control points of a cubic curve that is the same as a quadratic one. */
function cubic([x0, y0]: readonly number[], [x1, y1, x2, y2]: readonly number[]): number[] {
  const towards = (from: number, to: number) => from + ((to - from) * 2) / 3
  const first = [towards(x0!, x1!), towards(y0!, y1!)]
  return [...first, towards(x2!, x1!), towards(y2!, y1!), x2!, y2!]
}

function operator(name: string, ...numbers: number[]): string {
  return `${numbers.map((number) => number.toFixed(4)).join(' ')} ${name}`
}
