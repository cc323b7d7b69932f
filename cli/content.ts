import { createHash } from 'node:crypto'
import type { Client, Input } from '../src/client/index.ts'
import { BODY_LIMIT_BYTES } from '../src/model/plan.ts'
import type { Bytes, DeckFile, LocalContent } from './local-content/index.ts'
import { CommandFailed } from './output.ts'
import { assertPlanAllows } from './plan-limits.ts'
import { showProgress } from './terminal.ts'

/** The content fields of an API request. */
export type Content = Pick<
  Input<'createPage'>,
  | 'html'
  | 'html_upload'
  | 'sha256'
  | 'files'
  | 'assets'
  | 'entry'
  | 'file_base64'
  | 'file_upload'
  | 'filename'
>

/** How much content a request body can carry. The rest is left for the settings. */
const INLINE_BYTES = BODY_LIMIT_BYTES - 512 * 1024

/**
 * Turns local content into the fields of an API request. Content that is too large for the request
 * body is uploaded first; an upload alone changes no page. Content that the plan does not allow is
 * not sent at all.
 */
export async function prepareContent(client: Client, local: LocalContent): Promise<Content> {
  await assertPlanAllows(client, local)
  if (local.kind === 'deck') return prepareDeck(client, local)
  const { bytes } = local
  if (local.kind === 'file') {
    const { name: filename } = local
    const fileBase64 = toInlineText(bytes, 'base64')
    if (fileBase64 !== null) return { file_base64: fileBase64, filename }
    const [fileUpload] = await upload(client, [bytes])
    return { file_upload: fileUpload, filename }
  }
  const html = toInlineText(bytes, 'text')
  const sha256 = sha256Of(bytes)
  if (html !== null) return { html, sha256 }
  const [htmlUpload] = await upload(client, [bytes])
  return { html_upload: htmlUpload, sha256 }
}

async function prepareDeck(
  client: Client,
  { pages, assets }: Extract<LocalContent, { kind: 'deck' }>,
): Promise<Content> {
  const texts = inlineSmallestFirst(pages, 'text', INLINE_BYTES)
  const blobs = inlineSmallestFirst(assets, 'base64', texts.leftBytes)
  const large = [...texts.large, ...blobs.large]
  const ids = await upload(
    client,
    large.map(({ bytes }) => bytes),
  )
  const uploadBy = new Map(large.map((file, at) => [file, ids[at]!]))
  return {
    files: pages.map((file) => {
      const html = texts.inlined.get(file)
      const { path } = file
      return html === undefined ? { path, upload: uploadBy.get(file) } : { path, html }
    }),
    assets: assets.map((file) => {
      const dataBase64 = blobs.inlined.get(file)
      const { path } = file
      return dataBase64 === undefined
        ? { path, upload: uploadBy.get(file) }
        : { path, data_base64: dataBase64 }
    }),
  }
}

/** Inlines the smallest files first, within the budget, so that few need an upload. */
function inlineSmallestFirst(files: DeckFile[], as: 'text' | 'base64', budgetBytes: number) {
  const inlined = new Map<DeckFile, string>()
  const large: DeckFile[] = []
  let leftBytes = budgetBytes
  for (const file of [...files].sort((a, b) => a.bytes.byteLength - b.bytes.byteLength)) {
    const text = toInlineText(file.bytes, as, leftBytes)
    if (text === null) large.push(file)
    else {
      inlined.set(file, text)
      leftBytes -= sizeInJson(text)
    }
  }
  return { inlined, large, leftBytes }
}

/** Converts bytes to a JSON string. Null if it exceeds the budget, or is HTML but not UTF-8. */
function toInlineText(
  bytes: Bytes,
  as: 'text' | 'base64',
  budgetBytes = INLINE_BYTES,
): string | null {
  if (bytes.byteLength > budgetBytes) return null
  const text = as === 'base64' ? Buffer.from(bytes).toString('base64') : decodeUtf8(bytes)
  return text !== null && sizeInJson(text) <= budgetBytes ? text : null
}

function decodeUtf8(bytes: Bytes): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
function sizeInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

async function upload(client: Client, contents: Bytes[]): Promise<string[]> {
  if (contents.length === 0) return []
  const totalBytes = contents.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const progress = showProgress('Uploading', totalBytes)
  const ids: string[] = []
  let uploadedBytes = 0
  try {
    for (const bytes of contents) {
      const onProgress = (sentBytes: number) => progress.update(uploadedBytes + sentBytes)
      const { data } = await client.createUpload(new Blob([bytes]), { onProgress })
      if (data.sha256 !== sha256Of(bytes)) {
        throw new CommandFailed('An upload arrived damaged: try again.')
      }
      ids.push(data.id)
      uploadedBytes += bytes.byteLength
    }
  } finally {
    progress.end()
  }
  return ids
}

function sha256Of(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex')
}
