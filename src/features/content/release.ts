import type { FormControl } from '../../model/form.ts'
import { sha256 } from '../../platform/secrets.ts'
import { mergeControls } from './html/forms.ts'
import { rewriteReferences } from './html/references.ts'
import { type HtmlFacts, type ScriptFacts, scanHtml, scanScript } from './html/scan.ts'
import { entryFile, isHtml, type Manifest, type ManifestFile } from './manifest.ts'
import type { Release, ReleaseFile, Staged } from './staging.ts'

/**
 * Increase it when scanning or rewriting changes: a stored release of another format is made again
 * when it is read. Formats 1 and 2 were stored as `made_by`.
 */
export const RELEASE_FORMAT = 3

/** Types that may hold references or script; others are sent as they are, unread. */
const READ = /^text\/(html|css|javascript)\b/

/** Fields of one page past this many are left out. */
const MAX_CONTROLS = 2000

type Read = (hash: string) => Promise<Uint8Array>

/** A file as it is sent, and what was found in it. */
interface Found {
  file: ManifestFile
  html: HtmlFacts | null
  script: ScriptFacts | null
}

/** What visitors are sent of this content: references rewritten, facts found, once a publish. */
export async function prepareRelease(
  staged: Staged,
  read: Read,
): Promise<Staged & { release: Release }> {
  const { manifest } = staged
  const newBlobs = new Map(staged.newBlobs)
  const deck = { paths: new Set(manifest.files.map(({ path }) => path)), entry: manifest.entry }
  const found: Found[] = []
  for (const file of manifest.files) {
    if (!READ.test(file.mime)) {
      found.push({ file, html: null, script: null })
      continue
    }
    const given = newBlobs.get(file.hash) ?? (await read(file.hash))
    const bytes =
      manifest.kind === 'bundle'
        ? rewriteReferences({ path: file.path, mime: file.mime, bytes: given }, deck)
        : given
    const html = isHtml(file) ? scanHtml(bytes) : null
    const script = file.mime.startsWith('text/javascript') ? scanScript(bytes) : null
    found.push({ file: served(file, given, bytes, newBlobs), html, script })
  }
  return { ...staged, newBlobs, release: releaseOf(manifest, found) }
}

function releaseOf({ kind, entry, file_name: fileName }: Manifest, found: Found[]): Release {
  const facts = found.flatMap(({ html, script }) => html ?? script ?? [])
  // Any file of a deck may load any of its scripts.
  const hasScript = found.some(({ script }) => script?.collects_responses)
  const files = found.map(({ file, html }): ReleaseFile => {
    if (html === null) return { ...file, html, needs_runtime: false }
    const { controls: _, ...kept } = html
    return { ...file, html: kept, needs_runtime: hasScript || html.collects_responses }
  })
  return {
    format: RELEASE_FORMAT,
    kind,
    entry,
    file_name: fileName,
    files,
    collects_responses: facts.some(
      ({ collects_responses: collectsResponses }) => collectsResponses,
    ),
    uses_storage: facts.some(({ uses_storage: usesStorage }) => usesStorage),
    controls: controlsOf(entry, found),
  }
}

function controlsOf(entry: string, found: Found[]): FormControl[] {
  const isEntry = ({ file }: Found) => file.path === entry
  const ordered = [...found.filter(isEntry), ...found.filter((each) => !isEntry(each))]
  return mergeControls(
    ordered.map(({ html }) => html?.controls ?? []),
    MAX_CONTROLS,
  )
}

function served(
  file: ManifestFile,
  given: Uint8Array,
  bytes: Uint8Array,
  newBlobs: Staged['newBlobs'],
): ManifestFile {
  if (bytes === given) return file
  const hash = sha256(bytes)
  newBlobs.set(hash, bytes)
  return { ...file, hash, size_bytes: bytes.byteLength }
}

/** The title its own HTML gives a page that has just come in, or the name of its file. */
export function titleIn({ manifest, newBlobs, release }: Staged): string | null {
  if (manifest.file_name !== null) return manifest.file_name
  const entry = entryFile(manifest)
  const released = release?.files.find(({ path }) => path === entry.path)?.html
  if (released) return released.title
  const bytes = newBlobs.get(entry.hash)
  return bytes === undefined ? null : scanHtml(bytes).title
}
