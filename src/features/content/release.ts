import type { FormControl } from '../../model/form.ts'
import { sha256 } from '../../platform/secrets.ts'
import { wrapFragment } from './html/default-document.ts'
import { mergeControls } from './html/forms.ts'
import { rewriteReferences } from './html/references.ts'
import { type HtmlFacts, type ScriptFacts, scanHtml, scanScript } from './html/scan.ts'
import { entryFile, isHtml, type Manifest, type ManifestFile } from './manifest.ts'
import type { Release, ReleaseFile, Staged } from './staging.ts'

/**
 * Increase it when scanning or rewriting changes: a stored release of another format is made again
 * when it is read. Formats 1 and 2 were stored as `made_by`.
 */
export const RELEASE_FORMAT = 4

/** Types that may have references or scripts in them; other files are released unread. */
const SCANNED = /^text\/(html|css|javascript)\b/

/** How many fields of one page are stored. */
const MAX_CONTROLS = 2000

/** A file as visitors are sent it, and the facts that were found in it. */
interface Scanned {
  file: ManifestFile
  html: HtmlFacts | null
  script: ScriptFacts | null
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
      scanned.push({ file, html: null, script: null })
      continue
    }
    const given = newBlobs.get(file.hash) ?? (await readBlob(file.hash))
    const linked =
      manifest.kind === 'bundle'
        ? rewriteReferences({ path: file.path, mime: file.mime, bytes: given }, deck)
        : given
    const bytes = isDocument(file, manifest) ? wrapFragment(linked) : linked
    const html = isHtml(file) ? factsOf(given, bytes) : null
    const script = file.mime.startsWith('text/javascript') ? scanScript(bytes) : null
    scanned.push({ file: addRewritten(newBlobs, file, { given, bytes }), html, script })
  }
  return { ...staged, newBlobs, release: releaseOf(manifest, scanned) }
}

/** A deck’s other fragments stay as they are: its scripts may insert them into pages. */
function isDocument(file: ManifestFile, { entry }: Manifest): boolean {
  return isHtml(file) && file.path === entry
}

/** The title is that of the given bytes: a fragment has none, although its document has one. */
function factsOf(given: Uint8Array, released: Uint8Array): HtmlFacts {
  const facts = scanHtml(released)
  return given === released ? facts : { ...facts, title: scanHtml(given).title }
}

function releaseOf({ kind, entry, file_name: fileName }: Manifest, scanned: Scanned[]): Release {
  const facts = scanned.flatMap(({ html, script }) => html ?? script ?? [])
  // Any file of a deck may load any of its scripts.
  const hasScript = scanned.some(({ script }) => script?.collects_responses)
  const files = scanned.map(({ file, html }): ReleaseFile => {
    if (html === null) return { ...file, html, needs_runtime: false }
    const { controls: _, ...facts } = html
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
  }
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
