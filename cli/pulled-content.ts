import { createHash } from 'node:crypto'
import type { Client, Output } from '../src/client/index.ts'
import { CommandFailed, oneLine } from './output.ts'
import type { Page } from './page.ts'

/** A file of a page, on the server. */
export interface PulledFile {
  path: string
  isHtml: boolean
  /** Its bytes, checked at their end. */
  chunks(): AsyncIterable<Uint8Array>
}

type PulledContent = { kind: 'file'; file: PulledFile } | { kind: 'deck'; files: PulledFile[] }

type Asset = NonNullable<Output<'getVersion'>['data']['assets']>[number]

interface Listed {
  /** The HTML of a single page. */
  html?: string | undefined
  files?: { path: string; html: string }[] | undefined
  assets?: Asset[] | undefined
}

/** Lists the content of a page's draft or of a version. HTML is in it; the rest is fetched. */
export async function fetchPublished(
  client: Client,
  page: Page,
  version: number | undefined,
): Promise<PulledContent> {
  const { html, files = [], assets = [] } = await listContent(client, page, version)
  const fetched = (asset: Asset): PulledFile => ({
    path: asset.path,
    isHtml: false,
    chunks: () => fetchAsset(client, { id: page.id, version }, asset),
  })
  if (html !== undefined) return { kind: 'file', file: inlined('index.html', html) }
  if (page.kind === 'single') {
    const [only] = assets
    if (only === undefined) throw new CommandFailed('The server lists no file of this page.')
    return { kind: 'file', file: fetched(only) }
  }
  const pages = files.map((file) => inlined(file.path, file.html))
  return { kind: 'deck', files: [...pages, ...assets.map(fetched)] }
}

/** A version has all of its content; of a draft, a PDF or image has no HTML to list. */
async function listContent(client: Client, page: Page, version?: number): Promise<Listed> {
  const { id, file } = page
  if (version === undefined && file === null) {
    const { data } = await client.readHtml({ id, full: true })
    return data
  }
  const number = version ?? (await client.listVersions({ id })).data[0]?.version_no
  if (number === undefined) throw new CommandFailed('The server lists no version of this page.')
  const { data } = await client.getVersion({ id, version_no: number })
  return data
}

function inlined(path: string, html: string): PulledFile {
  async function* chunks() {
    yield new TextEncoder().encode(html)
  }
  return { path, isHtml: true, chunks }
}

/** @throws CommandFailed where the bytes are others than the list says */
async function* fetchAsset(
  client: Client,
  { id, version }: { id: string; version: number | undefined },
  { path, hash }: Asset,
): AsyncGenerator<Uint8Array> {
  const response = await client.readFile({ id, path, ...(version !== undefined && { version }) })
  const hasher = createHash('sha256')
  for await (const chunk of response.body ?? []) {
    hasher.update(chunk)
    yield chunk
  }
  if (hasher.digest('hex') === hash) return
  throw new CommandFailed(
    `${oneLine(path)} arrived damaged, or the draft has just changed: pull the page again.`,
  )
}
