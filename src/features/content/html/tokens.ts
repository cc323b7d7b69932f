import { bufferOf } from './bytes.ts'
import { endOfElementText, holdsText } from './element-text.ts'
import { decodeEntities } from './entities.ts'
import { createNamespaces, type Namespace } from './foreign.ts'

/** One attribute of a tag, by its place in the bytes. */
export interface Attribute {
  name: string
  /** The value without its quotes, entities as written; both ends the same when there is none. */
  value_start: number
  value_end: number
  /** The byte of the quote around the value, 0 without one. */
  quote: number
}

export interface Tag {
  name: string
  namespace: Namespace
  start: number
  end: number
  self_closing: boolean
  attributes: Attribute[]
}

/** Receives what is found, in order. Tags are only valid during the call. */
export interface TokenSink {
  startTag?(tag: Tag): void
  endTag?(name: string, start: number, end: number): void
  text?(start: number, end: number): void
  comment?(start: number, end: number, closed: boolean): void
  doctype?(end: number): void
  /** Asked before each token: nothing more is wanted. */
  done?(): boolean
}

/** Attributes past this many in one tag are read over and not reported. */
export const MAX_ATTRIBUTES = 500

const TAB = 9
const LF = 10
const FF = 12
const CR = 13
const SPACE = 32
const BANG = 33
const DOUBLE = 34
const SINGLE = 39
const DASH = 45
const SLASH = 47
const LESS = 60
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

/**
 * The tokens of an HTML document as the HTML standard's tokenizer finds them, with byte offsets and
 * without a tree: one pass, a constant amount of work a byte, memory for one tag. Bytes must be
 * UTF-8 (no byte of a longer sequence is ever taken for markup).
 */
export function readTokens(bytes: Uint8Array, sink: TokenSink): void {
  const buffer = bufferOf(bytes)
  const namespaces = createNamespaces()
  const reader = createTagReader(buffer)
  let at = 0
  while (at < buffer.length && sink.done?.() !== true) {
    const open = nextMarkup(buffer, at)
    if (open > at) sink.text?.(at, open)
    if (open >= buffer.length) return
    const next = buffer[open + 1]!
    if (next === SLASH && isLetter(buffer[open + 2])) {
      at = reader.read(open, open + 2)
      if (at < 0) return
      sink.endTag?.(reader.tag.name, open, at)
      namespaces.end(reader.tag.name)
    } else if (isLetter(next)) {
      at = reader.read(open, open + 1)
      if (at < 0) return
      const { tag } = reader
      tag.namespace = namespaces.start(tag)
      sink.startTag?.(tag)
      if (tag.namespace === 'html') at = readElementText(buffer, tag, sink)
    } else {
      at = readDeclaration(buffer, open, sink, namespaces.current() !== 'html')
    }
  }
}

/** Where the next tag, comment or declaration starts, else the end. */
function nextMarkup(buffer: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = buffer.indexOf(LESS, at)
    if (at < 0) return buffer.length
    const next = buffer[at + 1]
    if (isLetter(next) || next === BANG || next === QUESTION) return at
    if (next === SLASH && at + 2 < buffer.length) return at
  }
}

/** What a `<script>`, `<style>`, `<title>` … holds is text up to its own end tag. */
function readElementText(buffer: Buffer, tag: Tag, sink: TokenSink): number {
  if (!holdsText(tag.name)) return tag.end
  const from = tag.end
  const end = endOfElementText(buffer, from, tag.name)
  if (end > from) sink.text?.(from, end)
  return end
}

function readDeclaration(buffer: Buffer, open: number, sink: TokenSink, foreign: boolean): number {
  const is_bang = buffer[open + 1] === BANG
  if (is_bang && buffer[open + 2] === DASH && buffer[open + 3] === DASH) {
    const end = endOfComment(buffer, open + 4)
    sink.comment?.(open, end < 0 ? buffer.length : end, end >= 0)
    return end < 0 ? buffer.length : end
  }
  if (is_bang && foreign && buffer.toString('latin1', open + 2, open + 9) === '[CDATA[') {
    const found = buffer.indexOf(']]>', open + 9)
    const end = found < 0 ? buffer.length : found
    if (end > open + 9) sink.text?.(open + 9, end)
    return found < 0 ? end : end + 3
  }
  const found = buffer.indexOf(GREATER, open + 2)
  const end = found < 0 ? buffer.length : found + 1
  const is_doctype = is_bang && /^doctype$/i.test(buffer.toString('latin1', open + 2, open + 9))
  if (is_doctype) sink.doctype?.(end)
  // `</>` is nothing at all; any other declaration is a comment to a browser.
  else if (found !== open + 2 || buffer[open + 1] !== SLASH) sink.comment?.(open, end, found >= 0)
  return end
}

/** @returns where a comment whose text starts at `from` is over, -1 when it never is */
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

/** Reads tags into one record that is used again for each. */
function createTagReader(buffer: Buffer) {
  const tag: Tag = {
    name: '',
    namespace: 'html',
    start: 0,
    end: 0,
    self_closing: false,
    attributes: [],
  }
  const size = buffer.length

  /** @returns the end of the tag, -1 when the document ends inside it: then it is no tag */
  function read(start: number, name_start: number): number {
    let at = name_start
    while (at < size && !endsName(buffer[at]!)) at++
    tag.name = buffer.toString('utf8', name_start, at).toLowerCase()
    tag.start = start
    tag.self_closing = false
    tag.attributes.length = 0
    for (;;) {
      while (at < size && (isSpace(buffer[at]!) || buffer[at] === SLASH)) at++
      if (at >= size) return -1
      if (buffer[at] === GREATER) break
      at = readAttribute(at)
    }
    tag.self_closing = buffer[at - 1] === SLASH && !endsInValue(at - 1)
    tag.end = at + 1
    return tag.end
  }

  /** `<a href=/x/>`: the last slash belongs to the value. */
  function endsInValue(at: number): boolean {
    const last = tag.attributes[tag.attributes.length - 1]
    return last !== undefined && at < last.value_end
  }

  function readAttribute(start: number): number {
    let at = start + 1
    while (at < size && !endsName(buffer[at]!) && buffer[at] !== EQUALS) at++
    const name_end = at
    while (at < size && isSpace(buffer[at]!)) at++
    if (buffer[at] !== EQUALS) {
      report(start, name_end, name_end, name_end, 0)
      return at
    }
    at++
    while (at < size && isSpace(buffer[at]!)) at++
    const quote = buffer[at]
    if (quote === DOUBLE || quote === SINGLE) {
      const found = buffer.indexOf(quote, at + 1)
      const value_end = found < 0 ? size : found
      report(start, name_end, at + 1, value_end, quote)
      return value_end + 1
    }
    const value_start = at
    while (at < size && !isSpace(buffer[at]!) && buffer[at] !== GREATER) at++
    report(start, name_end, value_start, at, 0)
    return at
  }

  function report(start: number, name_end: number, from: number, to: number, quote: number) {
    if (tag.attributes.length >= MAX_ATTRIBUTES) return
    const name = buffer.toString('utf8', start, name_end).toLowerCase()
    tag.attributes.push({ name, value_start: from, value_end: to, quote })
  }

  return { tag, read }
}

/** The first attribute of that name: browsers drop the others. */
export function findAttribute(tag: Tag, name: string): Attribute | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)
}

/** Text of an attribute as browsers read it; null without that attribute. */
export function attributeText(buffer: Buffer, tag: Tag, name: string): string | null {
  const found = findAttribute(tag, name)
  if (found === undefined) return null
  return decodeEntities(buffer.toString('utf8', found.value_start, found.value_end), 'attribute')
}

function endsName(byte: number): boolean {
  return byte === GREATER || byte === SLASH || isSpace(byte)
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === TAB || byte === CR || byte === FF
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 122
}
