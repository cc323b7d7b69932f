import type { FormControl } from '../../model/form.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { ReferringFile } from './html/check-reference.ts'
import { wrapFragment } from './html/default-document.ts'
import { findCssWarnings } from './html/find-warnings.ts'
import { mergeControls } from './html/forms.ts'
import { rewriteReferences } from './html/references.ts'
import { type HtmlFacts, type ScriptFacts, scanHtml, scanScript } from './html/scan.ts'
import { entryFile, isHtml, type Manifest, type ManifestFile } from './manifest.ts'
import type { Release, ReleaseFile, Staged } from './staging.ts'
import { type FoundWarning, MAX_WARNINGS, type ReleaseWarning, warn } from './warnings.ts'

/**
 * Increase it when scanning or rewriting changes: a stored release of another format is made again
 * when it is read. Formats 1 and 2 were stored as `made_by`.
 */
export const RELEASE_FORMAT = 5

/** Types that may have references or scripts in them; other files are released unread. */
const SCANNED = /^text\/(html|css|javascript)\b/

/** How many fields of one page are stored. */
const MAX_CONTROLS = 2000

/** A file as visitors are sent it, and the facts that were found in it. */
interface Scanned {
  file: ManifestFile
  html: HtmlFacts | null
  script: ScriptFacts | null
  warnings: FoundWarning[]
}

/**
 * Adds to staged content what visitors are sent: rewrites references and finds facts, so that no
 * view has to.
 * @param readBlob reads a file that is stored already
 */
export async function prepareRelease(
  staged: Staged,
  readBlob: (hash: string) => Promise<Uint8Array>,
): Promise<Staged & { release: Release }> {
  const { manifest } = staged
  const newBlobs = new Map(staged.newBlobs)
  const deck = { paths: new Set(manifest.files.map(({ path }) => path)), entry: manifest.entry }
  const scanned: Scanned[] = []
  for (const file of manifest.files) {
    if (!SCANNED.test(file.mime)) {
      const warnings = file.is_cut_off ? [warn('truncated_image', null)] : []
      scanned.push({ file, html: null, script: null, warnings })
      continue
    }
    const given = newBlobs.get(file.hash) ?? (await readBlob(file.hash))
    const linked =
      manifest.kind === 'bundle'
        ? rewriteReferences({ path: file.path, mime: file.mime, bytes: given }, deck)
        : given
    const bytes = isDocument(file, manifest) ? wrapFragment(linked) : linked
    const facts = factsOf(given, bytes, { ...file, deck: manifest.kind === 'bundle' ? deck : null })
    scanned.push({ file: addRewritten(newBlobs, file, { given, bytes }), ...facts })
  }
  return { ...staged, newBlobs, release: releaseOf(manifest, scanned) }
}

/** A deck’s other fragments stay as they are: its scripts may insert them into pages. */
function isDocument(file: ManifestFile, { entry }: Manifest): boolean {
  return isHtml(file) && file.path === entry
}

function factsOf(
  given: Uint8Array,
  released: Uint8Array,
  file: ReferringFile & ManifestFile,
): Omit<Scanned, 'file'> {
  if (isHtml(file)) {
    const html = htmlFactsOf(given, released, file)
    return { html, script: null, warnings: html.warnings }
  }
  const isCss = file.mime.startsWith('text/css')
  const script = isCss ? null : scanScript(released)
  return { html: null, script, warnings: isCss ? findCssWarnings(given, file) : [] }
}

/**
 * Title and warnings are those of the given bytes: a fragment has no title, although its document
 * has one, and the lines are those that the author knows.
 */
function htmlFactsOf(given: Uint8Array, released: Uint8Array, file: ReferringFile): HtmlFacts {
  const facts = scanHtml(given, file)
  if (given === released) return facts
  const { title, warnings } = facts
  return { ...scanHtml(released), title, warnings }
}

function releaseOf({ kind, entry, file_name: fileName }: Manifest, scanned: Scanned[]): Release {
  const facts = scanned.flatMap(({ html, script }) => html ?? script ?? [])
  // Any file of a deck may load any of its scripts.
  const hasScript = scanned.some(({ script }) => script?.collects_responses)
  const files = scanned.map(({ file, html }): ReleaseFile => {
    if (html === null) return { ...file, html, needs_runtime: false }
    const { controls: _, warnings: __, ...facts } = html
    return { ...file, html: facts, needs_runtime: hasScript || html.collects_responses }
  })
  return {
    format: RELEASE_FORMAT,
    kind,
    entry,
    file_name: fileName,
    files,
    collects_responses: facts.some((each) => each.collects_responses),
    uses_storage: facts.some((each) => each.uses_storage),
    controls: controlsOf(entry, scanned),
    warnings: warningsOf(kind, scanned),
  }
}

function warningsOf(kind: Manifest['kind'], scanned: Scanned[]): ReleaseWarning[] {
  const all = scanned.flatMap(({ file, warnings }) => {
    const path = kind === 'single' ? null : file.path
    return warnings.map((warning) => ({ ...warning, path }))
  })
  return all.slice(0, MAX_WARNINGS)
}

function controlsOf(entry: string, scanned: Scanned[]): FormControl[] {
  const isEntry = ({ file }: Scanned) => file.path === entry
  const ordered = [...scanned.filter(isEntry), ...scanned.filter((each) => !isEntry(each))]
  return mergeControls(
    ordered.map(({ html }) => html?.controls ?? []),
    MAX_CONTROLS,
  )
}

/** The file with its rewritten bytes, which are added to the new blobs where they differ. */
function addRewritten(
  newBlobs: Staged['newBlobs'],
  file: ManifestFile,
  { given, bytes }: { given: Uint8Array; bytes: Uint8Array },
): ManifestFile {
  if (bytes === given) return file
  const hash = sha256(bytes)
  newBlobs.set(hash, bytes)
  return { ...file, hash, size_bytes: bytes.byteLength }
}

/** The title in the HTML of imported content, or the name of its file. */
export function titleIn({ manifest, newBlobs, release }: Staged): string | null {
  if (manifest.file_name !== null) return manifest.file_name
  const entry = entryFile(manifest)
  const released = release?.files.find(({ path }) => path === entry.path)?.html
  if (released) return released.title
  const bytes = newBlobs.get(entry.hash)
  return bytes === undefined ? null : scanHtml(bytes).title
}
