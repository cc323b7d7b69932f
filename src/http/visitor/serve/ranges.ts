export interface ByteRange {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * One range of a file of `size_bytes`. Several, or what cannot be read, is answered with the whole
 * file, as RFC 9110 lets a server do.
 *
 * @returns null for the whole file, 'unsatisfiable' for 416
 */
export function rangeOf(
  header: string | null,
  sizeBytes: number,
): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
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
