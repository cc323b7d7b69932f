import type { z } from 'zod'
import { Download, StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { JsonStream, JsonText } from '../../model/json-text.ts'
import { filesToSave, isMarkdownSource, markdownSources } from '../../model/manifest.ts'
import type { Page } from '../../model/page/index.ts'
import { writeZip } from '../../platform/zip.ts'
import {
  assetsOf,
  type Content,
  type ContentFiles,
  checkFilename,
  downloadName,
  htmlFileOf,
  isHtml,
  listItem,
  type Manifest,
  type ManifestFile,
  quoted,
} from '../content/index.ts'
import {
  type ChangesInput,
  type HtmlQuery,
  MAX_MATCHES,
  type PageDifferences,
  type readHtml as readHtmlContract,
} from './contract.ts'
import type { PageDeps } from './parts.ts'

interface PageTexts {
  path: string
  html?: JsonText<string> | JsonStream
  source?: string
  markdown?: JsonText<string> | JsonStream
}

type PageHtml = z.input<typeof readHtmlContract.output>['data']

/**
 * Reads the draft's HTML, or the Markdown that it is made of: whole with both, without long data:
 * URIs, or the places of a text.
 */
export async function readHtml(
  deps: PageDeps,
  page: Page,
  { full, file: path, find }: HtmlQuery,
): Promise<PageHtml> {
  const manifest = await getHtmlManifest(deps, page)
  const { kind, entry } = manifest
  const files = path === undefined ? manifest.files.filter(isHtml) : [htmlFileOf(manifest, path)]
  if (find !== undefined) {
    const sources = files.map((file) => sourceOf(manifest, file))
    return findInFiles(deps, sources, find)
  }
  const elided = { count: 0, chars: 0 }
  const texts: PageTexts[] = []
  async function readText(file: ManifestFile) {
    const text = await deps.content.readHtml(file, { full })
    elided.count += text.elided.count
    elided.chars += text.elided.chars
    return text.html
  }
  for (const file of files) {
    const source = sourceOf(manifest, file)
    const isMade = source !== file
    texts.push({
      path: file.path,
      ...((full || !isMade) && { html: await readText(file) }),
      ...(isMade && { source: source.path, markdown: await readText(source) }),
    })
  }
  const state = { has_unpublished_changes: page.draft_id !== page.published_id, elided }
  const { path: _, ...single } = texts[0]!
  return kind === 'single'
    ? { kind, ...single, ...state }
    : {
        ...{ kind, entry, files: texts },
        ...(path === undefined && { assets: assetsOf(manifest) }),
        ...state,
      }
}

async function findInFiles(
  { content }: PageDeps,
  files: readonly ManifestFile[],
  find: string,
): Promise<PageHtml> {
  const matches: { file: string; line: number; text: string }[] = []
  let count = 0
  for (const file of files) {
    const most = MAX_MATCHES - matches.length
    const result = await content.findText(file, { find, most })
    count += result.count
    matches.push(...result.places.map((place) => ({ file: file.path, ...place })))
  }
  return { kind: 'matches', count, matches }
}

/** The Markdown that an HTML file is made of, else the file itself. */
export function sourceOf(manifest: Manifest, file: ManifestFile): ManifestFile {
  return markdownSources(manifest).get(file.path) ?? file
}

/** The manifest of the draft. @throws Refusal `not_html` */
export async function getHtmlManifest({ content }: PageDeps, page: Page): Promise<Manifest> {
  const manifest = await content.getManifest(page.draft_id)
  if (manifest.file_name === null) return manifest
  throw refuse.invalid('not_html', 'This page is a PDF or image: it has no HTML to read or edit.')
}

/**
 * Compares two versions of a page, the published one with the draft unless others are named.
 *
 * @throws Refusal `version_not_found`, `nothing_published`
 */
export async function readChanges(
  { content, versions }: PageDeps,
  page: Page,
  { from, to, lines }: ChangesInput,
): Promise<PageDifferences> {
  async function resolve(versionNo: number | undefined, manifestId: string | null) {
    if (versionNo !== undefined) {
      return { id: await versions.manifestOf(page, versionNo), versionNo }
    }
    if (manifestId === null) throw nothingPublished()
    const current = await versions.numberOf(page.id, manifestId)
    if (current === null) throw new Error(`The content of ${page.id} is no version`)
    return { id: manifestId, versionNo: current }
  }
  const before = await resolve(from, page.published_id)
  const after = await resolve(to, page.draft_id)
  const { files, ...counts } = await content.changesBetween(before.id, after.id)
  return {
    from_version_no: before.versionNo,
    to_version_no: after.versionNo,
    ...counts,
    files: lines ? files : files.map((file) => ({ ...file, lines: null })),
  }
}

function nothingPublished() {
  return refuse.conflict(
    'nothing_published',
    'Nothing is published to compare the draft with: name a version in `from`, or publish first.',
  )
}

/** Of the draft, unless a version is given. @throws Refusal `version_not_found` */
async function manifestOf(deps: PageDeps, page: Page, version?: number): Promise<Manifest> {
  const { content, versions } = deps
  const id = version === undefined ? page.draft_id : await versions.manifestOf(page, version)
  return content.getManifest(id)
}

/** @throws Refusal `version_not_found` */
export async function listFiles(
  deps: PageDeps,
  page: Page,
  version?: number,
): Promise<ContentFiles> {
  const { kind, entry, files } = await manifestOf(deps, page, version)
  return { kind, entry, files: files.map(listItem) }
}

/** A file byte for byte as it was sent. @throws Refusal `path_not_found`, `version_not_found` */
export async function readFile(
  deps: PageDeps,
  page: Page,
  { path, version }: { path: string; version?: number | undefined },
): Promise<StoredFile> {
  const manifest = await manifestOf(deps, page, version)
  const name = path.normalize('NFC')
  const file = manifest.files.find((each) => each.path === name)
  if (file === undefined) throw pathNotFound(path, manifest)
  const { file_name } = manifest
  const filename =
    file_name === null ? name.slice(name.lastIndexOf('/') + 1) : downloadName(file_name, file.mime)
  return storedFile(deps, file, filename)
}

/** The complete content in one file. A deck is a zip that is built while it is sent. */
export async function download(
  deps: PageDeps,
  page: Page,
  version?: number,
): Promise<StoredFile | Download> {
  const manifest = await manifestOf(deps, page, version)
  const { kind, file_name } = manifest
  const name = savedName(page, version)
  const [file, ...others] = filesToSave(manifest)
  if (kind === 'bundle') {
    const chunks = zipOf(deps.content, [file!, ...others])
    return new Download({ filename: `${name}.zip`, mime: 'application/zip', chunks })
  }
  const extension = isMarkdownSource(file!) ? 'md' : 'html'
  const filename = file_name === null ? `${name}.${extension}` : downloadName(file_name, file!.mime)
  return storedFile(deps, file!, filename)
}

/** Types whose bytes are compressed already. */
const PACKED = /^(image\/(?!svg|bmp|x-icon)|video\/|audio\/(?!wav)|font\/woff|application\/pdf)/

/** One file is open at a time, and read only as fast as the archive is sent. */
function zipOf(
  content: Pick<Content, 'pieces'>,
  files: ManifestFile[],
): AsyncGenerator<Uint8Array> {
  return writeZip(async (zip) => {
    for (const { path, hash, mime } of files) {
      const open = async () => content.pieces(hash, zip.signal)
      zip.addLazily(path, open, { isPacked: PACKED.test(mime) })
    }
  })
}

async function storedFile(
  { content }: PageDeps,
  { hash, mime }: ManifestFile,
  filename: string,
): Promise<StoredFile> {
  return new StoredFile({ filename, mime, etag: `"${hash}"`, body: await content.body(hash) })
}

const MAX_NAME_CHARS = 120

/** A file name that is valid on every system: other characters become spaces. */
function savedName({ title, slug }: Page, version: number | undefined): string {
  const plain = (title ?? '').replace(/[\\/:*?"<>|]+/g, ' ').replace(/\s+/g, ' ')
  const name = plain.replace(/^[\s.]+|[\s.]+$/g, '').slice(0, MAX_NAME_CHARS)
  const clean = checkFilename(`${name}.html`).slice(0, -'.html'.length).trim()
  return `${clean === '' ? slug : clean}${version === undefined ? '' : ` (version ${version})`}`
}

function pathNotFound(path: string, { kind, entry, files }: Manifest) {
  const hint =
    kind === 'single'
      ? `Its one file is ${quoted(entry)}.`
      : `It has ${files.length} others: read the content of the page, which lists them.`
  return refuse.notFound('path_not_found', `There is no file ${quoted(path)}. ${hint}`)
}
