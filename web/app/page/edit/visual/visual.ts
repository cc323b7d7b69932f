import { MAX_SRC_CHARS, type Place, type Report, STRAYS } from '../../../../draft-frame/protocol.ts'
import { changeText, type SourceEdit } from './change.ts'
import { elementAt, placesOf } from './places.ts'

export { imageAt, imageEdits, listImages } from './images.ts'

/** What changes text and images of a preview; loaded where somebody does that. */

/** Longer ones are changed in the source. */
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
  const [asked, changed, pictured] = [objectOf(ask), objectOf(change), objectOf(image)]
  const { what, text } = objectOf(stray)
  const report: Report = {}
  if (isPlace(asked.place) && isText(asked.text)) {
    report.ask = { place: asked.place, text: asked.text }
  }
  if (isPlace(changed.place) && isText(changed.before) && isText(changed.after)) {
    const { place, before, after } = changed
    report.change = { place, before, after: after.toWellFormed() }
  }
  if (typeof isOpen === 'boolean') report.isOpen = isOpen
  const kind = STRAYS.find((one) => one === what)
  if (kind !== undefined && isText(text)) report.stray = { what: kind, text }
  const { place, src, file } = pictured
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
