import { MAX_SRC_CHARS, type Place, type Report, STRAYS } from '../../../../draft-frame/protocol.ts'
import { changeText, type SourceEdit } from './change.ts'
import { type Element, elementAt, placesOf, type Range } from './places.ts'

/** What changes text and images of a preview; loaded where somebody does that. */

const MAX_TEXT_CHARS = 100_000

/** The text with the numbers by which the preview names its places. */
export function marked(html: string): string {
  return placesOf(html).marked
}

/** Whether a place says in the source what it says in the preview. */
export function isOfSource(html: string, { place, text }: NonNullable<Report['ask']>): boolean {
  return elementAt(html, place)?.runs[place.run]?.text === text
}

/** The edits that a change makes in the source; null where that says something else by now. */
export function editsOf(html: string, change: NonNullable<Report['change']>): SourceEdit[] | null {
  const run = elementAt(html, change.place)?.runs[change.place.run]
  return run ? changeText(html, run, change) : null
}

/** Reads what the frame sends, or scripts of the page: what is wrong is left out. */
export function readReport(data: unknown): Report {
  const { ask, change, isOpen, stray, image, key } = objectOf(data)
  const [question, edit, picture] = [objectOf(ask), objectOf(change), objectOf(image)]
  const { what, text } = objectOf(stray)
  const report: Report = {}
  if (isPlace(question.place) && isText(question.text)) {
    report.ask = { place: question.place, text: question.text }
  }
  if (isPlace(edit.place) && isText(edit.before) && isText(edit.after)) {
    const { place, before, after } = edit
    report.change = { place, before, after: after.toWellFormed() }
  }
  if (typeof isOpen === 'boolean') report.isOpen = isOpen
  const kind = STRAYS.find((one) => one === what)
  if (kind !== undefined && isText(text)) report.stray = { what: kind, text }
  const { place, src, file } = picture
  if (isPlace(place) && isText(src) && src.length <= MAX_SRC_CHARS) {
    report.image = { place, src, file: file instanceof File ? file : null }
  }
  if (key === 'undo' || key === 'redo' || key === 'save') report.key = key
  return report
}

function objectOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARS
}

function isPlace(value: unknown): value is Place {
  const { number, nth, of, run } = objectOf(value)
  return [number, nth, of, run].every((part) => Number.isInteger(part) && (part as number) >= 0)
}

export interface SourceImage {
  place: Place
  src: string
  alt: string
  /** Whether it names other files for other screens. */
  hasVersions: boolean
}

/** What takes the place of an image, or of its description. */
export interface ImageChange {
  src?: string
  /** The width of the new image by its height: where the source writes both, they follow. */
  ratio?: number
  alt?: string
}

/** The image of a place; null where no element of the source, or no address, is there. */
export function imageAt(html: string, place: Place): SourceImage | null {
  const element = elementAt(html, place)
  const src = element?.name === 'img' ? element.attributes.src : undefined
  if (src === undefined) return null
  const { alt, srcset } = element!.attributes
  const hasVersions = srcset !== undefined || element!.alternatives.length > 0
  return { place, src: src.value, alt: alt?.value ?? '', hasVersions }
}

/** All images that can be changed, in the order of the source. */
export function listImages(html: string): SourceImage[] {
  return [...placesOf(html).elements].flatMap(([number, all]) =>
    all.flatMap((_, nth) => imageAt(html, { number, nth, of: all.length, run: 0 }) ?? []),
  )
}

/** The edits that change an image; null where the source has none there by now. */
export function imageEdits(html: string, place: Place, change: ImageChange): SourceEdit[] | null {
  const element = elementAt(html, place)
  if (element === null || element.name !== 'img') return null
  const { src, alt, ratio } = change
  const edits: SourceEdit[] = []
  if (alt !== undefined) edits.push(attributeEdit(html, element, 'alt', alt))
  if (src !== undefined) {
    edits.push(attributeEdit(html, element, 'src', src))
    const { srcset } = element.attributes
    // Else browsers would go on to show those.
    for (const range of element.alternatives) edits.push({ ...range, insert: '' })
    if (srcset) edits.push({ ...withSpace(html, srcset), insert: '' })
    const height = heightOf(element, ratio)
    if (height !== null) edits.push(attributeEdit(html, element, 'height', height))
  }
  return edits.toSorted((a, b) => a.start - b.start)
}

function attributeEdit(html: string, element: Element, key: string, value: string) {
  const { name, tag, attributes } = element
  const at = attributes[key]
  const text = `="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
  if (at === undefined) {
    const end = tag.start + 1 + name.length
    return { start: end, end, insert: ` ${key}${text}` }
  }
  const own = /^[^\s=]+/.exec(html.slice(at.start, at.end))![0]
  return { start: at.start, end: at.end, insert: own + text }
}

function withSpace(html: string, { start, end }: Range): Range {
  let from = start
  while (/\s/.test(html[from - 1]!)) from -= 1
  return { start: from, end }
}

function heightOf({ attributes: { width, height } }: Element, ratio = 0): string | null {
  const wide = Number(width?.value)
  if (height === undefined || !(wide > 0) || !(ratio > 0)) return null
  return String(Math.max(1, Math.round(wide / ratio)))
}
