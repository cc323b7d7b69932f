/** A part of a file, in bytes. */
export interface ByteRange {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * Reads a `Range` header for a file of `sizeBytes`. A header with several ranges, or one that
 * cannot be parsed, gives null: RFC 9110 lets a server answer it with the whole file.
 *
 * @returns null for the whole file, 'unsatisfiable' for 416
 */
export function parseRange(header: string, sizeBytes: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim())
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (start >= sizeBytes) return 'unsatisfiable'
  return end <= start ? null : { start, end }
}
