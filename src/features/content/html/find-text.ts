import { bufferOf, createLineCounter } from './bytes.ts'

export interface TextToFind {
  /** HTML. */
  bytes: Uint8Array
  find: string
  /** The most places to answer with their surroundings; all are counted. */
  most: number
}

/** On each side of a place. */
const CONTEXT_CHARS = 100

/** Finds each place of a text in HTML, as an edit does: the search of a string can be slow. */
export function findText({ bytes, find, most }: TextToFind) {
  const html = bufferOf(bytes)
  const needle = Buffer.from(find)
  const lineOf = createLineCounter((from) => html.indexOf(10, from))
  let count = 0
  /** The text with what stands around it, and the line that it begins in, from 1. */
  const places: { line: number; text: string }[] = []
  for (let at = html.indexOf(needle); at >= 0; at = html.indexOf(needle, at + needle.length)) {
    const end = at + needle.length
    if (places.length < most) {
      const before = html.toString('utf8', Math.max(0, at - 4 * CONTEXT_CHARS), at)
      const after = html.toString('utf8', end, end + 4 * CONTEXT_CHARS)
      const text = before.slice(-CONTEXT_CHARS) + find + after.slice(0, CONTEXT_CHARS)
      places.push({ line: lineOf(at), text: text.toWellFormed() })
    }
    count++
  }
  return { count, places }
}
