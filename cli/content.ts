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
    const fileBase64 = inline(bytes, 'base64')
    if (fileBase64 !== null) return { file_base64: fileBase64, filename }
    const [fileUpload] = await upload(client, [bytes])
    return { file_upload: fileUpload, filename }
  }
  const html = inline(bytes, 'text')
  const sha256 = sha256Of(bytes)
  if (html !== null) return { html, sha256 }
  const [htmlUpload] = await upload(client, [bytes])
  return { html_upload: htmlUpload, sha256 }
}

async function deckFor(
  client: Client,
  { pages, assets }: Extract<Source, { kind: 'deck' }>,
): Promise<Content> {
  const texts = inlineSmallest(pages, 'text', INLINE_BYTES)
  const blobs = inlineSmallest(assets, 'base64', texts.leftBytes)
  const large = [...texts.large, ...blobs.large]
  const ids = await upload(
    client,
    large.map(({ bytes }) => bytes),
  )
  const uploadBy = new Map(large.map((item, at) => [item, ids[at]!]))
  return {
    files: pages.map((item) => {
      const html = texts.inlined.get(item)
      const { path } = item
      return html === undefined ? { path, upload: uploadBy.get(item) } : { path, html }
    }),
    assets: assets.map((item) => {
      const dataBase64 = blobs.inlined.get(item)
      const { path } = item
      return dataBase64 === undefined
        ? { path, upload: uploadBy.get(item) }
        : { path, data_base64: dataBase64 }
    }),
  }
}

/** Inlines the smallest first, while the budget lasts, so that few are uploaded by themselves. */
function inlineSmallest(items: Item[], as: 'text' | 'base64', budgetBytes: number) {
  const inlined = new Map<Item, string>()
  const large: Item[] = []
  let leftBytes = budgetBytes
  for (const item of [...items].sort((a, b) => a.bytes.byteLength - b.bytes.byteLength)) {
    const text = inline(item.bytes, as, leftBytes)
    if (text === null) large.push(item)
    else {
      inlined.set(item, text)
      leftBytes -= sizeInJson(text)
    }
  }
  return { inlined, large, leftBytes }
}

/** As a string of JSON, where it fits; HTML that is not UTF-8 goes up as it is, for the server. */
function inline(bytes: Bytes, as: 'text' | 'base64', budgetBytes = INLINE_BYTES): string | null {
  if (bytes.byteLength > budgetBytes) return null
  const text = as === 'base64' ? Buffer.from(bytes).toString('base64') : utf8(bytes)
  return text !== null && sizeInJson(text) <= budgetBytes ? text : null
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
  const totalBytes = all.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const progress = showProgress('Uploading', totalBytes)
  const ids: string[] = []
  let beforeBytes = 0
  try {
    for (const bytes of all) {
      const onProgress = (sentBytes: number) => progress.at(beforeBytes + sentBytes)
      const { data } = await client.createUpload(new Blob([bytes]), { onProgress })
      if (data.sha256 !== sha256Of(bytes)) {
        throw new CommandFailed('An upload arrived otherwise than it was sent: try again.')
      }
      ids.push(data.id)
      beforeBytes += bytes.byteLength
    }
  } finally {
    progress.end()
  }
  return ids
}

function sha256Of(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex')
}
