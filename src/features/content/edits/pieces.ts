// Past these limits the pieces are copied into one: searching across their ends would cost more.
const MAX_PIECES = 256
const MAX_BOUNDARY_BYTES = 1024 * 1024
/** How often, on average, a byte is compared before the pieces are copied instead. */
const MAX_COMPARED = 4

/**
 * A piece table: the text as slices of the original and of the replacements, so that an edit copies
 * no more than its own bytes. Offsets count the bytes of the edited text.
 */
export function createPieces(text: Uint8Array) {
  let parts: Buffer[] = [Buffer.from(text.buffer, text.byteOffset, text.byteLength)]
  let size = text.byteLength

  function flatten(): Buffer {
    if (parts.length !== 1) parts = [Buffer.concat(parts, size)]
    return parts[0]!
  }

  return {
    size: () => size,
    /** The whole text. */
    bytes: flatten,
    /** @returns the first match at or after `from`; -1 where there is none */
    find(needle: Buffer, from: number): number {
      const boundaryBytes = parts.length * needle.length
      if (parts.length > MAX_PIECES || (parts.length > 1 && boundaryBytes > MAX_BOUNDARY_BYTES))
        flatten()
      return findIn(parts, needle, from)
    },
    /** @param starts in order and not overlapping, each of `length` bytes */
    replace(starts: readonly number[], length: number, replacement: Buffer): void {
      parts = spliced(parts, { starts, length, replacement, size })
      size += starts.length * (replacement.length - length)
    },
  }
}
export type Pieces = ReturnType<typeof createPieces>

/**
 * Searches each piece, and then across its end. A match belongs to the piece in which it starts, so
 * each is found once. `Buffer.indexOf` is the C library's memmem, which takes linear time.
 */
function findIn(parts: readonly Buffer[], needle: Buffer, from: number): number {
  let base = 0
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    const end = base + part.length
    if (end > from) {
      const at = part.indexOf(needle, Math.max(0, from - base))
      if (at >= 0) return base + at
      const first = Math.max(from, base, end - needle.length + 1)
      if (i < parts.length - 1 && mayCross(part, first - base, needle)) {
        const length = end - first + needle.length - 1
        const across = gather(parts, { index: i, offset: first - base, length })
        const crossing = across.indexOf(needle)
        if (crossing >= 0) return first + crossing
      }
    }
    base = end
  }
  return -1
}

/**
 * Whether the needle may begin in the end of the piece, from `from` on, and continue after it. It
 * may where comparing would take more than linear time.
 */
function mayCross(part: Buffer, from: number, needle: Buffer): boolean {
  let left = MAX_COMPARED * needle.length
  for (let start = from; start < part.length; start++) {
    let at = start
    while (at < part.length && part[at] === needle[at - start]) at++
    if (at === part.length) return true
    left -= at - start
    if (left < 0) return true
  }
  return false
}

/** Copies up to `length` bytes from `offset` in the piece at `index`, across pieces. */
function gather(
  parts: readonly Buffer[],
  { index, offset, length }: { index: number; offset: number; length: number },
): Buffer {
  const out = Buffer.allocUnsafe(length)
  let filled = 0
  for (let i = index; i < parts.length && filled < length; i++) {
    filled += parts[i]!.copy(out, filled, i === index ? offset : 0)
  }
  return out.subarray(0, filled)
}

interface Splice {
  starts: readonly number[]
  length: number
  replacement: Buffer
  size: number
}

function spliced(
  parts: readonly Buffer[],
  { starts, length, replacement, size }: Splice,
): Buffer[] {
  const out: Buffer[] = []
  let index = 0
  let base = 0
  /** Copies a range of the old text. Ranges come in order, so the pieces are read once. */
  function copy(from: number, to: number) {
    while (index < parts.length && base < to) {
      const part = parts[index]!
      const start = Math.max(0, from - base)
      const end = Math.min(part.length, to - base)
      if (start < end) out.push(part.subarray(start, end))
      if (base + part.length > to) return
      base += part.length
      index++
    }
  }
  let at = 0
  for (const start of starts) {
    copy(at, start)
    if (replacement.length > 0) out.push(replacement)
    at = start + length
  }
  copy(at, size)
  return out
}
