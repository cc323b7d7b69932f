import type { Place } from '../../../../draft-frame/protocol.ts'
import type { SourceEdit } from './change.ts'
import { type Element, elementAt, placesOf, type Range } from './places.ts'

/** An image as the source writes it. */
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
  if (alt !== undefined) edits.push(written(html, element, 'alt', alt))
  if (src !== undefined) {
    edits.push(written(html, element, 'src', src))
    const { srcset } = element.attributes
    // Else browsers would go on to show those.
    for (const range of element.alternatives) edits.push({ ...range, insert: '' })
    if (srcset) edits.push({ ...withSpace(html, srcset), insert: '' })
    const height = heightOf(element, ratio)
    if (height !== null) edits.push(written(html, element, 'height', height))
  }
  return edits.toSorted((a, b) => a.start - b.start)
}

function written(html: string, { name, tag, attributes }: Element, key: string, value: string) {
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
