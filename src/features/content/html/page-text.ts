import { decodeHTML } from 'entities/decode'
import type { ByteRange } from '../../../model/download.ts'
import { condense, type Passage, type Place, UNSEEN_ELEMENTS } from '../../../model/passage.ts'
import { bufferOf } from './bytes.ts'
import { readTokens } from './tokens.ts'

/** A character reference; its name may lack the semicolon. */
const REFERENCE = /^&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,40});?/
const MAX_REFERENCE_BYTES = 45

/** What separates two letters of one word in the source: tags that do not break a line. */
const INLINE =
  'a|abbr|b|bdi|bdo|cite|code|em|font|i|ins|del|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr'
const INSIDE_WORD = new RegExp(`^(?:</?(?:${INLINE})\\b[^>]*>)+$`, 'i')

const SPACE = 0x20
const HASH = 0x23
const AMPERSAND = 0x26
const DELETE = 0x7f

/** Finds passages in the text of a page: these are compared as UTF-8. */
export function passageBytes({ quote, prefix, suffix }: Passage): Passage {
  const bytes = (text: string) => Buffer.from(condense(text)).toString('latin1')
  return { quote: bytes(quote), prefix: bytes(prefix), suffix: bytes(suffix) }
}

/**
 * The text of a document that readers can select, condensed, and where its bytes were written.
 *
 * @param bytes HTML in UTF-8
 */
export function readPageText(bytes: Uint8Array) {
  const buffer = bufferOf(bytes)
  const builder = createBuilder(buffer)
  /** The element that is skipped, and how many of its name are open. */
  let unseen: { name: string; depth: number } | null = null
  readTokens(buffer, {
    startTag({ name, selfClosing }) {
      if (selfClosing) return
      if (name === unseen?.name) unseen.depth += 1
      else if (UNSEEN_ELEMENTS.has(name)) unseen ??= { name, depth: 1 }
    },
    endTag(name) {
      if (name === unseen?.name && --unseen.depth === 0) unseen = null
    },
    text(start, end) {
      if (unseen === null) builder.add(start, end)
    },
  })
  return builder.build()
}
export type PageText = ReturnType<typeof readPageText>

function createBuilder(buffer: Buffer) {
  // Text is never longer than it is written: a reference takes more bytes than what it stands for.
  const text = Buffer.allocUnsafe(buffer.length)
  const starts = new Uint32Array(buffer.length)
  /** The length of a reference, by the index of its last byte in `text`; else 0. */
  const referenceSizes = new Uint8Array(buffer.length)
  let length = 0

  function addByte(at: number): number {
    text[length] = buffer[at]!
    starts[length] = at
    length += 1
    return at + 1
  }

  /** @returns the end of what was read */
  function addReference(at: number, end: number): number {
    if (!mayBeginName(buffer[at + 1])) return addByte(at)
    const source = buffer.toString('latin1', at, Math.min(end, at + MAX_REFERENCE_BYTES))
    const reference = REFERENCE.exec(source)?.[0] ?? '&'
    const bytes = Buffer.from(condense(decodeHTML(reference)))
    for (const byte of bytes.subarray(0, reference.length)) {
      text[length] = byte
      starts[length] = at
      length += 1
    }
    if (bytes.length > 0) referenceSizes[length - 1] = reference.length
    return at + reference.length
  }

  /** Adds a run of ASCII. The loop has local variables alone, which takes a third of the time. */
  function addAscii(from: number, end: number): number {
    let at = from
    let next = length
    for (; at < end; at++) {
      const byte = buffer[at]!
      if (byte === AMPERSAND || byte > DELETE) break
      if (byte <= SPACE) continue
      text[next] = byte
      starts[next] = at
      next += 1
    }
    length = next
    return at
  }

  function addCharacter(at: number): number {
    const size = buffer[at]! >= 0xf0 ? 4 : buffer[at]! >= 0xe0 ? 3 : 2
    if (mayBeIgnored(buffer[at]!) && condense(buffer.toString('utf8', at, at + size)) === '') {
      return at + size
    }
    for (let i = at; i < at + size; i++) addByte(i)
    return at + size
  }

  return {
    /** Adds the text that is written in these bytes. */
    add(start: number, end: number): void {
      let at = start
      while (at < end) {
        const byte = buffer[at]!
        if (byte === AMPERSAND) at = addReference(at, end)
        else if (byte > DELETE) at = addCharacter(at)
        else at = addAscii(at, end)
      }
    },
    build() {
      const offsets = starts.slice(0, length)
      const bytes = text.subarray(0, length)
      const condensed = bytes.toString('latin1')
      const endOf = (index: number) => offsets[index]! + (referenceSizes[index] || 1)
      /** Whether the word goes on after the byte at this index. */
      function isInsideWord(index: number): boolean {
        const [from, to] = [endOf(index), offsets[index + 1]!]
        return to <= from || INSIDE_WORD.test(buffer.toString('latin1', from, to))
      }
      return {
        /** One character for each byte of the condensed text in UTF-8, which is fast to search. */
        text: condensed,
        indexOf: (words: string, from = 0) => bytes.indexOf(words, from, 'latin1'),
        /** The bytes of the document in which this part of `text` was written. */
        bytesOf: ({ start, end }: Place) => ({ start: offsets[start]!, end: endOf(end - 1) }),
        /** This part of `text` for people to read: with the spaces between its words. */
        written({ start, end }: Place): string {
          let words = ''
          for (let i = start; i < end; i++) {
            words += condensed[i]
            if (i + 1 < end && !isInsideWord(i)) words += ' '
          }
          return Buffer.from(words, 'latin1')
            .toString()
            .replace(/^[\ufffd ]+|[\ufffd ]+$/g, '')
        },
        /** The part of `text` that was written in these bytes of the document. */
        placeOf: ({ start, end }: ByteRange): Place => ({
          start: firstAtLeast(offsets, start),
          end: firstAtLeast(offsets, end),
        }),
      }
    },
  }
}

/** Whether a character reference goes on so after its `&`: with `#` or a letter. */
function mayBeginName(byte = 0): boolean {
  return byte === HASH || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
}

/** Whether a character that `condense` leaves out may start with this byte of UTF-8. */
function mayBeIgnored(byte: number): boolean {
  return byte === 0xc2 || (byte >= 0xe1 && byte <= 0xe3) || byte === 0xef
}

/** @returns the index of the first of these ascending values that is at least `value` */
function firstAtLeast(values: Uint32Array, value: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
