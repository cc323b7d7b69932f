import { type Account, assertSize } from '../../../model/account.ts'
import { aboutParam, Refusal, refuse } from '../../../model/errors.ts'
import {
  defaultEntry,
  isMarkdownSource,
  MARKDOWN_MIME,
  markdownSources,
  pagesOfMarkdown,
} from '../../../model/manifest.ts'
import { isMarkdownName } from '../../../model/markdown/source.ts'
import type { Services } from '../../../platform/services.ts'
import type { Content } from '../content.ts'
import type { ContentInput } from '../contract.ts'
import { decodeBase64 } from '../files/base64.ts'
import {
  assertDistinctPaths,
  checkDeckPath,
  isHtmlPath,
  quoted,
  shortened,
  whyNotKept,
} from '../files/paths.ts'
import { assetMime, extensionOf, HTML_MIME, isImageCutOff } from '../files/types.ts'
import { bufferOf, isBlank } from '../html/bytes.ts'
import { renderedFiles } from '../markdown.ts'
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
import type { Uploads } from '../uploads.ts'
import { type ReleaseWarning, warn } from '../warnings.ts'
import type { ContentWork } from '../work.ts'

type DeckPage = NonNullable<ContentInput['files']>[number]
type DeckAsset = NonNullable<ContentInput['assets']>[number]

/** A file with its bytes, or one of the draft that stays. */
type DeckFile = SourceFile | ManifestFile

export interface Target {
  account: Account
  before: Manifest | undefined
}
/** Where one file of it goes, with the draft that it may stay from, and its parameter. */
interface FileTarget {
  account: Account
  draft: Draft
  param: string
}

/** The files that a deck can keep, by their paths; the Markdown by that of its page. */
type Draft = ReturnType<typeof draftOf>
function draftOf(before: Manifest | undefined) {
  return {
    files: new Map(before?.files.map((file) => [file.path, file])),
    sources: before === undefined ? new Map<string, ManifestFile>() : markdownSources(before),
  }
}

/**
 * A file that cannot be kept is left out with a warning. What is wrong with the others is told at
 * once, so that one correction is enough.
 *
 * @throws Refusal `file_not_found` where a file keeps bytes that the draft does not have
 */
export async function importDeck(
  deps: ImportDeps,
  target: Target,
  { files = [], assets, entry }: ContentInput,
): Promise<Staged> {
  assertCount('files', files.length, target.account)
  assertCount('assets', assets?.length ?? 0, target.account)
  if (files.length === 0) {
    throw refuse.invalid('empty_deck', 'files must contain a page.', { param: 'files' })
  }
  const newBlobs: Staged['newBlobs'] = new Map()
  const warnings: ReleaseWarning[] = []
  const blank = new Set<string>()
  let encoding: string | null = null
  const { account } = target
  const draft = draftOf(target.before)
  /** Large bytes are stored as they come, so that one deck never is in memory as a whole. */
  const put = async (file: DeckFile): Promise<ManifestFile> => {
    const manifestFile = withoutBytes(file, newBlobs)
    await deps.content.putAhead(newBlobs)
    return manifestFile
  }
  const pages = await readEach('files', files, async (page, param) => {
    const { file, ...reading } = await readPage(deps, { account, draft, param }, page)
    encoding ??= reading.encoding
    if (reading.isBlank) blank.add(file.path)
    warnings.push(...reading.warnings.map((each) => ({ ...each, path: file.path })))
    return put(file)
  })
  const others = await readEach('assets', assets ?? [], async (asset, param) =>
    put(await readAsset(deps, { account, draft, param, encoding: encoding ?? undefined }, asset)),
  )
  const problems = [...pages.problems, ...others.problems]
  if (problems.length > 0) throw together(problems)
  if (pages.files.length === 0) throw refuse.invalid('empty_deck', NO_PAGE, { param: 'files' })
  const pagesBySource = await renderSources(deps, pages.files, newBlobs)
  const withMade = (file: ManifestFile) =>
    [pagesBySource.get(file.path), file].filter((each) => each !== undefined)
  // Pages that were Markdown, and are sent as HTML.
  const replaced = pages.files.filter(({ path }) => draft.sources.has(path))
  warnings.push(...replaced.map(({ path }) => ({ ...warn('markdown_replaced', null), path })))
  const isStaying = (file: ManifestFile) => assets === undefined && !isPage(file)
  const stayingAssets = draft.files.values().filter(isStaying)
  const all = [...pages.files.flatMap(withMade), ...others.files, ...stayingAssets]
  const paramsOf = (param: string, at: number) => withMade(pages.files[at]!).map(() => param)
  const params = [...pages.params.flatMap(paramsOf), ...others.params]
  assertDistinctPaths(
    all.map(({ path }) => path),
    (index) => params[index] ?? 'assets',
  )
  const path = landing(all, entry, target.before)
  // Other documents may be empty, as parts that scripts load often are.
  if (blank.has(path)) {
    const message = `${path}, where visitors land, is empty.`
    throw refuse.invalid('empty_html', message, { param: 'files' })
  }
  const staged = stage({ kind: 'bundle', entry: path, files: all }, newBlobs)
  const limit = target.account.limits.deck_bytes
  assertSize(sizeOf(staged.manifest), target.account, { limit, what: 'The deck' })
  return { ...staged, warnings: [...pages.leftOut, ...others.leftOut, ...warnings] }
}

/** The HTML of each file of Markdown among the pages, by its path. */
async function renderSources(
  { work, content }: ImportDeps,
  files: readonly ManifestFile[],
  newBlobs: Staged['newBlobs'],
): Promise<Map<string, ManifestFile>> {
  const sources = files.filter(isMarkdownSource)
  const pages = pagesOfMarkdown(sources.map(({ path }) => path))
  const pagesBySource = new Map<string, ManifestFile>()
  for (const { path, hash } of sources) {
    const bytes = newBlobs.get(hash) ?? (await content.bytes(hash))
    const files = await renderedFiles(work, { bytes, path, hash, pages }, pages.get(path)!)
    const [page] = files.map((file) => withoutBytes(file, newBlobs))
    pagesBySource.set(path, page!)
    await content.putAhead(newBlobs)
  }
  return pagesBySource
}

const isPage = (file: ManifestFile) => isHtml(file) || isMarkdownSource(file)

const NO_PAGE =
  'No file in files can be kept: give a page a path without control characters, with at most ' +
  '30 folders, that does not start with ~.'

async function readEach<F extends { path: string }>(
  member: 'files' | 'assets',
  files: readonly F[],
  read: (file: F, param: string) => Promise<ManifestFile>,
) {
  const reading = {
    files: [] as ManifestFile[],
    /** The parameters with their paths. */
    params: [] as string[],
    leftOut: [] as ReleaseWarning[],
    problems: [] as Refusal[],
  }
  for (const [at, file] of files.entries()) {
    const param = `${member}.${at}`
    const why = whyNotKept(file.path)
    if (why !== null) {
      reading.leftOut.push({ ...warn('left_out', null, why), path: shortened(file.path) })
      continue
    }
    try {
      reading.files.push(await aboutParam(param, () => read(file, param)))
      reading.params.push(`${param}.path`)
    } catch (err) {
      if (!(err instanceof Refusal && /^(?:invalid|too_large)$/.test(err.kind))) throw err
      reading.problems.push(err)
    }
  }
  return reading
}

const MAX_NAMED = 20

/** The refusals of several files as one that says all of them. */
function together(problems: Refusal[]): Refusal {
  const [first, ...others] = problems as [Refusal, ...Refusal[]]
  if (others.length === 0) return first
  const messages = problems.slice(0, MAX_NAMED).map(({ message }) => message)
  const more = problems.length - messages.length
  if (more > 0) messages.push(`So it is with ${more} more files, which \`problems\` names.`)
  const each = problems.map(({ code, message, details }) => ({ ...details, code, message }))
  return new Refusal({
    ...first,
    message: messages.join(' '),
    details: { ...first.details, problems: each },
  })
}

/** @returns also the encoding of its bytes, where that was not UTF-8 */
async function readPage(
  { uploads, work }: ImportDeps,
  { account, draft, param }: FileTarget,
  { path: givenPath, html, markdown, upload, keep }: DeckPage,
) {
  const path = checkDeckPath(givenPath, `${param}.path`)
  if (keep !== undefined && isPagePath(path)) {
    const file = keptPage(draftFile(draft, keep, param), path, draft)
    return { file, isBlank: false, warnings: [], encoding: null }
  }
  const isMarkdown = isMarkdownName(path)
  if (isMarkdown ? html !== undefined : markdown !== undefined || !isHtmlPath(path)) {
    throw refuse.invalid('bad_path', whyNoPage(path), { param: `${param}.path` })
  }
  const text = html ?? markdown
  const isUpload = text === undefined
  const input = isUpload
    ? (await uploads.read(account, upload!, `${param}.upload`)).bytes
    : new TextEncoder().encode(text)
  const limit = account.limits.deck_bytes
  assertSize(input.byteLength, account, { limit, what: path })
  const charset = isUpload ? { contentType: null } : null
  const { bytes, hash, warnings, encoding } = await work.run('checkHtml', {
    bytes: input,
    charset,
    name: path,
    isPart: true,
  })
  assertSize(bytes.byteLength, account, { limit, what: path })
  const file = { path, mime: isMarkdown ? MARKDOWN_MIME : HTML_MIME, bytes, hash }
  return { file, isBlank: isBlank(bufferOf(bytes)), warnings, encoding }
}

const isPagePath = (path: string) => isHtmlPath(path) || isMarkdownName(path)

function whyNoPage(path: string): string {
  if (isMarkdownName(path)) return `${path} is Markdown: send its text as markdown, not as html.`
  return isHtmlPath(path)
    ? `${path} is HTML: the path of markdown ends in .md.`
    : `${path} is not an HTML file: files take .html, .htm and .md, assets take the rest.`
}

/** A page of the draft under this path: its Markdown, where it is made of that. */
function keptPage(file: ManifestFile, path: string, { sources }: Draft): ManifestFile {
  const source = sources.get(file.path)
  if (source === undefined) return { ...file, path }
  const newPath = path.replace(/\.html?$/i, '.md')
  return { ...source, path: path === file.path ? source.path : newPath }
}

async function readAsset(
  deps: ImportDeps,
  { account, draft, param, encoding }: FileTarget & { encoding: string | undefined },
  asset: DeckAsset,
): Promise<DeckFile> {
  const path = checkDeckPath(asset.path, `${param}.path`)
  const old = asset.keep === undefined ? null : draftFile(draft, asset.keep, param)
  // Another extension makes another type of the same bytes.
  if (old !== null && extensionOf(old.path) === extensionOf(path)) return { ...old, path }
  const { bytes, storedHash } =
    old !== null
      ? { bytes: await deps.content.bytes(old.hash), storedHash: old.hash }
      : asset.data_base64 !== undefined
        ? { bytes: decodeBase64(asset.data_base64, `${param}.data_base64`), storedHash: null }
        : await deps.uploads.read(account, asset.upload!, `${param}.upload`)
  const { byteLength: size_bytes } = bytes
  // As the upload that brings it, an asset is within the limit of a file.
  const limit = Math.min(account.limits.asset_bytes, account.limits.file_bytes)
  assertSize(size_bytes, account, { limit, what: path })
  const mime = assetMime(path, bytes, encoding)
  const file = { path, mime, ...(isImageCutOff(bytes) && { is_cut_off: true as const }) }
  // What is stored is neither held nor written again: a large deck would fill the memory.
  if (storedHash !== null) return { ...file, hash: storedHash, size_bytes }
  return { ...file, bytes, hash: await deps.work.hash(bytes) }
}

/** A file of the draft, among those that `param` takes. @throws Refusal `file_not_found` */
function draftFile({ files }: Draft, name: string, fileParam: string): ManifestFile {
  const param = `${fileParam}.keep`
  const path = checkDeckPath(name, param)
  const ofPages = param.startsWith('files')
  const file = files.get(path)
  if (file !== undefined && isPage(file) === ofPages) return file
  throw refuse.invalid(
    'file_not_found',
    `The draft has no ${ofPages ? 'HTML file' : 'asset'} ${quoted(path)} to keep: send its bytes.`,
    { param, path },
  )
}

/**
 * The path where a deck's visitors land: of the named page or its Markdown; else the page that was
 * named for the files before, where it is still there; else the default.
 */
export function landing(
  files: readonly ManifestFile[],
  entry: string | undefined,
  before?: Manifest,
): string {
  const paths = htmlPaths(files)
  if (entry === undefined) {
    const stays = before?.kind === 'bundle' && paths.includes(before.entry)
    const wasNamed = stays && before.entry !== defaultEntry(htmlPaths(before.files))
    return wasNamed ? before.entry : defaultEntry(paths)
  }
  const entryPath = checkDeckPath(entry, 'entry')
  const sources = files.filter(isMarkdownSource).map((file) => file.path)
  const path = pagesOfMarkdown(sources).get(entryPath) ?? entryPath
  if (paths.includes(path)) return path
  const message = `entry must name one of the deck’s HTML files; there is no ${path} among them.`
  throw refuse.invalid('bad_entry', message, { param: 'entry' })
}

const htmlPaths = (files: readonly ManifestFile[]) => files.filter(isHtml).map(({ path }) => path)

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

/** The sources of content that is not in the request itself. */
export interface ImportDeps extends Pick<Services, 'temporaryFiles' | 'fetch'> {
  uploads: Pick<Uploads, 'read' | 'pieces' | 'sizeOf'>
  /** Has the bytes that a deck keeps, and takes those that are too many for memory. */
  content: Pick<Content, 'bytes' | 'putAhead'>
  work: ContentWork
}
