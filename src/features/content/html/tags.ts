import { decodeHTMLAttribute } from 'entities/decode'
import { indexOfByte } from './bytes.ts'

/** One attribute of a tag; offsets count bytes. */
export interface Attribute {
  name: string
  start: number
  /** The value without quotes, character references as written; empty where there is none. */
  valueStart: number
  valueEnd: number
  /** The quote around the value, as a byte; 0 without one. */
  quote: number
}

export type Namespace = 'html' | 'svg' | 'math'

export interface Tag {
  name: string
  namespace: Namespace
  start: number
  end: number
  selfClosing: boolean
  attributes: Attribute[]
}

/** How many attributes of one tag are reported; the others are skipped. */
const MAX_ATTRIBUTES = 500

const TAB = 9
const LF = 10
const FF = 12
const CR = 13
const SPACE = 32
const DOUBLE = 34
const SINGLE = 39
const SLASH = 47
const EQUALS = 61
const GREATER = 62

/**
 * Reads the tag whose `<` is at `start`, followed by a letter or by a slash and a letter.
 * @param tag one object for all tags of a document, overwritten by each
 * @returns the end of the tag; -1 where the document ends before it, so that it is no tag
 */
export function readTag(buffer: Buffer, start: number, tag: Tag): number {
  const nameStart = buffer[start + 1] === SLASH ? start + 2 : start + 1
  let at = nameStart
  while (at < buffer.length && !endsName(buffer[at]!)) at++
  tag.name = readName(buffer, nameStart, at)
  tag.start = start
  tag.attributes.length = 0
  for (;;) {
    while (at < buffer.length && (isSpace(buffer[at]!) || buffer[at] === SLASH)) at++
    if (at >= buffer.length) return -1
    if (buffer[at] === GREATER) break
    at = readAttribute(buffer, at, tag.attributes)
  }
  // In `<a href=/x/>` the slash belongs to the value.
  tag.selfClosing = buffer[at - 1] === SLASH && at - 1 >= (tag.attributes.at(-1)?.valueEnd ?? 0)
  tag.end = at + 1
  return tag.end
}

/** @returns the end of the attribute; past the end of the document where a quote is not closed */
function readAttribute(buffer: Buffer, start: number, attributes: Attribute[]): number {
  const size = buffer.length
  let at = start + 1
  while (at < size && !endsName(buffer[at]!) && buffer[at] !== EQUALS) at++
  const nameEnd = at
  let valueStart = at
  let valueEnd = at
  let quote = 0
  at = afterSpace(buffer, at)
  if (buffer[at] === EQUALS) {
    at = afterSpace(buffer, at + 1)
    const first = buffer[at]
    if (first === DOUBLE || first === SINGLE) {
      quote = first
      valueStart = at + 1
      const close = indexOfByte(buffer, quote, valueStart)
      valueEnd = close < 0 ? size : close
      at = valueEnd + 1
    } else {
      valueStart = at
      while (at < size && !isSpace(buffer[at]!) && buffer[at] !== GREATER) at++
      valueEnd = at
    }
  }
  if (attributes.length < MAX_ATTRIBUTES) {
    attributes.push({ name: readName(buffer, start, nameEnd), start, valueStart, valueEnd, quote })
  }
  return at
}

/** The first attribute of that name; browsers ignore the others. */
export function findAttribute(tag: Tag, name: string): Attribute | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)
}

/** The value of an attribute as browsers read it; null where the tag does not have it. */
export function attributeText(buffer: Buffer, tag: Tag, name: string): string | null {
  const attribute = findAttribute(tag, name)
  if (attribute === undefined) return null
  return decodeHTMLAttribute(buffer.toString('utf8', attribute.valueStart, attribute.valueEnd))
}

/** The same of one that names one of a few things; '' where the tag does not have it. */
export function keyword(buffer: Buffer, tag: Tag, name: string): string {
  return attributeText(buffer, tag, name)?.trim().toLowerCase() ?? ''
}

/** Whether the tag is a `<meta>` of this purpose, such as `http-equiv=refresh`. */
export function isMeta(buffer: Buffer, tag: Tag, attribute: string, purpose: string): boolean {
  return tag.name === 'meta' && keyword(buffer, tag, attribute) === purpose
}

/** The elements that make a document of a fragment. */
export const DOCUMENT_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset'])

/** Whether the tag has an event handler. */
export function hasHandler(tag: Tag): boolean {
  return tag.attributes.some(({ name }) => name.startsWith('on'))
}

function afterSpace(buffer: Buffer, from: number): number {
  let at = from
  while (at < buffer.length && isSpace(buffer[at]!)) at++
  return at
}

function endsName(byte: number): boolean {
  return byte <= GREATER && (byte === GREATER || byte === SLASH || isSpace(byte))
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === TAB || byte === CR || byte === FF
}

export function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 122
}

const MAX_CACHED_BYTES = 32
/** The last name that hashed to each slot: this bounds time and memory for any names. */
const NAMES = new Array<string>(1024).fill('')

/**
 * Reads the name of a tag or an attribute, in lower case. Pages repeat the same few, and making a
 * string from bytes costs more than the rest of reading a tag, so each string is cached.
 */
export function readName(buffer: Buffer, start: number, end: number): string {
  if (end - start > MAX_CACHED_BYTES) return makeName(buffer, start, end)
  let slot = 0
  for (let at = start; at < end; at++) slot = (slot * 31 + buffer[at]!) & (NAMES.length - 1)
  const cached = NAMES[slot]!
  if (cached.length === end - start && isAt(buffer, start, cached)) return cached
  const name = makeName(buffer, start, end)
  NAMES[slot] = name
  return name
}

function makeName(buffer: Buffer, start: number, end: number): string {
  return buffer.toString('utf8', start, end).toLowerCase()
}

/** Whether an ASCII name is there, in any case; false for a name with other characters. */
function isAt(buffer: Buffer, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = buffer[start + i]!
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte
    if (lower !== name.charCodeAt(i) || byte > 127) return false
  }
  return true
}
