import { isUtf8 } from 'node:buffer'
import { parse as parseDisposition } from 'content-disposition'
import type { Fetched } from '../../../platform/fetch/index.ts'
import type { ContentInput } from '../contract.ts'
import { decodeBase64, decodeHtmlBase64 } from '../files/base64.ts'
import { checkFilename, fileMime, HTML_MIME } from '../files/types.ts'
import { type Staged, stage } from '../staging.ts'
import { assertSize, type ImportDeps, type ImportFrom } from './deps.ts'

/** Reads a PDF or an image. */
export async function importFile(
  deps: ImportDeps,
  { account, fetched }: ImportFrom,
  input: ContentInput,
): Promise<Staged> {
  const limit = account.limits.file_bytes
  const { bytes, name } = await readFile(deps, { account, fetched }, input)
  assertSize(bytes.byteLength, account, { limit, what: 'The file' })
  const filename = checkFilename(input.filename ?? name)
  const mime = fileMime(filename, bytes, input.mime)
  const files = [{ path: filename, mime, bytes, hash: await deps.work.hash(bytes) }]
  return stage({ kind: 'single', entry: filename, file_name: filename, files })
}

async function readFile(
  { uploads }: ImportDeps,
  { account, fetched }: ImportFrom,
  { file_base64: base64, file_upload: upload }: ContentInput,
) {
  const name = 'file'
  if (base64 !== undefined) return { bytes: decodeBase64(base64, 'file_base64'), name }
  if (upload !== undefined) {
    return { bytes: await uploads.read(account, upload, 'file_upload'), name }
  }
  return { bytes: await fetched!.read(), name: nameOf(fetched!) }
}

/** The name that the server gives the file, else the one in its URL. */
function nameOf({ contentDisposition, url }: Fetched): string {
  const given = contentDisposition === null ? null : nameInDisposition(contentDisposition)
  return given ?? nameInUrl(url)
}

const MAX_HEADER_CHARS = 4096

/** @returns null where the header has no name that a file can have */
function nameInDisposition(header: string): string | null {
  if (header.length > MAX_HEADER_CHARS) return null
  try {
    const name = parseDisposition(header).parameters.filename ?? ''
    return checkFilename(utf8Of(name))
  } catch {
    return null
  }
}

/** Many servers send UTF-8, which the HTTP client reads as Latin-1. */
function utf8Of(name: string): string {
  if (!/^[\0-\xff]*$/.test(name)) return name
  const bytes = Buffer.from(name, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : name
}

/** The last segment of the path. */
function nameInUrl(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || 'file'
  } catch {
    return segment
  }
}

/** Reads a single HTML page. */
export async function importHtml(
  deps: ImportDeps,
  { account, fetched }: ImportFrom,
  input: ContentInput,
): Promise<Staged> {
  const limit = account.limits.file_bytes
  const { bytes, contentType } = await readHtml(deps, { account, fetched }, input)
  assertSize(bytes.byteLength, account, { limit, what: 'The HTML' })
  const checked = await deps.work.run('checkHtml', {
    bytes,
    charset: input.html === undefined ? { contentType } : null,
    expectedHash: input.sha256,
    name: 'The HTML',
  })
  const { warnings, ...content } = checked
  const file = { path: 'index.html', mime: HTML_MIME, ...content }
  const staged = stage({ kind: 'single', entry: file.path, files: [file] })
  return { ...staged, warnings: warnings.map((each) => ({ ...each, path: null })) }
}

async function readHtml(
  { uploads }: ImportDeps,
  { account, fetched }: ImportFrom,
  { html, html_base64: base64, html_upload: upload }: ContentInput,
) {
  const contentType = null
  if (html !== undefined) return { bytes: new TextEncoder().encode(html), contentType }
  if (base64 !== undefined) return { bytes: decodeHtmlBase64(base64), contentType }
  if (upload !== undefined) {
    return { bytes: await uploads.read(account, upload, 'html_upload'), contentType }
  }
  return { bytes: await fetched!.read(), contentType: fetched!.contentType }
}
