import type { ByteRange } from '../../../model/download.ts'

/** A change of a text: its bytes from `start` to `end` became `length` other bytes. */
export interface Splice {
  start: number
  end: number
  length: number
}

/** A part of the edited text: a slice of the original, or inserted bytes where `from` is null. */
interface Part {
  from: number | null
  length: number
}

/** Tracks how the bytes of a text move while it is edited. */
export function createSpliceTracker(sizeBytes: number) {
  let parts: Part[] = [{ from: 0, length: sizeBytes }]

  return {
    /** @param starts in order and not overlapping, each of `length` bytes of the text by now */
    replace(starts: readonly number[], length: number, newLength: number): void {
      parts = replaceParts(parts, { starts, length, newLength })
    },
    /** The changes of the original. Bytes that were written again count as new. */
    splices: (): Splice[] => splicesOf(parts, sizeBytes),
  }
}

function replaceParts(
  parts: readonly Part[],
  { starts, length, newLength }: { starts: readonly number[]; length: number; newLength: number },
): Part[] {
  const out: Part[] = []
  let index = 0
  /** The offset of `parts[index]` in the text. */
  let base = 0
  /** Copies a range of the text. Ranges come in order, so the parts are read once. */
  function copy(start: number, end: number): void {
    for (; index < parts.length && base < end; index++) {
      const part = parts[index]!
      const cutStart = Math.max(0, start - base)
      const cutEnd = Math.min(part.length, end - base)
      if (cutStart < cutEnd) {
        const from = part.from === null ? null : part.from + cutStart
        out.push({ from, length: cutEnd - cutStart })
      }
      if (base + part.length > end) return
      base += part.length
    }
  }
  let at = 0
  for (const start of starts) {
    copy(at, start)
    if (newLength > 0) out.push({ from: null, length: newLength })
    at = start + length
  }
  copy(at, Number.POSITIVE_INFINITY)
  return out
}

function splicesOf(parts: readonly Part[], sizeBytes: number): Splice[] {
  const splices: Splice[] = []
  let start = 0
  let inserted = 0
  function close(end: number): void {
    if (end > start || inserted > 0) splices.push({ start, end, length: inserted })
    inserted = 0
  }
  for (const { from, length } of parts) {
    if (from === null) {
      inserted += length
      continue
    }
    close(from)
    start = from + length
  }
  close(sizeBytes)
  return splices
}

/**
 * Maps a range through a change.
 * @param splices in order and not overlapping
 * @returns null where the change touched the range itself
 */
export function mapRange(range: ByteRange, splices: readonly Splice[]): ByteRange | null {
  let shift = 0
  for (const { start, end, length } of splices) {
    if (start >= range.end) break
    const isInside = start === end && start > range.start
    if (end > range.start || isInside) return null
    shift += length - (end - start)
  }
  return { start: range.start + shift, end: range.end + shift }
}

/** How far beyond a range a change of it may reach, so that what it wrote still stands there. */
const MAX_BEYOND = 80

/** Where what a change has made of a range stands; null where it replaced far more than that. */
export function spanRange(range: ByteRange, splices: readonly Splice[]): ByteRange | null {
  let { start: from, end: to } = range
  let [before, within] = [0, 0]
  for (const { start, end, length } of splices) {
    if (start >= range.end) break
    const grown = length - (end - start)
    if (end <= range.start && (start < end || start <= range.start)) before += grown
    else {
      from = Math.min(from, start)
      to = Math.max(to, end)
      within += grown
    }
  }
  if (range.start - from > MAX_BEYOND || to - range.end > MAX_BEYOND) return null
  return { start: from + before, end: to + before + within }
}
