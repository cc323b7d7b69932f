import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import {
  inMegabytes,
  LIMITS,
  type Limits,
  MAX_ASSET_BYTES,
  MAX_DECK_ASSETS,
  MAX_DECK_PAGES,
} from '../../model/plan.ts'
import type { GuardedFetch } from '../../platform/fetch/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { ContentInput } from './contract.ts'
import { decodeBase64, decodeHtmlBase64, htmlFromBytes } from './files/base64.ts'
import { assertDistinctPaths, checkDeckPath, defaultEntry, isHtmlPath } from './files/paths.ts'
import { assetMime, checkFilename, fileMime, HTML_MIME } from './files/types.ts'
import { containsPlaceholder } from './html/omit-data-uris.ts'
import type { Manifest } from './manifest.ts'
import { type SourceFile, type Staged, stage } from './staging.ts'
import type { Uploads } from './uploads.ts'

const SOURCES = [
  'html',
  'html_base64',
  'html_url',
  'html_upload',
  'files',
  'file_base64',
  'file_url',
  'file_upload',
] as const
type SourceName = (typeof SOURCES)[number]

/** Which source each companion goes with. */
const COMPANIONS = {
  sha256: /^html/,
  entry: /^files$/,
  assets: /^files$/,
  filename: /^file_/,
  mime: /^file_/,
} as const

/**
 * Reads the content source that a request names, and checks it against the limits of the plan.
 * Stores nothing.
 *
 * @param before the content that a deck keeps its assets from
 */
export type ImportContent = (
  account: Account,
  input: ContentInput,
  before?: Manifest,
) => Promise<Staged>

export interface ImportDeps {
  uploads: Pick<Uploads, 'read'>
  fetch: GuardedFetch
}

export function createImportContent({ uploads, fetch }: ImportDeps): ImportContent {
  async function html(account: Account, input: ContentInput): Promise<Staged> {
    const limit = LIMITS[account.plan].fileBytes
    const bytes = await htmlBytes(account, input, limit)
    assertFits(bytes, limit, account, 'The HTML')
    assertChecksum(bytes, input.sha256)
    const utf8 =
      input.html === undefined ? htmlFromBytes(bytes.bytes, bytes.contentType) : bytes.bytes
    assertHtml(utf8)
    const file = { path: 'index.html', mime: HTML_MIME, bytes: utf8 }
    return stage({ kind: 'single', entry: file.path, files: [file] })
  }

  async function htmlBytes(account: Account, input: ContentInput, maxBytes: number) {
    const { html, html_base64: htmlBase64, html_url: htmlUrl, html_upload: htmlUpload } = input
    if (html !== undefined) return plain(new TextEncoder().encode(html))
    if (htmlBase64 !== undefined) return plain(decodeHtmlBase64(htmlBase64))
    if (htmlUpload !== undefined) {
      return plain(await uploads.read(account, htmlUpload, 'html_upload'))
    }
    return fetch.get(htmlUrl!, { maxBytes })
  }

  async function file(account: Account, input: ContentInput): Promise<Staged> {
    const limit = LIMITS[account.plan].fileBytes
    const { bytes, name } = await fileBytes(account, input, limit)
    assertFits({ bytes }, limit, account, 'The file')
    const filename = checkFilename(input.filename ?? name)
    const mime = fileMime(filename, bytes, input.mime)
    return stage({
      kind: 'single',
      entry: filename,
      file_name: filename,
      files: [{ path: filename, mime, bytes }],
    })
  }

  async function fileBytes(account: Account, input: ContentInput, maxBytes: number) {
    const { file_base64: fileBase64, file_url: fileUrl, file_upload: fileUpload } = input
    if (fileBase64 !== undefined) {
      return { bytes: decodeBase64(fileBase64, 'file_base64'), name: 'file' }
    }
    if (fileUpload !== undefined) {
      return { bytes: await uploads.read(account, fileUpload, 'file_upload'), name: 'file' }
    }
    const fetched = await fetch.get(fileUrl!, { maxBytes })
    return { bytes: fetched.bytes, name: nameIn(fetched.url) }
  }

  async function deck(
    account: Account,
    input: ContentInput,
    before: Manifest | undefined,
  ): Promise<Staged> {
    const { files = [], assets, entry } = input
    assertCount('files', files.length, MAX_DECK_PAGES)
    assertCount('assets', assets?.length ?? 0, MAX_DECK_ASSETS)
    if (files.length === 0)
      throw refuse.invalid('empty_deck', 'files must hold a page.', param('files'))
    const limits = LIMITS[account.plan]
    const pages: SourceFile[] = []
    for (const item of files) pages.push(await deckPage(account, item, limits))
    const kept =
      assets === undefined ? (before?.files.filter((f) => !isHtmlPath(f.path)) ?? []) : []
    const fresh: SourceFile[] = []
    for (const item of assets ?? []) fresh.push(await deckAsset(account, item))
    const all = [...pages, ...fresh, ...kept]
    assertDistinctPaths(all.map(({ path }) => path))
    const staged = stage({ kind: 'bundle', entry: landing(pages, entry), files: all })
    assertDeckFits(staged.manifest, limits, account)
    return staged
  }

  async function deckPage(
    account: Account,
    { path: given, html, upload }: NonNullable<ContentInput['files']>[number],
    limits: Limits,
  ): Promise<SourceFile> {
    const path = checkDeckPath(given)
    if (!isHtmlPath(path)) {
      throw refuse.invalid(
        'bad_path',
        `${path} is not an HTML file: files take .html and .htm, assets take the rest.`,
        param('files'),
      )
    }
    const bytes =
      html === undefined
        ? htmlFromBytes(await uploads.read(account, upload!, 'files'), null)
        : new TextEncoder().encode(html)
    assertFits({ bytes }, limits.deckBytes, account, path)
    assertHtml(bytes, path)
    return { path, mime: HTML_MIME, bytes }
  }

  async function deckAsset(
    account: Account,
    { path: given, data_base64: dataBase64, upload }: NonNullable<ContentInput['assets']>[number],
  ): Promise<SourceFile> {
    const path = checkDeckPath(given)
    const bytes =
      dataBase64 === undefined
        ? await uploads.read(account, upload!, 'assets')
        : decodeBase64(dataBase64, 'assets')
    assertFits({ bytes }, MAX_ASSET_BYTES, account, path)
    return { path, mime: assetMime(path, bytes), bytes }
  }

  return (account, input, before) => {
    const source = contentSource(input)
    if (source === 'files') return deck(account, input, before)
    return source.startsWith('html') ? html(account, input) : file(account, input)
  }
}

/** The one source that the request names. @throws Refusal `content_source` */
export function contentSource(input: ContentInput): SourceName {
  const given = SOURCES.filter((name) => input[name] !== undefined)
  const [source, another] = given
  if (source === undefined) {
    throw refuse.invalid('content_source', `Send the content in one of ${SOURCES.join(', ')}.`)
  }
  if (another !== undefined) {
    throw refuse.invalid(
      'content_source',
      `Send the content in one member only, not in both ${source} and ${another}.`,
      param(another),
    )
  }
  for (const [companion, goesWith] of Object.entries(COMPANIONS)) {
    if (input[companion as keyof ContentInput] === undefined || goesWith.test(source)) continue
    throw refuse.invalid(
      'content_source',
      `${companion} does not go with ${source}: leave it out.`,
      param(companion),
    )
  }
  return source
}

/** Where a deck lands: the entry named, or the usual one. */
export function landing(pages: { path: string }[], entry: string | undefined): string {
  const paths = pages.map(({ path }) => path)
  if (entry === undefined) return defaultEntry(paths)
  const path = checkDeckPath(entry)
  if (paths.includes(path)) return path
  throw refuse.invalid(
    'bad_entry',
    `entry must name one of the deck’s HTML files; there is no ${path} among them.`,
    param('entry'),
  )
}

function assertFits(
  { bytes }: { bytes: Uint8Array },
  limit: number,
  { plan }: Account,
  what: string,
): void {
  if (bytes.byteLength <= limit) return
  throw refuse.tooLarge(
    'content_too_large',
    `${what} is ${inMegabytes(bytes.byteLength)}; the ${plan} plan allows ${inMegabytes(limit)}.`,
    { limit, plan },
  )
}

function assertDeckFits({ files }: Manifest, { deckBytes: limit }: Limits, account: Account): void {
  const total = files.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0)
  if (total <= limit) return
  throw refuse.tooLarge(
    'content_too_large',
    `The deck is ${inMegabytes(total)}; the ${account.plan} plan allows ${inMegabytes(limit)}.`,
    { limit, plan: account.plan },
  )
}

function assertCount(name: string, count: number, limit: number): void {
  if (count <= limit) return
  throw refuse.invalid(
    'too_many_files',
    `A deck takes up to ${limit} ${name}; this has ${count}.`,
    {
      param: name,
      limit,
    },
  )
}

function assertChecksum({ bytes }: { bytes: Uint8Array }, expected: string | undefined): void {
  if (expected === undefined) return
  const actual = sha256(bytes)
  if (actual === expected) return
  throw refuse.unprocessable(
    'sha256_mismatch',
    `The ${bytes.byteLength} bytes that arrived have another SHA-256, ${actual}: send them again.`,
    { param: 'sha256', expected, actual, size_bytes: bytes.byteLength },
  )
}

/** A full-replace write: what an elided read left out may not come back as content. */
function assertHtml(utf8: Uint8Array, path?: string): void {
  const name = path ?? 'The HTML'
  if (utf8.byteLength === 0) throw refuse.invalid('empty_html', `${name} is empty.`)
  if (!containsPlaceholder(new TextDecoder().decode(utf8))) return
  throw refuse.invalid(
    'elided_html',
    `${name} holds ELIDED-BY-SERVICE placeholders, which stand for data left out when it was ` +
      'read. Read it with full=true, or send edits to PATCH /pages/{id}/html instead.',
  )
}

function nameIn(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || 'file'
  } catch {
    return segment
  }
}

function plain(bytes: Uint8Array) {
  return { bytes, contentType: null }
}
function param(name: string) {
  return { param: name }
}
