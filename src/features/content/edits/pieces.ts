// More pieces than this, or so many that looking across their seams costs more than the copy, and
// the text is copied into one again.
const MAX_PIECES = 256
const MAX_SEAM_BYTES = 1024 * 1024

/**
 * A text under edit, as stretches of the original and of what was put in: an edit of a page of
 * megabytes moves a few pointers instead of the page. Offsets are bytes of the text as it is now.
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
    /** @returns the first place at or after `from`, -1 without one */
    find(needle: Buffer, from: number): number {
      const seamBytes = parts.length * needle.length
      if (parts.length > MAX_PIECES || (parts.length > 1 && seamBytes > MAX_SEAM_BYTES)) flatten()
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
 * Looks in each piece, and then across its end. A match belongs to the piece it starts in, so each
 * is seen once. `Buffer.indexOf` is the C library's memmem, which no needle makes slow.
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
      if (first < end && i < parts.length - 1) {
        const across = gather(parts, i, first - base, end - first + needle.length - 1)
        const crossing = across.indexOf(needle)
        if (crossing >= 0) return first + crossing
      }
    }
    base = end
  }
  return -1
}

/** Up to `length` bytes from that place in that piece, over as many pieces as it takes. */
function gather(parts: readonly Buffer[], index: number, offset: number, length: number): Buffer {
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
  /** Ranges come in order, so that the pieces are walked once. */
  function keep(from: number, to: number) {
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
    keep(at, start)
    if (replacement.length > 0) out.push(replacement)
    at = start + length
  }
  keep(at, size)
  return out
}
