/** A part of a file, in bytes. */
export interface ByteRange {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * The part of a file that a request asks for. If the ETag in `If-Range`
 * names another version of the file, all of this one is sent.
 *
 * @param file its ETag is asked for only where the request has one
 * @returns null for the whole file, 'unsatisfiable' for 416
 */
export function requestedRange(
  headers: Headers,
  file: { etag(): string; sizeBytes: number },
): ByteRange | null | 'unsatisfiable' {
  const header = headers.get('range')
  if (header === null) return null
  const ifRange = headers.get('if-range')
  return ifRange === null || ifRange === file.etag() ? parseRange(header, file.sizeBytes) : null
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
