import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import { LIMITS } from '../../../model/plan.ts'
import { sha256 } from '../../../platform/secrets.ts'
import type { ContentInput } from '../contract.ts'
import { decodeHtmlBase64 } from '../files/base64.ts'
import { htmlFromBytes } from '../files/charset.ts'
import { HTML_MIME } from '../files/types.ts'
import { bufferOf, isBlank } from '../html/bytes.ts'
import { containsPlaceholder } from '../html/omit-data-uris.ts'
import { type Staged, stage } from '../staging.ts'
import type { ImportDeps } from './deps.ts'
import { assertSize } from './limits.ts'

/** Reads a single HTML page. */
export async function importHtml(
  deps: ImportDeps,
  account: Account,
  input: ContentInput,
): Promise<Staged> {
  const limit = LIMITS[account.plan].fileBytes
  const { bytes, contentType } = await readHtml(deps, account, input)
  assertSize(bytes.byteLength, account, { limit, what: 'The HTML' })
  assertChecksum(bytes, input.sha256)
  const utf8 = input.html === undefined ? htmlFromBytes(bytes, contentType) : bytes
  assertHtml(utf8)
  const file = { path: 'index.html', mime: HTML_MIME, bytes: utf8 }
  return stage({ kind: 'single', entry: file.path, files: [file] })
}

async function readHtml({ uploads, fetch }: ImportDeps, account: Account, input: ContentInput) {
  const { html, html_base64: base64, html_url: url, html_upload: upload } = input
  const contentType = null
  if (html !== undefined) return { bytes: new TextEncoder().encode(html), contentType }
  if (base64 !== undefined) return { bytes: decodeHtmlBase64(base64), contentType }
  if (upload !== undefined) {
    return { bytes: await uploads.read(account, upload, 'html_upload'), contentType }
  }
  return fetch.get(url!, { maxBytes: LIMITS[account.plan].fileBytes })
}

/**
 * Checks HTML that replaces a whole file: it must not contain the placeholders of data that
 * a read left out.
 * @param name of the file, for the message
 * @throws Refusal `empty_html`, `elided_html`
 */
export function assertHtml(utf8: Uint8Array, name = 'The HTML'): void {
  if (isBlank(bufferOf(utf8))) throw refuse.invalid('empty_html', `${name} is empty.`)
  if (!containsPlaceholder(new TextDecoder().decode(utf8))) return
  throw refuse.invalid(
    'elided_html',
    `${name} contains ELIDED-BY-SERVICE placeholders, which stand for data left out when it was ` +
      'read. Read it with full=true, or send edits to PATCH /pages/{id}/html instead.',
  )
}

function assertChecksum(bytes: Uint8Array, expected: string | undefined): void {
  if (expected === undefined) return
  const actual = sha256(bytes)
  if (actual === expected) return
  throw refuse.unprocessable(
    'sha256_mismatch',
    `The ${bytes.byteLength} bytes that arrived have another SHA-256, ${actual}: send them again.`,
    { param: 'sha256', expected, actual, size_bytes: bytes.byteLength },
  )
}
