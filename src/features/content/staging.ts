import type { FormControl } from '../../model/form.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { HtmlFacts } from './html/scan.ts'
import { type Manifest, type ManifestFile, manifestId } from './manifest.ts'

/** Content on its way in: what the manifest says, and the bytes that are not stored yet. */
export interface Staged {
  manifest: Manifest
  manifestId: string
  /** Bytes by hash, for files that came with this request. */
  newBlobs: Map<string, Uint8Array>
  /** What visitors are sent, once prepared; a draft that is not published needs none. */
  release: Release | null
}

/** A file as visitors are sent it: references rewritten, facts found. */
export interface ReleaseFile extends ManifestFile {
  /** Its fields are told once for all files, in `Release.controls`. */
  html: Omit<HtmlFacts, 'controls'> | null
  /** Whether it collects responses, itself or by a script of the deck. */
  needs_runtime: boolean
}

export interface Release {
  /** `RELEASE_FORMAT` when it was made. */
  format: number
  kind: Manifest['kind']
  entry: string
  file_name: string | null
  files: ReleaseFile[]
  collects_responses: boolean
  uses_storage: boolean
  /** The fields of all its HTML files, the entry's first. */
  controls: FormControl[]
}

export interface SourceFile {
  path: string
  mime: string
  bytes: Uint8Array
}

export function stage(given: {
  kind: Manifest['kind']
  entry: string
  file_name?: string
  files: (SourceFile | ManifestFile)[]
}): Staged {
  const newBlobs = new Map<string, Uint8Array>()
  const files = given.files.map((file) => {
    if ('hash' in file) return file
    const { path, mime, bytes } = file
    const hash = sha256(bytes)
    newBlobs.set(hash, bytes)
    return { path, hash, size_bytes: bytes.byteLength, mime }
  })
  const { kind, entry, file_name: fileName = null } = given
  const manifest: Manifest = { kind, entry, files, file_name: fileName }
  return { manifest, manifestId: manifestId(manifest), newBlobs, release: null }
}
