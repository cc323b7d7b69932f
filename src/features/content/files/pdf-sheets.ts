import { constants, inflateSync } from 'node:zlib'

/** Of all object streams of a file together: a few bytes can inflate to very many. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024
/** Of the numbers that an object stream begins with: its reader keeps each. */
const MAX_HEADER_BYTES = 1024 * 1024

/**
 * Counts the sheets of a PDF, so that a spot on one that is not there is found. It reads the nodes
 * of the page tree alone, in linear time: their root says how many sheets there are. Earlier states
 * in the same file may say more, so it is the most that the file can have.
 *
 * @returns null where the file does not say so readably, as one that is encrypted
 */
export function countSheets(bytes: Uint8Array): number | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (/\/Encrypt\b/.test(text)) return null
  let most = 0
  let maxBytes = MAX_INFLATED_BYTES
  for (const { head, streamAt } of objectsIn(text)) {
    if (streamAt !== null && /\/Type\s*\/ObjStm\b/.test(head)) {
      const stream = bytes.subarray(streamAt, indexOrEnd(text, 'endstream', streamAt))
      const inflated = inflate(stream, head, maxBytes)
      const first = Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0)
      if (inflated === null || first > MAX_HEADER_BYTES) return null
      maxBytes -= inflated.length
      for (const object of objectsInStream(inflated, first)) most = Math.max(most, countOf(object))
    } else most = Math.max(most, countOf(head))
  }
  return most > 0 && most < Infinity ? most : null
}

/** The text between each `obj` and `endobj`, and where the bytes of a stream start in it. */
function* objectsIn(text: string) {
  let end = 0
  for (let at = text.indexOf(' obj'); at >= 0; ) {
    const start = at + ' obj'.length
    if (end < start) end = indexOrEnd(text, 'endobj', start)
    const stream = /\bstream\r?\n/.exec(text.slice(start, end))
    const streamAt = stream && start + stream.index + stream[0].length
    yield { head: text.slice(start, stream ? start + stream.index : end), streamAt }
    const next = streamAt === null ? end : indexOrEnd(text, 'endstream', streamAt)
    at = text.indexOf(' obj', next)
  }
}

function indexOrEnd(text: string, word: string, from: number): number {
  const at = text.indexOf(word, from)
  return at < 0 ? text.length : at
}

/** @returns null for a stream that is not simply compressed, or too large */
function inflate(stream: Uint8Array, head: string, maxBytes: number): string | null {
  const filter = /\/Filter\s*(?:\[\s*)?\/(\w+)/.exec(head)
  if (filter?.[1] !== 'FlateDecode' || /\/Predictor\b/.test(head)) return null
  try {
    // Line ends may follow the compressed data.
    const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH }
    return inflateSync(stream, options).toString('latin1')
  } catch {
    return null
  }
}

/** An object stream begins with the number and the offset of each of its objects. */
function* objectsInStream(inflated: string, first: number): Generator<string> {
  const header = inflated.slice(0, first).trim().split(/\s+/).map(Number)
  const offsets = header.filter((_, index) => index % 2 === 1).filter(Number.isSafeInteger)
  const starts = offsets.map((offset) => offset + first).sort((a, b) => a - b)
  for (const [index, start] of starts.entries()) yield inflated.slice(start, starts[index + 1])
}

/** @returns the count of a node of the page tree, 0 of other objects, infinite if unreadable */
function countOf(object: string): number {
  if (!object.includes('/Kids') || !object.includes('/Count')) return 0
  return Number(/\/Count\s+(\d+)(?!\s+\d+\s+R)(?!\d)/.exec(object)?.[1] ?? Infinity)
}
