import { decodeHTML } from 'entities/decode'
import { html as names, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { BODY, MARK, type Place } from '../../../../draft-frame/protocol.ts'

/** Of these the browser shows no text, or not the one that the source has. */
const WITHOUT_TEXT = new Set(
  (
    'html head title script style template noscript iframe noembed noframes textarea select ' +
    'option object video audio canvas xmp plaintext'
  ).split(' '),
)

export interface Range {
  start: number
  end: number
}

/** A run of text between two tags or comments, as the parser has it. */
export interface Run extends Range {
  text: string
}

export interface Attribute extends Range {
  value: string
}

export interface Element {
  name: string
  /** Of the start tag. */
  tag: Range
  /**
   * By the number of children before it that are no text: it stays when a text is emptied. Null
   * where there is none, or where the source has it in several places, as in a table.
   */
  runs: (Run | null)[]
  attributes: Record<string, Attribute>
  /** Of the sources that a `<picture>` has beside its image. */
  alternatives: Range[]
}

export interface Places {
  /** The elements of one start tag, of which a parser may make several, by the tag's number. */
  elements: Map<number, Element[]>
  /** The text with the numbers in it. */
  marked: string
}

/** Finds the elements whose own text or image can be changed: the preview marks their numbers. */
export function readPlaces(html: string): Places {
  const elements = new Map<number, Element[]>()
  /** The number of each start tag by where it begins. A tag keeps it when a text is emptied. */
  const numbers = new Map<number, number>()
  const marks: { at: number; number: number }[] = []

  function add(element: Tree.Element): void {
    const tag = element.sourceCodeLocation?.startTag
    const isBody = element.tagName === 'body'
    if (!tag && !isBody) return
    const range = { start: tag?.startOffset ?? 0, end: tag?.endOffset ?? 0 }
    const number = isBody ? BODY : (numbers.get(range.start) ?? numbers.size + 1)
    if (!isBody) numbers.set(range.start, number)
    const hasText = element.childNodes.some((node) => isText(node) && node.value.trim() !== '')
    if (!hasText && element.tagName !== 'img') return
    const others = elements.get(number) ?? []
    if (others.length === 0) elements.set(number, others)
    const name = /^<[^\s/>]+/.exec(html.slice(range.start, range.end))?.[0]
    if (others.length === 0 && name && !isBody)
      marks.push({ at: range.start + name.length, number })
    others.push(describe(html, element, range))
  }
  // No recursion: a hostile text nests as deep as it likes.
  const waiting: Tree.ChildNode[] = [...parse(html, { sourceCodeLocationInfo: true }).childNodes]
  while (waiting.length > 0) {
    const node = waiting.pop()!
    if (!('tagName' in node)) continue
    const isHtml = node.namespaceURI === names.NS.HTML
    if (!isHtml || !WITHOUT_TEXT.has(node.tagName)) add(node)
    if (isHtml && node.tagName !== 'html' && WITHOUT_TEXT.has(node.tagName)) continue
    for (const child of node.childNodes.toReversed()) waiting.push(child)
  }
  return { elements, marked: withMarks(html, marks) }
}

/** Of the text as it was before a field was opened, as it was at the last pause, and as it is. */
const CACHED = 3
let cache: { html: string; places: Places }[] = []

/** Those of a text, which is read once as long as it is among the latest. */
export function placesOf(html: string): Places {
  const entry = cache.find((one) => one.html === html) ?? { html, places: readPlaces(html) }
  cache = [entry, ...cache.filter((one) => one !== entry)].slice(0, CACHED)
  return entry.places
}

/** The element of the source, unless scripts have made another number of it. */
export function elementAt(html: string, { number, nth, of }: Place): Element | null {
  const elements = placesOf(html).elements.get(number) ?? []
  return elements.length === of ? (elements[nth] ?? null) : null
}

function withMarks(html: string, marks: { at: number; number: number }[]): string {
  let out = ''
  let from = 0
  for (const { at, number } of marks.toSorted((a, b) => a.at - b.at)) {
    out += `${html.slice(from, at)} ${MARK}="${number}"`
    from = at
  }
  return out + html.slice(from)
}

function describe(html: string, element: Tree.Element, tag: Range): Element {
  const { tagName: name, sourceCodeLocation: location, parentNode } = element
  const parent = parentNode !== null && 'tagName' in parentNode ? parentNode : null
  const attributes = Object.entries(location?.attrs ?? {}).map(([key, at]) => {
    const value = element.attrs.find(({ name }) => name === key)?.value ?? ''
    return [key, { start: at.startOffset, end: at.endOffset, value }] as const
  })
  return {
    name,
    tag,
    runs: runsOf(html, element),
    attributes: Object.fromEntries(attributes),
    alternatives:
      name !== 'img' || parent?.tagName !== 'picture'
        ? []
        : parent.childNodes.flatMap((node) => {
            const at = 'tagName' in node && node.tagName === 'source' && node.sourceCodeLocation
            return at ? [{ start: at.startOffset, end: at.endOffset }] : []
          }),
  }
}

function runsOf(html: string, { childNodes, namespaceURI }: Tree.Element): (Run | null)[] {
  const isForeign = namespaceURI !== names.NS.HTML
  const runs: (Run | null)[] = [null]
  for (const node of childNodes) {
    if (isText(node)) runs[runs.length - 1] = runOf(html, node, isForeign)
    else runs.push(null)
  }
  return runs
}

function isText(node: Tree.ChildNode): node is Tree.TextNode {
  return node.nodeName === '#text'
}

/** Markup between the two ends is where the parser has moved text, and `<![CDATA[`. */
function runOf(html: string, node: Tree.TextNode, isForeign: boolean): Run | null {
  const { value: text, sourceCodeLocation: at } = node
  if (!at) return null
  const source = html.slice(at.startOffset, at.endOffset)
  if (isForeign && source.includes('<![CDATA[')) return null
  const decoded = decode(source)
  if (decoded === text) return { start: at.startOffset, end: at.endOffset, text }
  // The parser leaves out a line break at the start of <pre>.
  if (decoded !== `\n${text}`) return null
  return { start: at.startOffset + readUnits(source)[0]!.end, end: at.endOffset, text }
}

/** A character of a text and where it stands: `&amp;` and a line break of two are one each. */
export interface Unit extends Range {
  text: string
}

/** @param source what stands between two tags */
export function readUnits(source: string): Unit[] {
  const matches = source.matchAll(/&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);?|\r\n?|[\s\S]/giu)
  return Array.from(matches, ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
    text: decode(match),
  }))
}

/** What a parser reads there. */
export function decode(source: string): string {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  return text.includes('&') ? decodeHTML(text) : text
}
