import type { ContentInput } from '../contract.ts'
import { decodeHtmlBase64 } from '../files/base64.ts'
import { HTML_MIME } from '../files/types.ts'
import { type Staged, stage } from '../staging.ts'
import type { ImportDeps, ImportFrom } from './deps.ts'
import { assertSize } from './limits.ts'

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
  const file = { path: 'index.html', mime: HTML_MIME, ...checked }
  return stage({ kind: 'single', entry: file.path, files: [file] })
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
