import { sha256 } from '../../platform/secrets.ts'
import { rewriteReferences } from './html/references.ts'
import { scanHtml, scanScript } from './html/scan.ts'
import { entryFile, isHtml, type ManifestFile } from './manifest.ts'
import type { Release, ReleaseFile, Staged } from './staging.ts'

/** Move it when scanning or rewriting changes: releases made before are then made again. */
export const RELEASE_MAKER = 1

/** Types that may hold references or script; others are sent as they are, unread. */
const READ = /^text\/(html|css|javascript)\b/

type Read = (hash: string) => Promise<Uint8Array>

/** What visitors are sent of this content: references rewritten, facts found, once a publish. */
export async function prepare(staged: Staged, read: Read): Promise<Staged & { release: Release }> {
  const { manifest } = staged
  const at_hand = new Map(staged.at_hand)
  const deck = { paths: new Set(manifest.files.map(({ path }) => path)), entry: manifest.entry }
  const files: ReleaseFile[] = []
  let calls_submit = false
  let uses_storage = false
  for (const file of manifest.files) {
    if (!READ.test(file.mime)) {
      files.push({ ...file, html: null })
      continue
    }
    const given = at_hand.get(file.hash) ?? (await read(file.hash))
    const bytes =
      manifest.kind === 'bundle'
        ? rewriteReferences({ path: file.path, mime: file.mime, bytes: given }, deck)
        : given
    const html = isHtml(file) ? scanHtml(bytes) : null
    const script = file.mime.startsWith('text/javascript') ? scanScript(bytes) : null
    calls_submit ||= html?.collects_responses === true || script?.calls_submit === true
    uses_storage ||= html?.uses_storage === true || script?.uses_storage === true
    files.push({ ...served(file, given, bytes, at_hand), html })
  }
  const { kind, entry, file_name } = manifest
  const facts = { collects_responses: calls_submit, uses_storage }
  const release: Release = { made_by: RELEASE_MAKER, kind, entry, file_name, files, ...facts }
  return { ...staged, at_hand, release }
}

function served(
  file: ManifestFile,
  given: Uint8Array,
  bytes: Uint8Array,
  at_hand: Staged['at_hand'],
): ManifestFile {
  if (bytes === given) return file
  const hash = sha256(bytes)
  at_hand.set(hash, bytes)
  return { ...file, hash, size_bytes: bytes.byteLength }
}

/** The title its own HTML gives a page that has just come in, or the name of its file. */
export function titleIn({ manifest, at_hand, release }: Staged): string | null {
  if (manifest.file_name !== null) return manifest.file_name
  const entry = entryFile(manifest)
  const released = release?.files.find(({ path }) => path === entry.path)?.html
  if (released) return released.title
  const bytes = at_hand.get(entry.hash)
  return bytes === undefined ? null : scanHtml(bytes).title
}
