import type { Input } from '../../../../src/client/index.ts'
import { api } from '../../api.ts'
import { type Asset, assetsDiffer, type Draft, type TextFile } from './draft.ts'

/** A request may have 4 MB, so larger files are uploaded first. */
const INLINE_BYTES = 256 * 1024
const INLINE_TOTAL_BYTES = 2 * 1024 * 1024

type Content = Pick<Input<'updatePage'>, 'html' | 'html_upload' | 'files' | 'assets' | 'entry'>
type Page = NonNullable<Content['files']>[number]
type SentAsset = NonNullable<Content['assets']>[number]

/**
 * The content of an update that makes `draft` the draft, in place of `base`. What has not changed
 * keeps its bytes, so the update must be of `base`: it is sent with its ETag.
 */
export async function contentOf(base: Draft, draft: Draft): Promise<Content> {
  const budget = { bytes: INLINE_TOTAL_BYTES }
  if (draft.kind === 'single') {
    const { text } = draft.files[0]!
    const upload = await uploadIfLarge(text, {
      bytes: INLINE_TOTAL_BYTES,
      maxBytes: INLINE_TOTAL_BYTES,
    })
    return upload === null ? { html: text } : { html_upload: upload }
  }
  const stored = new Map(base.files.map(({ path, text }) => [path, text]))
  const files: Page[] = []
  for (const file of draft.files) {
    const { path, text } = file
    files.push(stored.get(path) === text ? { path, keep: path } : await pageOf(file, budget))
  }
  // Without `assets` the deck keeps those that it has.
  if (!assetsDiffer(base, draft)) return { files, entry: draft.entry }
  const assets: SentAsset[] = []
  for (const asset of draft.assets) assets.push(await assetOf(asset))
  return { files, assets, entry: draft.entry }
}

async function pageOf({ path, text }: TextFile, budget: { bytes: number }): Promise<Page> {
  const upload = await uploadIfLarge(text, { ...budget, maxBytes: INLINE_BYTES })
  if (upload !== null) return { path, upload }
  budget.bytes -= byteLength(text)
  return { path, html: text }
}

async function assetOf({ path, source, text, sourceText }: Asset): Promise<SentAsset> {
  if (text !== undefined && text !== sourceText) return { path, upload: await upload(text) }
  return 'upload' in source ? { path, upload: source.upload } : { path, keep: source.path }
}

async function uploadIfLarge(
  text: string,
  { bytes, maxBytes }: { bytes: number; maxBytes: number },
): Promise<string | null> {
  return byteLength(text) > Math.min(bytes, maxBytes) ? upload(text) : null
}

async function upload(content: string | Blob): Promise<string> {
  const blob = typeof content === 'string' ? new Blob([content]) : content
  return (await api.createUpload(blob)).data.id
}

function byteLength(text: string): number {
  return new Blob([text]).size
}
