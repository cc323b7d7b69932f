import type { Account } from '../../../model/account.ts'
import { aboutParam, refuse } from '../../../model/errors.ts'
import type { ContentInput } from '../contract.ts'
import { decodeBase64 } from '../files/base64.ts'
import {
  assertDistinctPaths,
  checkDeckPath,
  defaultEntry,
  isHtmlPath,
  quoted,
} from '../files/paths.ts'
import { assetMime, extensionOf, HTML_MIME, isImageCutOff } from '../files/types.ts'
import {
  isHtml,
  type Manifest,
  type ManifestFile,
  type SourceFile,
  type Staged,
  sizeOf,
  stage,
  withoutBytes,
} from '../staging.ts'
import { assertSize, type ImportDeps } from './deps.ts'

type DeckPage = NonNullable<ContentInput['files']>[number]
type DeckAsset = NonNullable<ContentInput['assets']>[number]

/** A file with its bytes, or one of the draft that stays. */
type DeckFile = SourceFile | ManifestFile

interface Target {
  account: Account
  before: Manifest | undefined
}
/** Where one file of it goes, and its parameter. */
type FileTarget = Target & { param: string }

/** @throws Refusal `file_not_found` where a file keeps bytes that the draft does not have */
export async function importDeck(
  deps: ImportDeps,
  { account, before }: Target,
  { files = [], assets, entry }: ContentInput,
): Promise<Staged> {
  assertCount('files', files.length, account)
  assertCount('assets', assets?.length ?? 0, account)
  if (files.length === 0)
    throw refuse.invalid('empty_deck', 'files must contain a page.', { param: 'files' })
  const newBlobs: Staged['newBlobs'] = new Map()
  const pages: ManifestFile[] = []
  const newAssets: ManifestFile[] = []
  const params: string[] = []
  for (const [at, page] of files.entries()) {
    const param = `files.${at}`
    const target = { account, before, param }
    const file = await aboutParam(param, () => readPage(deps, target, page))
    pages.push(withoutBytes(file, newBlobs))
    await deps.content.putAhead(newBlobs)
    params.push(`${param}.path`)
  }
  for (const [at, asset] of (assets ?? []).entries()) {
    const param = `assets.${at}`
    const target = { account, before, param }
    const file = await aboutParam(param, () => readAsset(deps, target, asset))
    newAssets.push(withoutBytes(file, newBlobs))
    await deps.content.putAhead(newBlobs)
    params.push(`${param}.path`)
  }
  const oldAssets = before?.files.filter(({ path }) => !isHtmlPath(path)) ?? []
  const all = [...pages, ...newAssets, ...(assets === undefined ? oldAssets : [])]
  const paths = all.map(({ path }) => path)
  assertDistinctPaths(paths, (index) => params[index] ?? 'assets')
  const staged = stage({ kind: 'bundle', entry: landing(pages, entry), files: all }, newBlobs)
  const limit = account.limits.deck_bytes
  assertSize(sizeOf(staged.manifest), account, { limit, what: 'The deck' })
  return staged
}

async function readPage(
  { uploads, work }: ImportDeps,
  { account, before, param }: FileTarget,
  { path: givenPath, html, upload, keep }: DeckPage,
): Promise<DeckFile> {
  const path = checkDeckPath(givenPath, `${param}.path`)
  if (!isHtmlPath(path)) {
    throw refuse.invalid(
      'bad_path',
      `${path} is not an HTML file: files take .html and .htm, assets take the rest.`,
      { param: `${param}.path` },
    )
  }
  if (keep !== undefined) return { ...draftFile(before, keep, param), path }
  const isUpload = html === undefined
  const given = isUpload
    ? await uploads.read(account, upload!, `${param}.upload`)
    : new TextEncoder().encode(html)
  const limit = account.limits.deck_bytes
  assertSize(given.byteLength, account, { limit, what: path })
  const charset = isUpload ? { contentType: null } : null
  const { bytes, hash } = await work.run('checkHtml', { bytes: given, charset, name: path })
  assertSize(bytes.byteLength, account, { limit, what: path })
  return { path, mime: HTML_MIME, bytes, hash }
}

async function readAsset(
  deps: ImportDeps,
  { account, before, param }: FileTarget,
  asset: DeckAsset,
): Promise<DeckFile> {
  const path = checkDeckPath(asset.path, `${param}.path`)
  const kept = asset.keep === undefined ? null : draftFile(before, asset.keep, param)
  // Another extension makes another type of the same bytes, which they must have.
  if (kept !== null && extensionOf(kept.path) === extensionOf(path)) return { ...kept, path }
  const bytes = await bytesOf(deps, { account, param }, { ...asset, keptHash: kept?.hash })
  assertSize(bytes.byteLength, account, { limit: assetLimit(account), what: path })
  const mime = assetMime(path, bytes)
  return { path, mime, bytes, hash: await deps.work.hash(bytes), is_cut_off: isImageCutOff(bytes) }
}

async function bytesOf(
  { uploads, content }: ImportDeps,
  { account, param }: Pick<FileTarget, 'account' | 'param'>,
  { data_base64: base64, upload, keptHash }: DeckAsset & { keptHash: string | undefined },
): Promise<Uint8Array> {
  if (keptHash !== undefined) return content.bytes(keptHash)
  if (base64 !== undefined) return decodeBase64(base64, `${param}.data_base64`)
  return uploads.read(account, upload!, `${param}.upload`)
}

/** A file of the draft, of the kind that `param` takes. @throws Refusal `file_not_found` */
function draftFile(before: Manifest | undefined, name: string, fileParam: string): ManifestFile {
  const param = `${fileParam}.keep`
  const path = checkDeckPath(name, param)
  const isPage = param.startsWith('files')
  const file = before?.files.find((one) => one.path === path && isHtml(one) === isPage)
  if (file !== undefined) return file
  throw refuse.invalid(
    'file_not_found',
    `The draft has no ${isPage ? 'HTML file' : 'asset'} ${quoted(path)} to keep: send its bytes.`,
    { param, path },
  )
}

/** The path where a deck's visitors land: the one that is named, or the default. */
export function landing(pages: { path: string }[], entry: string | undefined): string {
  const paths = pages.map(({ path }) => path)
  if (entry === undefined) return defaultEntry(paths)
  const path = checkDeckPath(entry, 'entry')
  if (paths.includes(path)) return path
  throw refuse.invalid(
    'bad_entry',
    `entry must name one of the deck’s HTML files; there is no ${path} among them.`,
    { param: 'entry' },
  )
}

/** An asset is within the limit of a file, as the upload that brings it. */
function assetLimit({ limits: { asset_bytes, file_bytes } }: Account): number {
  return Math.min(asset_bytes, file_bytes)
}

function assertCount(
  param: 'files' | 'assets',
  count: number,
  { limits, plan, plan_name }: Account,
): void {
  const limit = param === 'files' ? limits.deck_files : limits.deck_assets
  if (count <= limit) return
  const what = param === 'files' ? 'HTML files' : 'assets'
  const cure =
    param === 'files'
      ? 'publish a part of it as a page of its own'
      : 'leave out those that no page uses, such as source maps, or bundle them'
  const allowed = `A deck takes up to ${limit} ${what} on the ${plan_name} plan`
  const message = `${allowed}; this has ${count}: ${cure}.`
  throw refuse.invalid('too_many_files', message, { param, limit, plan })
}
