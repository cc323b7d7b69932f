import { createLineCounter } from './bytes.ts'

export interface TextToFind {
  /** HTML. */
  bytes: Uint8Array
  find: string
  /** The most places to answer with their surroundings; all are counted. */
  most: number
}

/** On each side of a place. */
const CONTEXT_CHARS = 100

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Finds each place of a text in the source of HTML, as an edit would find it. */
export function findText({ bytes, find, most }: TextToFind) {
  const html = utf8.decode(bytes)
  const lineOf = createLineCounter((from) => html.indexOf('\n', from))
  let count = 0
  /** The text with what stands around it, and the line that it begins in, from 1. */
  const places: { line: number; text: string }[] = []
  let at = html.indexOf(find)
  while (at >= 0) {
    const end = at + find.length
    if (places.length < most) {
      const text = html.slice(Math.max(0, at - CONTEXT_CHARS), end + CONTEXT_CHARS)
      places.push({ line: lineOf(at), text: text.toWellFormed() })
    }
    count++
    at = html.indexOf(find, end)
  }
  return { count, places }
}
