import type { FormControl } from '../../model/form.ts'
import { isMarkdownSource, markdownSources } from '../../model/manifest.ts'
import { ORIGIN_NEEDS, type OriginNeed } from '../../model/page/facts.ts'
import { MAX_WARNINGS } from '../../model/page/warnings.ts'
import { SANDBOX_POLYFILLS, type SandboxPolyfill } from '../../model/sandbox-polyfills.ts'
import {
  FALLBACK_FILE,
  HOSTING_FILES,
  type Hosting,
  NOT_FOUND_FILE,
  readHosting,
} from './files/hosting.ts'
import { isUnknownType } from './files/types.ts'
import { bufferOf, createLineCounter } from './html/bytes.ts'
import { mergeControls } from './html/forms.ts'
import { type HtmlFacts, scanHtml } from './html/scan.ts'
import type { FileFacts, NewBytes, ReleasedFile } from './release-file.ts'
import {
  entryFile,
  isHtml,
  type Manifest,
  type ManifestFile,
  type Release,
  type ReleaseFile,
  type Staged,
} from './staging.ts'
import { type FoundWarning, firstWarnings, type ReleaseWarning, warn } from './warnings.ts'
import type { ContentWork } from './work.ts'

/**
 * Increase it when scanning or rewriting changes: a stored release of another format is rebuilt
 * when it is read. Formats 1 and 2 were stored as `made_by`.
 */
export const RELEASE_FORMAT = 19

/** Types that may have references or scripts in them; other files are released unread. */
const SCANNED = /^text\/(html|css|javascript)\b/

/** How many fields of one page are stored. */
const MAX_CONTROLS = 2000

/** A file in the form in which visitors get it, with its facts. */
interface Scan extends FileFacts {
  file: ManifestFile
  original?: ReleaseFile['original']
  source?: ReleaseFile['source']
}

interface ReleaseDeps {
  /** Reads a file that is stored already. */
  readBlob(hash: string): Promise<Uint8Array>
  /** Stores new bytes where they are too many for memory, and takes them out of the map. */
  putAhead(newBlobs: Staged['newBlobs']): Promise<void>
  work: ContentWork
}

/**
 * Adds the release to staged content: rewrites references and finds facts, so that no view has to.
 */
export async function prepareRelease(
  staged: Staged,
  { readBlob, putAhead, work }: ReleaseDeps,
): Promise<Staged & { release: Release }> {
  const { manifest: whole, warnings = [] } = staged
  // Visitors get the HTML alone.
  const files = whole.files.filter((file) => !isMarkdownSource(file))
  const manifest = { ...whole, files }
  const sources = markdownSources(whole)
  const newBlobs = new Map(staged.newBlobs)
  const paths = new Set(manifest.files.map(({ path }) => path))
  const deck = manifest.kind === 'bundle' ? { paths, entry: manifest.entry } : null
  const loads = new Map<string, string>()
  let readsPixels = false
  const bytesOf = async (hash: string) => newBlobs.get(hash) ?? (await readBlob(hash))

  async function scan(file: ManifestFile): Promise<Scan> {
    if (!SCANNED.test(file.mime)) {
      const warnings = file.is_cut_off ? [warn('truncated_image', null)] : []
      if (file.mime.startsWith('image/svg') && loads.has(file.path)) {
        const text = bufferOf(await bytesOf(file.hash))
        const at = text.indexOf('<script')
        const line = createLineCounter((from) => text.indexOf(10, from))(at)
        if (at >= 0) warnings.push(warn('needs_origin', line, 'A script in an SVG'))
      }
      return { file, html: null, script: null, warnings, origin: null }
    }
    const { path, mime } = file
    const bytes = await bytesOf(file.hash)
    const isEntry = path === manifest.entry
    const scripted = deck && { ...deck, readsPixels }
    const result = await work.run('releaseFile', { bytes, path, mime, deck: scripted, isEntry })
    if (newBlobs.has(file.hash)) newBlobs.set(file.hash, result.source)
    const { facts, original } = result
    const output = addRewritten(newBlobs, file, result.output)
    // Lines of rendered HTML say nothing to those who wrote the Markdown.
    const source = sources.get(path)
    const warnings =
      source === undefined
        ? facts.warnings
        : facts.warnings.map((each) => ({ ...each, line: null }))
    return {
      ...{ file: output, ...facts, warnings },
      ...(original && { original: originalOf(newBlobs, file, original) }),
      ...(source && { source: { path: source.path, hash: source.hash } }),
    }
  }

  const scans = new Map<string, Scan>()
  // How HTML is rewritten depends on the scripts that it may load; how other files are used, on it.
  const order = (file: ManifestFile) => (isHtml(file) ? 1 : SCANNED.test(file.mime) ? 0 : 2)
  for (const file of manifest.files.toSorted((a, b) => order(a) - order(b))) {
    // Programs save scripts and style sheets by names that do not say what they are.
    const mimeByUse = loads.get(file.path)
    const isNamed = mimeByUse === undefined || !isUnknownType(file.mime)
    const facts = await scan(isNamed ? file : { ...file, mime: mimeByUse })
    for (const [path, type] of facts.html?.loads ?? []) loads.set(path, type)
    readsPixels ||= facts.script?.mends.includes('images') === true
    scans.set(file.path, facts)
    await putAhead(newBlobs)
  }
  const inOrder = manifest.files.map(({ path }) => scans.get(path)!)
  const rules = new Map<string, Uint8Array>()
  for (const { path, hash } of deck === null ? [] : manifest.files) {
    if (!HOSTING_FILES.includes(path)) continue
    rules.set(path, await bytesOf(hash))
  }
  const { hosting, warnings: ofRules } = readHosting(rules)
  const release = releaseOf(manifest, inOrder, hosting)
  const all = [...warnings, ...ofRules, ...hostWarnings(paths, deck), ...release.warnings]
  return { ...staged, newBlobs, release: { ...release, warnings: firstWarnings(all) } }
}

const ANSWERS = [NOT_FOUND_FILE, FALLBACK_FILE]
/** Files that say how the host of a page answers. */
const OF_HOST = [...HOSTING_FILES, ...ANSWERS]

function hostWarnings(paths: ReadonlySet<string>, deck: object | null): ReleaseWarning[] {
  return OF_HOST.filter((path) => deck !== null && paths.has(path)).map((path) => {
    return { ...warn('needs_origin', null, `What ${path} is for`), path }
  })
}

function releaseOf(
  { kind, entry, file_name }: Manifest,
  scans: Scan[],
  hosting: Hosting | null,
): Release {
  const facts = scans.flatMap(({ html, script }) => html ?? script ?? [])
  const collectsResponses = facts.some((each) => each.collects_responses)
  const usesStorage = facts.some((each) => each.uses_storage)
  const needs = new Set(scans.flatMap(({ origin }) => origin?.needs ?? []))
  // Any file of a deck may load any of its scripts.
  const hasScript = scans.some(({ script }) => script?.collects_responses)
  const mends = new Set(scans.flatMap(({ script }) => script?.mends ?? []))
  const roots = rootWarnings(scans)
  for (const { need } of roots) needs.add(need)
  const files = scans.map(({ file, html, original, source }): ReleaseFile => {
    const isMended = (mend: SandboxPolyfill) => mends.has(mend) || html?.mends.includes(mend)
    const output = { ...file, ...(original && { original }), ...(source && { source }) }
    if (html === null) return { ...output, html, needs_runtime: false, mends: [] }
    // A script may show the form of another file in this document, as htmx does.
    const showsForms = collectsResponses && html.is_active
    return {
      ...output,
      html: storedFacts(html),
      needs_runtime: hasScript || html.collects_responses || showsForms,
      // A single page has no files beside it.
      mends: kind === 'single' ? [] : SANDBOX_POLYFILLS.filter(isMended),
    }
  })
  return {
    format: RELEASE_FORMAT,
    kind,
    entry,
    file_name,
    files,
    collects_responses: collectsResponses,
    blocks_responses: collectsResponses && scans.some(({ html }) => html?.limits_connections),
    uses_storage: usesStorage,
    is_active: scans.some(({ html, file: { path } }) => {
      return html?.is_active || (kind === 'bundle' && ANSWERS.includes(path))
    }),
    hosting,
    needs_origin: ORIGIN_NEEDS.filter(
      (need) => needs.has(need) || (need === 'storage' && usesStorage),
    ),
    controls: controlsOf(entry, scans),
    warnings: warningsOf(kind, scans, roots),
  }
}

function warningsOf(kind: Manifest['kind'], scans: Scan[], roots: RootWarning[]): ReleaseWarning[] {
  const all = scans.flatMap(({ file, warnings }) => {
    const path = kind === 'single' ? null : file.path
    const ofRoot = roots.flatMap(({ path: of, warning }) => (of === path ? [warning] : []))
    return [...warnings, ...ofRoot].map((warning) => ({ ...warning, path }))
  })
  return withoutRepeats(all)
}

interface RootWarning {
  need: OriginNeed
  path: string
  warning: FoundWarning
}

/**
 * A deck whose documents address it from the root of a host was built for that place: what routes
 * by the path does not work elsewhere, nor what its modules load. So it is with an app of one
 * document that reads its route from the path.
 */
function rootWarnings(scans: Scan[]): RootWarning[] {
  const documents = scans.filter(({ html }) => html !== null)
  const roots = documents.flatMap(({ file: { path }, html }) => {
    return html?.origin.root ? [{ path, ...html.origin.root }] : []
  })
  const isApp = documents.filter(({ file }) => !ANSWERS.includes(file.path)).length === 1
  for (const { file, origin } of scans) {
    const { line, reads_path: readsPath } = origin?.router ?? {}
    if (line === undefined || !(roots.length > 0 || (isApp && readsPath))) continue
    return [{ need: 'router', path: file.path, warning: warn('root_router', line) }]
  }
  const { path, line, address } = roots.find(({ is_module: isModule }) => isModule) ?? {}
  const loadsMore = scans.some(({ origin }) => origin?.imports)
  if (path === undefined || !loadsMore) return []
  return [{ need: 'root_paths', path, warning: warn('root_address', line!, address) }]
}

/**
 * As many as are told. Builds write an address from the root into each chunk: all have the same
 * cure. Where there are too many, what is repeated in many files must not hide what one has.
 */
function withoutRepeats(warnings: readonly ReleaseWarning[]): ReleaseWarning[] {
  const groups = Map.groupBy(warnings, ({ code, subject }) => `${code} ${subject}`)
  const firsts = new Set([...groups.values()].map(([first]) => first))
  const some = warnings.filter((each) => each.code !== 'root_address' || firsts.has(each))
  if (some.length <= MAX_WARNINGS) return some
  const repeats = some.filter((each) => !firsts.has(each))
  return [...firsts, ...repeats].slice(0, MAX_WARNINGS) as ReleaseWarning[]
}

function controlsOf(entry: string, scans: Scan[]): FormControl[] {
  const isEntry = ({ file }: Scan) => file.path === entry
  const entryFirst = [...scans.filter(isEntry), ...scans.filter((each) => !isEntry(each))]
  return mergeControls(
    entryFirst.map(({ html }) => html?.controls ?? []),
    MAX_CONTROLS,
  )
}

/** The file with its rewritten bytes, which are added to the new blobs where they differ. */
function addRewritten(
  newBlobs: Staged['newBlobs'],
  file: ManifestFile,
  output: NewBytes | null,
): ManifestFile {
  if (output === null) return file
  newBlobs.set(output.hash, output.bytes)
  return { ...file, hash: output.hash, size_bytes: output.bytes.byteLength }
}

/** The given file with its references as they were; its bytes are stored where they are new. */
function originalOf(
  newBlobs: Staged['newBlobs'],
  file: ManifestFile,
  { output, html }: NonNullable<ReleasedFile['original']>,
): ReleaseFile['original'] {
  const { hash, size_bytes } = addRewritten(newBlobs, file, output)
  return { hash, size_bytes, html: html && storedFacts(html) }
}

/** Fields and warnings are stored once, with the release. */
function storedFacts({
  controls: _,
  warnings: __,
  origin: ___,
  mends: ____,
  loads: _____,
  ...facts
}: HtmlFacts): ReleaseFile['html'] {
  return facts
}

/** The title in the HTML of imported content, or the name of its file. */
export function titleIn({ manifest, newBlobs, release }: Staged): string | null {
  if (manifest.file_name !== null) return manifest.file_name
  const entry = entryFile(manifest)
  const facts = release?.files.find(({ path }) => path === entry.path)?.html
  if (facts) return facts.title
  const bytes = newBlobs.get(entry.hash)
  return bytes === undefined ? null : scanHtml(bytes).title
}
