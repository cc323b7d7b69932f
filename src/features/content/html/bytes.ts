/** A Buffer on the same memory, for its search methods. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A call of `indexOf` takes as long as reading so many bytes here. */
const NEAR_BYTES = 16

/** The same as `buffer.indexOf(byte, from)`, and faster where the byte is near. */
export function indexOfByte(buffer: Buffer, byte: number, from: number): number {
  const near = Math.min(from + NEAR_BYTES, buffer.length)
  for (let at = from; at < near; at++) if (buffer[at] === byte) return at
  return near === buffer.length ? -1 : buffer.indexOf(byte, near)
}

/** A range of a file and the text that replaces it. */
export interface Patch<Text = string> {
  start: number
  end: number
  text: Text
}

/**
 * @param patches in order and not overlapping
 * @returns the same object where there are none
 */
export function patchBytes(
  bytes: Uint8Array,
  patches: readonly Patch<string | Buffer>[],
): Uint8Array {
  if (patches.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of patches) {
    parts.push(bytes.subarray(at, start), typeof text === 'string' ? Buffer.from(text) : text)
    at = end
  }
  parts.push(bytes.subarray(at))
  return Buffer.concat(parts)
}

/** The same as `patchBytes`, for a file that is read piece by piece. */
export async function* patchPieces(
  pieces: AsyncIterable<Uint8Array>,
  patches: readonly Patch[],
): AsyncGenerator<Uint8Array> {
  let pieceStart = 0
  /** What is before it in the file was yielded or left out. */
  let at = 0
  let next = 0
  for await (const piece of pieces) {
    const pieceEnd = pieceStart + piece.byteLength
    for (; next < patches.length && patches[next]!.start < pieceEnd; next++) {
      const { start, end, text } = patches[next]!
      if (start > at) yield piece.subarray(at - pieceStart, start - pieceStart)
      yield Buffer.from(text)
      at = end
    }
    if (at < pieceEnd) {
      yield piece.subarray(at - pieceStart)
      at = pieceEnd
    }
    pieceStart = pieceEnd
  }
  for (; next < patches.length; next++) yield Buffer.from(patches[next]!.text)
}

/** How many bytes patches add to a file. */
export function addedBytes(patches: readonly Patch[]): number {
  return patches.reduce((sum, { start, end, text }) => {
    return sum + Buffer.byteLength(text) - (end - start)
  }, 0)
}

/** The same as `patchBytes`, for text. */
export function patchText(text: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const patch of patches) {
    parts.push(text.slice(at, patch.start), patch.text)
    at = patch.end
  }
  return parts.join('') + text.slice(at)
}

/** How many items at the start and at the end of two lists are the same. */
export function commonEnds(a: ArrayLike<unknown>, b: ArrayLike<unknown>) {
  const most = Math.min(a.length, b.length)
  let before = 0
  while (before < most && a[before] === b[before]) before += 1
  let after = 0
  while (after < most - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after += 1
  return { before, after }
}

/** Where the byte order mark of a text in UTF-8 ends; 0 without one. */
export function endOfMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** Whether the text is only white space and a byte order mark. */
export function isBlank(bytes: Buffer): boolean {
  const first = bytes.findIndex((byte) => byte > 32 || byte < 9)
  if (first < 0) return true
  if (bytes[first]! < 128) return false
  const start = bytes.toString('utf8', first, first + 4096).replace(/\ufffd+$/, '')
  return start.trim() === '' && bytes.toString('utf8', first).trim() === ''
}

/**
 * Finds the lines of ascending positions, in one pass over the text.
 * @param findNewline the position of the next line feed at or after `from`, or -1
 * @param firstLine the line where the text starts
 * @returns the line of a position, which is not before the last one
 */
export function createLineCounter(
  findNewline: (from: number) => number,
  firstLine = 1,
): (position: number) => number {
  let line = firstLine
  let next = findNewline(0)
  return (position) => {
    while (next >= 0 && next < position) {
      line++
      next = findNewline(next + 1)
    }
    return line
  }
}
