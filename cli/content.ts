import { createHash } from 'node:crypto'
import type { Client, Input } from '../src/client/index.ts'
import { BODY_LIMIT_BYTES } from '../src/model/plan.ts'
import { CommandFailed } from './output.ts'
import type { Bytes, Item, Source } from './sources/index.ts'
import { showProgress } from './terminal.ts'

/** The members of a page's input that are its content. */
export type Content = Pick<
  Input<'updatePage'>,
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

/** What a body may hold of content; the rest of it is for the longest list of settings. */
const INLINE_BYTES = BODY_LIMIT_BYTES - 512 * 1024

/**
 * Content as a request takes it. What is too large for one goes up first, by itself; until the
 * request that names it, nothing has changed anywhere.
 */
export async function contentFor(client: Client, source: Source): Promise<Content> {
  if (source.kind === 'deck') return deckFor(client, source)
  const { bytes } = source
  if (source.kind === 'file') {
    const { name: filename } = source
    const file_base64 = inline(bytes, 'base64')
    if (file_base64 !== null) return { file_base64, filename }
    const [file_upload] = await upload(client, [bytes])
    return { file_upload, filename }
  }
  const html = inline(bytes, 'text')
  const sha256 = sha256Of(bytes)
  if (html !== null) return { html, sha256 }
  const [html_upload] = await upload(client, [bytes])
  return { html_upload, sha256 }
}

async function deckFor(
  client: Client,
  { pages, assets }: Extract<Source, { kind: 'deck' }>,
): Promise<Content> {
  const texts = inlineSmallest(pages, 'text', INLINE_BYTES)
  const blobs = inlineSmallest(assets, 'base64', texts.left_bytes)
  const large = [...texts.large, ...blobs.large]
  const ids = await upload(
    client,
    large.map(({ bytes }) => bytes),
  )
  const upload_by = new Map(large.map((item, at) => [item, ids[at]!]))
  return {
    files: pages.map((item) => {
      const html = texts.inlined.get(item)
      const { path } = item
      return html === undefined ? { path, upload: upload_by.get(item) } : { path, html }
    }),
    assets: assets.map((item) => {
      const data_base64 = blobs.inlined.get(item)
      const { path } = item
      return data_base64 === undefined
        ? { path, upload: upload_by.get(item) }
        : { path, data_base64 }
    }),
  }
}

/** Inlines the smallest first, while the budget lasts, so that few are uploaded by themselves. */
function inlineSmallest(items: Item[], as: 'text' | 'base64', budget_bytes: number) {
  const inlined = new Map<Item, string>()
  const large: Item[] = []
  let left_bytes = budget_bytes
  for (const item of [...items].sort((a, b) => a.bytes.byteLength - b.bytes.byteLength)) {
    const text = inline(item.bytes, as, left_bytes)
    if (text === null) large.push(item)
    else {
      inlined.set(item, text)
      left_bytes -= sizeInJson(text)
    }
  }
  return { inlined, large, left_bytes }
}

/** As a string of JSON, where it fits; HTML that is not UTF-8 goes up as it is, for the server. */
function inline(bytes: Bytes, as: 'text' | 'base64', budget_bytes = INLINE_BYTES): string | null {
  if (bytes.byteLength > budget_bytes) return null
  const text = as === 'base64' ? Buffer.from(bytes).toString('base64') : utf8(bytes)
  return text !== null && sizeInJson(text) <= budget_bytes ? text : null
}

function utf8(bytes: Bytes): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
function sizeInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

async function upload(client: Client, all: Bytes[]): Promise<string[]> {
  if (all.length === 0) return []
  const total_bytes = all.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const progress = showProgress('Uploading', total_bytes)
  const ids: string[] = []
  let before_bytes = 0
  try {
    for (const bytes of all) {
      const onProgress = (sent_bytes: number) => progress.at(before_bytes + sent_bytes)
      const { data } = await client.createUpload(new Blob([bytes]), { onProgress })
      if (data.sha256 !== sha256Of(bytes)) {
        throw new CommandFailed('An upload arrived otherwise than it was sent: try again.')
      }
      ids.push(data.id)
      before_bytes += bytes.byteLength
    }
  } finally {
    progress.end()
  }
  return ids
}

function sha256Of(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex')
}
