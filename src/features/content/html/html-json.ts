import { type UriRange, withoutUris } from './omit-data-uris.ts'

const SLICE_CHARS = 64 * 1024

/** The HTML as a string of JSON, piece by piece, without the data: URIs of these ranges. */
export async function* htmlJson(
  pieces: AsyncIterable<Uint8Array>,
  uris: readonly UriRange[],
): AsyncGenerator<string> {
  // Keeps a byte order mark, which is part of the content.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const next = quoter(uris)
  yield '"'
  for await (const piece of pieces) yield next(utf8.decode(piece, { stream: true }))
  yield `${next(utf8.decode())}"`
}

/** How many bytes `htmlJson` makes, without making all of them at once. */
export function sizeOfHtmlJson(html: string, uris: readonly UriRange[]): number {
  const next = quoter(uris)
  let sizeBytes = 2
  for (let at = 0; at < html.length; ) {
    // The two halves of a character belong together.
    const isHalf = /[\ud800-\udbff]/.test(html[at + SLICE_CHARS - 1] ?? '')
    const end = at + SLICE_CHARS + (isHalf ? 1 : 0)
    sizeBytes += Buffer.byteLength(next(html.slice(at, end)))
    at = end
  }
  return sizeBytes
}

/** @returns what to call with the parts of the HTML, in their order */
function quoter(uris: readonly UriRange[]): (part: string) => string {
  let [offset, first] = [0, 0]
  return (part) => {
    const kept = withoutUris(part, uris, { offset, first })
    offset += part.length
    while (first < uris.length && uris[first]![1] <= offset) first++
    return JSON.stringify(kept).slice(1, -1)
  }
}
