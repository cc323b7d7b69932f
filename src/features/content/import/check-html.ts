import { refuse } from '../../../model/errors.ts'
import { sha256 } from '../../../platform/secrets.ts'
import { htmlFromBytes } from '../files/charset.ts'
import { bufferOf, isBlank } from '../html/bytes.ts'
import { hasPlaceholder } from '../html/omit-data-uris.ts'

export interface HtmlToCheck {
  bytes: Uint8Array
  /** Its charset, where the bytes may be in any; null for bytes that were text in the request. */
  charset: { contentType: string | null } | null
  /** The SHA-256 that the bytes must have, in hex. */
  expectedHash?: string | undefined
  /** The name of the file, for messages. */
  name: string
}

export interface CheckedHtml {
  /** The HTML in UTF-8. */
  bytes: Uint8Array
  /** Its SHA-256. */
  hash: string
}

/**
 * Checks HTML that replaces a whole file, and converts it to UTF-8.
 *
 * @throws Refusal `sha256_mismatch`, `invalid_html`, `empty_html`, `elided_html`
 */
export function checkHtml({ bytes, charset, expectedHash, name }: HtmlToCheck): CheckedHtml {
  const givenHash = sha256(bytes)
  assertChecksum(bytes, givenHash, expectedHash)
  const utf8 = charset === null ? bytes : htmlFromBytes(bytes, charset.contentType)
  assertHtml(utf8, name)
  return { bytes: utf8, hash: utf8 === bytes ? givenHash : sha256(utf8) }
}

/** Refuses nothing, and the placeholders of data that a read left out. */
function assertHtml(utf8: Uint8Array, name: string): void {
  const buffer = bufferOf(utf8)
  if (isBlank(buffer)) throw refuse.invalid('empty_html', `${name} is empty.`)
  if (!hasPlaceholder(buffer)) return
  throw refuse.invalid(
    'elided_html',
    `${name} contains ELIDED-BY-SERVICE placeholders, which stand for data left out when it was ` +
      'read. Read it with full=true, or send edits to PATCH /pages/{id}/html instead.',
  )
}

function assertChecksum(bytes: Uint8Array, actual: string, expected: string | undefined): void {
  if (expected === undefined || expected === actual) return
  throw refuse.unprocessable(
    'sha256_mismatch',
    `The ${bytes.byteLength} bytes that arrived have another SHA-256, ${actual}: send them again.`,
    { param: 'sha256', expected, actual, size_bytes: bytes.byteLength },
  )
}
