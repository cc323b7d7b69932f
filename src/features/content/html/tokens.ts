import { collectGarbage } from '../../../platform/thread-tasks.ts'
import { bufferOf, indexOfByte } from './bytes.ts'
import { isLetter, type Namespace, readTag, type Tag } from './tags.ts'

// SVG and MathML elements whose content is HTML again.
const HTML_INSIDE_SVG = new Set(['foreignobject', 'desc', 'title'])
const HTML_INSIDE_MATH = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])

// Tags that end the SVG or MathML that they are in, as HTML lists them.
const BREAKOUT = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
  listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`.split(
    /\s+/,
  ),
)

/**
 * Tracks the namespace that the parser is in, as far as tags alone decide it: the `<title>`,
 * `<style>` and `<script>` of an SVG are not those of the page, and their text is parsed in another
 * way. Each tag takes amortised constant time at any depth.
 */
function createNamespaces() {
  const open: { name: string; inside: Namespace }[] = []
  const count = { svg: 0, math: 0 }

  function current(): Namespace {
    return open.length === 0 ? 'html' : open[open.length - 1]!.inside
  }
  function push(name: string, inside: Namespace) {
    open.push({ name, inside })
    if (name === 'svg' || name === 'math') count[name]++
  }
  function pop() {
    const { name } = open.pop()!
    if (name === 'svg' || name === 'math') count[name]--
  }
  function leaveForeign() {
    while (current() !== 'html') pop()
  }

  return {
    current,
    /** @returns the namespace of the element that this tag starts */
    start(tag: Tag): Namespace {
      if (current() !== 'html' && isBreakout(tag)) leaveForeign()
      const own = ownNamespace(tag.name, current())
      if (own === 'html' || tag.selfClosing) return own
      if (tag.name === own) push(tag.name, own)
      else if (holdsHtml(tag, own)) push(tag.name, 'html')
      return own
    },
    end(name: string): void {
      if (open.length === 0) return
      if (name === 'svg' || name === 'math') {
        if (count[name] === 0) return
        while (open[open.length - 1]!.name !== name) pop()
        pop()
      } else if (open[open.length - 1]!.name === name) {
        pop()
      } else if (name === 'p' || name === 'br') {
        leaveForeign()
      }
    },
  }
}

function ownNamespace(name: string, around: Namespace): Namespace {
  if (around === 'html') return name === 'svg' || name === 'math' ? name : 'html'
  return around === 'math' && name === 'svg' ? 'svg' : around
}

function isBreakout(tag: Tag): boolean {
  if (tag.name === 'font') return tag.attributes.some((a) => /^(?:color|face|size)$/.test(a.name))
  return BREAKOUT.has(tag.name)
}

function holdsHtml(tag: Tag, own: Namespace): boolean {
  if (own === 'svg') return HTML_INSIDE_SVG.has(tag.name)
  return HTML_INSIDE_MATH.has(tag.name)
}

export {
  type Attribute,
  attributeText,
  DOCUMENT_ELEMENTS,
  findAttribute,
  hasHandler,
  isMeta,
  keyword,
  type Tag,
} from './tags.ts'

/** Receives the tokens, in order. A tag is only valid during the call. */
export interface TokenSink {
  startTag?(tag: Tag): void
  endTag?(name: string): void
  text?(start: number, end: number): void
  comment?(start: number, end: number, closed: boolean): void
  doctype?(end: number): void
}

/**
 * HTML elements whose content is text and not markup. `noscript` is one of them in a browser that
 * runs scripts.
 */
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'title textarea style xmp iframe noembed noframes noscript script plaintext'.split(' '),
)

/** After so many bytes of a large document, garbage is collected: tags leave some times that. */
const COLLECTED_BYTES = 8 * 1024 * 1024
const SPACE = 32
const BANG = 33
const DASH = 45
const SLASH = 47
const LESS = 60
const GREATER = 62
const QUESTION = 63

/**
 * Reads the tokens of an HTML document as the tokenizer of the HTML standard does, with their byte
 * offsets and without a tree: in one pass, in linear time, with memory for one tag. Bytes must be
 * UTF-8, in which no byte of a longer sequence looks like markup.
 */
export function readTokens(bytes: Uint8Array, sink: TokenSink): void {
  const buffer = bufferOf(bytes)
  const namespaces = createNamespaces()
  const places = { start: 0, end: 0, selfClosing: false }
  const tag: Tag = { name: '', namespace: 'html', ...places, attributes: [] }
  let at = 0
  let collectedAt = 0
  while (at < buffer.length) {
    if (at - collectedAt > COLLECTED_BYTES) {
      collectGarbage()
      collectedAt = at
    }
    const open = nextMarkup(buffer, at)
    if (open > at) sink.text?.(at, open)
    if (open >= buffer.length) return
    const next = buffer[open + 1]!
    if (next === SLASH && isLetter(buffer[open + 2])) {
      at = readTag(buffer, open, tag)
      if (at < 0) return
      sink.endTag?.(tag.name)
      namespaces.end(tag.name)
    } else if (isLetter(next)) {
      at = readTag(buffer, open, tag)
      if (at < 0) return
      tag.namespace = namespaces.start(tag)
      sink.startTag?.(tag)
      if (tag.namespace === 'html') at = readElementText(buffer, tag, sink)
    } else {
      // Only SVG and MathML have it.
      const isCdata =
        namespaces.current() !== 'html' && buffer.toString('latin1', open, open + 9) === '<![CDATA['
      at = isCdata ? readCdata(buffer, open + 9, sink) : readDeclaration(buffer, open, sink)
    }
  }
}

/** @returns where the next tag, comment or declaration starts, else the end of the document */
function nextMarkup(buffer: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = indexOfByte(buffer, LESS, at)
    if (at < 0) return buffer.length
    const next = buffer[at + 1]
    if (isLetter(next) || next === BANG || next === QUESTION) return at
    if (next === SLASH && at + 2 < buffer.length) return at
  }
}

/** Reads the text of a `<script>`, `<style>`, `<title>` …, up to its own end tag. */
function readElementText(buffer: Buffer, tag: Tag, sink: TokenSink): number {
  if (!TEXT_ELEMENTS.has(tag.name)) return tag.end
  const from = tag.end
  const end = endOfElementText(buffer, from, tag.name)
  if (end > from) sink.text?.(from, end)
  return end
}

/** @returns the end of an element's text: its end tag, else the end of the document */
function endOfElementText(buffer: Buffer, from: number, name: string): number {
  if (name === 'plaintext') return buffer.length
  for (let at = buffer.indexOf('</', from); at >= 0; at = buffer.indexOf('</', at + 2)) {
    if (!isTagName(buffer, at + 2, name)) continue
    const escaped = name === 'script' && buffer.subarray(from, at).includes('<!--')
    return escaped ? endOfEscapedScript(buffer, from) : at
  }
  return buffer.length
}

/**
 * A script with `<!--` and then `<script` in it continues past the next `</script>`, until `-->`:
 * the "script data double escaped" state of HTML. Pages with inlined templates have such scripts.
 */
function endOfEscapedScript(buffer: Buffer, from: number): number {
  let state: 'plain' | 'escaped' | 'double' = 'plain'
  for (let at = from; at < buffer.length; at++) {
    const byte = buffer[at]!
    if (byte === GREATER) {
      const closes = buffer[at - 1] === DASH && buffer[at - 2] === DASH && at - 2 >= from
      if (closes) state = 'plain'
    } else if (byte === LESS) {
      const next = buffer[at + 1]
      if (next === SLASH && isTagName(buffer, at + 2, 'script')) {
        if (state !== 'double') return at
        state = 'escaped'
      } else if (state === 'plain' && next === BANG) {
        if (buffer[at + 2] === DASH && buffer[at + 3] === DASH) state = 'escaped'
      } else if (state === 'escaped' && isTagName(buffer, at + 1, 'script')) {
        state = 'double'
      }
    }
  }
  return buffer.length
}

/** Whether the name is there, in any case, followed by a character that ends a tag's name. */
function isTagName(buffer: Buffer, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((buffer[at + i]! | 32) !== name.charCodeAt(i)) return false
  }
  const after = buffer[at + name.length]
  if (after === GREATER || after === SLASH || after === SPACE) return true
  return after !== undefined && after >= 9 && after <= 13 && after !== 11
}

function readCdata(buffer: Buffer, from: number, sink: TokenSink): number {
  const index = buffer.indexOf(']]>', from)
  const end = index < 0 ? buffer.length : index
  if (end > from) sink.text?.(from, end)
  return index < 0 ? end : end + 3
}

function readDeclaration(buffer: Buffer, open: number, sink: TokenSink): number {
  const isBang = buffer[open + 1] === BANG
  if (isBang && buffer[open + 2] === DASH && buffer[open + 3] === DASH) {
    const end = endOfComment(buffer, open + 4)
    sink.comment?.(open, end < 0 ? buffer.length : end, end >= 0)
    return end < 0 ? buffer.length : end
  }
  const index = buffer.indexOf(GREATER, open + 2)
  const end = index < 0 ? buffer.length : index + 1
  const isDoctype = isBang && /^doctype$/i.test(buffer.toString('latin1', open + 2, open + 9))
  if (isDoctype) sink.doctype?.(end)
  // Browsers ignore `</>` and read any other declaration as a comment.
  else if (index !== open + 2 || buffer[open + 1] !== SLASH) sink.comment?.(open, end, index >= 0)
  return end
}

/** @returns the end of a comment whose text starts at `from`; -1 where it is not closed */
function endOfComment(buffer: Buffer, from: number): number {
  if (buffer[from] === GREATER) return from + 1
  if (buffer[from] === DASH && buffer[from + 1] === GREATER) return from + 2
  for (let at = from + 2; at < buffer.length; at++) {
    if (buffer[at] !== GREATER) continue
    if (buffer[at - 1] === DASH && buffer[at - 2] === DASH) return at + 1
    const bang = buffer[at - 1] === BANG && at - 3 >= from
    if (bang && buffer[at - 2] === DASH && buffer[at - 3] === DASH) return at + 1
  }
  return -1
}
