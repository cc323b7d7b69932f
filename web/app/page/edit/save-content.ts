import { api, type Input } from '../../api.ts'
import { type Asset, assetsDiffer, type Draft, differingPaths, type TextFile } from './draft.ts'
import { differences, type SourceEdit } from './visual/change.ts'

/** A request may have 4 MB, so larger files are uploaded first. */
const INLINE_BYTES = 256 * 1024
const INLINE_TOTAL_BYTES = 2 * 1024 * 1024
/** Beyond these, a file is written whole. */
const MAX_EDITS = 50
const MAX_EDITED_CHARS = 5_000_000
const MAX_SENT_BYTES = 3_500_000
const MAX_SEARCHED_VERSIONS = 10
/** How much of the text around a place is named with it, until it is found once. */
const AROUND = [0, 16, 64, 256, 1024, 4096]

type Edits = Pick<Input<'editHtml'>, 'edits' | 'file'>

/**
 * The changes as find-and-replace edits, where one HTML file was changed in few places: comments
 * then move with the text as it moved. Else null.
 */
export function editsBetween(base: Draft, draft: Draft): Edits | null {
  const [path, ...others] = differingPaths(base, draft)
  const before = base.files.find((file) => file.path === path)?.text
  const after = draft.files.find((file) => file.path === path)?.text
  if (others.length > 0 || before === undefined || after === undefined) return null
  if (base.entry !== draft.entry) return null
  const edits = editsOf(before, after)
  return edits && { edits, ...(path !== '' && { file: path! }) }
}

/** The edits that make `after` of `before`, each of which is found once where it is applied. */
export function editsOf(before: string, after: string): Edits['edits'] | null {
  if (Math.max(before.length, after.length) > MAX_EDITED_CHARS) return null
  if (!before.isWellFormed() || !after.isWellFormed()) return null
  const changes = differences(before, after)
  if (changes.length === 0 || changes.length > MAX_EDITS) return null
  const edits: Edits['edits'] = []
  let text = before
  // From the end, so that what is before a place has not moved.
  for (const { start, end, insert } of changes.toReversed()) {
    const edit = editAt(text, { start, end, insert })
    if (edit === null) return null
    edits.push(edit)
    text = text.slice(0, start) + insert + text.slice(end)
  }
  return new Blob([JSON.stringify(edits)]).size <= MAX_SENT_BYTES ? edits : null
}

function editAt(text: string, { start, end, insert }: SourceEdit): Edits['edits'][number] | null {
  for (const chars of AROUND) {
    const from = wholeBefore(text, Math.max(0, start - chars))
    const to = wholeBefore(text, Math.min(text.length, end + chars))
    const find = text.slice(from, Math.max(to, end))
    const at = find === '' ? -1 : text.indexOf(find)
    if (at < 0 || text.indexOf(find, at + 1) >= 0) continue
    const replace = text.slice(from, start) + insert + text.slice(end, Math.max(to, end))
    const isSent = find.isWellFormed() && replace.isWellFormed()
    return isSent && !/ELIDED-BY-SERVICE/.test(find + replace) ? { find, replace } : null
  }
  return null
}

/** The position, or the one before where it is within a character of two code units. */
function wholeBefore(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') && at > 0 ? at - 1 : at
}

type Content = Pick<
  Input<'updatePage'>,
  'html' | 'html_upload' | 'markdown' | 'markdown_upload' | 'files' | 'assets' | 'entry'
>
type SentText = { html: string } | { markdown: string } | { upload: string }
type DeckPage = NonNullable<Content['files']>[number]
type SentAsset = NonNullable<Content['assets']>[number]

/**
 * The content of an update that makes `draft` the draft, in place of `base`. What has not changed
 * keeps its bytes, so the update must be of `base`: it is sent with its ETag.
 */
export async function contentOf(id: string, base: Draft, draft: Draft): Promise<Content> {
  let inlineBytes = INLINE_TOTAL_BYTES
  /** A text that is sent with the request, or uploaded before it. */
  async function textContent({ text, isMarkdown }: TextFile, most: number): Promise<SentText> {
    const { size } = new Blob([text])
    if (size > Math.min(inlineBytes, most)) return { upload: await upload(text) }
    inlineBytes -= size
    return isMarkdown ? { markdown: text } : { html: text }
  }
  if (draft.kind === 'single') {
    const [file] = draft.files
    const content = await textContent(file!, INLINE_TOTAL_BYTES)
    if (!('upload' in content)) return content
    return file!.isMarkdown ? { markdown_upload: content.upload } : { html_upload: content.upload }
  }
  const baseTexts = new Map(base.files.map(({ path, text }) => [path, text]))
  const files: DeckPage[] = []
  for (const file of draft.files) {
    const { path, text } = file
    const isKept = baseTexts.get(path) === text
    files.push(isKept ? { path, keep: path } : { path, ...(await textContent(file, INLINE_BYTES)) })
  }
  // Without `assets` the deck keeps those that it has.
  if (!assetsDiffer(base, draft)) return { files, entry: draft.entry }
  const present = new Set(base.assets.map(identityOf))
  const assets = await Array.fromAsync(draft.assets, async (asset) =>
    'upload' in asset.source || present.has(identityOf(asset))
      ? assetOf(asset)
      : { path: asset.path, upload: await restored(id, asset) },
  )
  return { files, assets, entry: draft.entry }
}

async function assetOf({ path, source, text, sourceText }: Asset): Promise<SentAsset> {
  if (text !== undefined && text !== sourceText) return { path, upload: await upload(text) }
  return 'upload' in source ? { path, upload: source.upload } : { path, keep: source.path }
}

const identityOf = ({ source }: Asset) => JSON.stringify(source)

/** A file that was deleted and is back, of the newest version that has it. */
async function restored(id: string, { path, source, text }: Asset): Promise<string> {
  if (text !== undefined) return upload(text)
  const before = 'hash' in source ? source : { path, hash: '' }
  const { data: versions } = await api.listVersions({ id })
  for (const { version_no: version } of versions.slice(0, MAX_SEARCHED_VERSIONS)) {
    const { data } = await api.listFiles({ id, version })
    const isThere = data.files.some((one) => one.path === before.path && one.hash === before.hash)
    if (!isThere) continue
    const file = await api.readFile({ id, path: before.path, version })
    return (await api.createUpload(await file.blob())).data.id
  }
  throw new Error(`${path} is in none of the last versions: delete it here, and add it again.`)
}

async function upload(text: string): Promise<string> {
  return (await api.createUpload(new Blob([text]))).data.id
}
