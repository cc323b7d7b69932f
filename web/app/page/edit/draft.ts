import type { Output } from '../../../../src/client/index.ts'
import { isOfService } from '../../../../src/model/page-name.ts'
import { differences } from './visual/change.ts'

/** A file whose text is edited: an HTML file, or a stylesheet, script or other text of a deck. */
export interface TextFile {
  path: string
  text: string
  /** The page is made of this Markdown, and its path is that of the Markdown. */
  isMarkdown?: true
}

/** A file of a deck that is no HTML. */
export interface Asset {
  path: string
  type: string
  size_bytes: number
  /** Where its bytes are: in the draft that the server has, or in an upload. */
  source: { path: string; hash: string } | { upload: string }
  /** Its text, once it has been opened to edit it, and the text that its source has. */
  text?: string
  sourceText?: string
}

/** The content of a draft. A single page has one file, and its path is empty. */
export interface Draft {
  kind: 'single' | 'bundle'
  entry: string
  files: TextFile[]
  assets: Asset[]
}

export function draftOf(content: Output<'readHtml'>['data']): Draft {
  if (content.kind === 'matches') throw new Error('A draft is read whole.')
  if (content.kind === 'single') {
    return { kind: 'single', entry: '', files: [{ ...sourceIn(content), path: '' }], assets: [] }
  }
  const entry = content.files.find(({ path }) => path === content.entry)?.source ?? content.entry
  return {
    kind: 'bundle',
    entry,
    files: content.files.map((file) => ({ path: file.path, ...sourceIn(file) })),
    assets: (content.assets ?? []).map(({ path, type, size_bytes, hash }) => ({
      path,
      type,
      size_bytes,
      source: { path, hash },
    })),
  }
}

type ReadFile = { [name in 'html' | 'source' | 'markdown']?: string | undefined }

/** What is edited: the Markdown where there is some. */
function sourceIn({ html = '', source = '', markdown }: ReadFile): Omit<TextFile, 'path'> {
  if (markdown === undefined) return { text: html }
  return { text: markdown, isMarkdown: true, ...(source !== '' && { path: source }) }
}

export function isHtmlPath(path: string): boolean {
  return path === '' || /\.html?$/i.test(path)
}

export function isTextAsset({ type }: Pick<Asset, 'type'>): boolean {
  return /^text\/|^application\/(json|javascript|manifest\+json)|^image\/svg/.test(type)
}

export function isMarkdownFile({ files }: Draft, path: string): boolean {
  return files.some((file) => file.path === path && file.isMarkdown)
}

/** The text of a file, or null where it is none or has not been read yet. */
export function textOf(draft: Draft, path: string): string | null {
  const file = draft.files.find((one) => one.path === path)
  return file?.text ?? draft.assets.find((one) => one.path === path)?.text ?? null
}

export function withText(draft: Draft, path: string, text: string): Draft {
  const change = <F extends { path: string }>(one: F) =>
    one.path === path ? { ...one, text } : one
  return { ...draft, files: draft.files.map(change), assets: draft.assets.map(change) }
}

function identity(asset: Asset): string {
  if (asset.text !== asset.sourceText) return `text ${asset.text}`
  return 'upload' in asset.source ? `upload ${asset.source.upload}` : `hash ${asset.source.hash}`
}

function contents({ files, assets }: Draft): Map<string, string> {
  return new Map([
    ...files.map(({ path, text }) => [path, text] as const),
    ...assets.map((asset) => [asset.path, identity(asset)] as const),
  ])
}

/** The paths of files that differ, also those that one of the two lacks. */
export function differingPaths(a: Draft, b: Draft): string[] {
  const [left, right] = [contents(a), contents(b)]
  const paths = new Set([...left.keys(), ...right.keys()])
  return [...paths].filter((path) => left.get(path) !== right.get(path))
}

export function isSameDraft(a: Draft, b: Draft): boolean {
  return a === b || (a.entry === b.entry && differingPaths(a, b).length === 0)
}

export function assetsDiffer(a: Draft, b: Draft): boolean {
  return differingPaths({ ...a, files: [] }, { ...b, files: [] }).length > 0
}

export function withAssetText(draft: Draft, path: string, text: string): Draft {
  const setText = (one: Asset) =>
    one.path === path && one.text === undefined ? { ...one, text, sourceText: text } : one
  return { ...draft, assets: draft.assets.map(setText) }
}

/** A draft whose assets are read from the paths that they were saved under. */
export function withNewPaths(draft: Draft, base: Draft): Draft {
  const pathOf = new Map(
    base.assets.flatMap(({ path, source }) => ('hash' in source ? [[source.path, path]] : [])),
  )
  const assets = draft.assets.map((asset) => {
    const { source } = asset
    const path = 'hash' in source ? pathOf.get(source.path) : undefined
    return path === undefined ? asset : { ...asset, source: { ...source, path } as Asset['source'] }
  })
  return { ...draft, assets }
}

/** The draft that was saved, and what has been typed since, with assets as the server has them. */
export function afterSave(base: Draft, work: Draft, current: Draft): { base: Draft; work: Draft } {
  const findAsset = (assets: Asset[], path: string) => assets.find((one) => one.path === path)
  const assets = current.assets.map((asset) => {
    const text = findAsset(base.assets, asset.path)?.text
    return text === undefined ? asset : { ...asset, text, sourceText: text }
  })
  const since = work.assets.map((asset) => {
    const [now, before] = [findAsset(assets, asset.path), findAsset(base.assets, asset.path)]
    if (now === undefined || before === undefined) return asset
    if (identity(asset) === identity(before)) return now
    return now.text === undefined || asset.text === undefined ? asset : { ...now, text: asset.text }
  })
  return { base: { ...base, assets }, work: { ...work, assets: since } }
}

/**
 * Joins two drafts that were changed from the same one.
 * @returns the changes of both; of files where both changed one place, mine, and their paths
 */
export function mergeDrafts(base: Draft, work: Draft, theirs: Draft) {
  const own = new Set(differingPaths(base, work))
  const foreign = new Set(differingPaths(base, theirs))
  const conflicts: string[] = []
  let mine = work
  for (const path of differingPaths(work, theirs)) {
    if (!own.has(path) || !foreign.has(path)) continue
    const text = mergeTexts(base, work, theirs, path)
    if (text === null) conflicts.push(path)
    else mine = withText(mine, path, text)
  }
  const isMine = ({ path }: { path: string }) => own.has(path)
  const entry = mine.entry === base.entry ? theirs.entry : mine.entry
  const files = [...theirs.files.filter((file) => !isMine(file)), ...mine.files.filter(isMine)]
  const assets = [...theirs.assets.filter((one) => !isMine(one)), ...mine.assets.filter(isMine)]
  const draft = { ...mine, files: inOrder(files), assets: inOrder(assets) }
  return { draft: { ...draft, entry: entryAmong(draft.files, entry) }, conflicts }
}

/** A file with the changes of both; null where they meet, or where one has no text of it. */
function mergeTexts(base: Draft, mine: Draft, theirs: Draft, path: string): string | null {
  const [before, left, right] = [base, mine, theirs].map((draft) => textOf(draft, path))
  if (before == null || left == null || right == null) return null
  const changes = [left, right]
    .flatMap((after) => differences(before, after))
    .toSorted((a, b) => a.start - b.start)
  let out = ''
  let from = -1
  for (const { start, end, insert } of changes) {
    if (start <= from) return null
    out += before.slice(Math.max(0, from), start) + insert
    from = end
  }
  return out + before.slice(from)
}

export function inOrder<F extends { path: string }>(files: F[]): F[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** A deck has an entry: where its file is gone, the first one is. */
function entryAmong(files: TextFile[], entry: string): string {
  if (files.some(({ path }) => path === entry)) return entry
  return files.find(({ path }) => path === 'index.html')?.path ?? files[0]?.path ?? ''
}

/** Gives a file another path. The links to it in other files stay as they are. */
export function renamed(draft: Draft, from: string, to: string): Draft {
  const rename = <F extends { path: string }>(one: F) =>
    one.path === from ? { ...one, path: to } : one
  return {
    ...draft,
    entry: draft.entry === from ? to : draft.entry,
    files: inOrder(draft.files.map(rename)),
    assets: inOrder(draft.assets.map(rename)),
  }
}

export function without(draft: Draft, path: string): Draft {
  const stays = (one: { path: string }) => one.path !== path
  const files = draft.files.filter(stays)
  const entry = entryAmong(files, draft.entry)
  return { ...draft, entry, files, assets: draft.assets.filter(stays) }
}

/** Why a path cannot be that of a file here, or null. The server checks it once more. */
export function pathProblem(draft: Draft, path: string, before: string | null): string | null {
  if (path === '') return 'Give the file a name.'
  if (/^\/|\/$|\/\/|(^|\/)\.{1,2}(\/|$)|\\/.test(path)) {
    return 'Write the path from the deck’s folder, such as parts/two.html.'
  }
  if (isOfService(path)) return 'Names that start like this are reserved.'
  if (before !== null && isHtmlPath(before) !== isHtmlPath(path)) {
    return isHtmlPath(before) ? 'A page’s name ends in .html.' : 'Only pages end in .html.'
  }
  const isTaken = [...draft.files, ...draft.assets].some(
    (one) => one.path.toLowerCase() === path.toLowerCase() && one.path !== before,
  )
  return isTaken ? 'There is a file of that name.' : null
}

/** Line ends stay as they are: in a file with mixed ones, `\r` is a character like others. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n'
}
