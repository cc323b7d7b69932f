import { refuse } from '../../model/errors.ts'
import type { FormControl } from '../../model/form.ts'
import {
  isMarkdownSource,
  type Manifest,
  type ManifestFile,
  manifestText,
  markdownSources,
} from '../../model/manifest.ts'
import type { OriginNeed } from '../../model/page/facts.ts'
import type { SandboxPolyfill } from '../../model/sandbox-polyfills.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Hosting } from './files/hosting.ts'
import { normalPath } from './files/paths.ts'
import type { HtmlFacts } from './html/scan.ts'
import type { ReleaseWarning } from './warnings.ts'

/** Content to be stored: its manifest, and bytes that may not be stored yet. */
export interface Staged {
  manifest: Manifest
  /** The hash of the content. */
  manifestId: string
  /** The bytes of the files that came with this request, by hash. */
  newBlobs: Map<string, Uint8Array>
  /** Null for a draft that is not published. */
  release: Release | null
  /** What was guessed or left out when it came. */
  warnings?: readonly ReleaseWarning[]
}

/** A file as visitors are sent it: with references rewritten. */
export interface ReleaseFile extends ManifestFile {
  /** Facts of an HTML file. Its fields and warnings are those of the release. */
  html: Omit<HtmlFacts, 'controls' | 'warnings' | 'origin' | 'mends' | 'loads'> | null
  /** Whether the file collects responses, by itself or with a script of the deck. */
  needs_runtime: boolean
  /**
   * What our scripts restore in this document in the sandbox, for its own or the deck's scripts.
   */
  mends: SandboxPolyfill[]
  /**
   * The file with its references as they were written, for a page at the root of a host of its own;
   * absent where none was rewritten.
   */
  original?: Pick<ReleaseFile, 'hash' | 'size_bytes' | 'html'>
  /** The Markdown that the file is made of. It may have more in it than the page shows. */
  source?: Pick<ManifestFile, 'path' | 'hash'>
}

/** Content in the form in which visitors get it, built when it is published. */
export interface Release {
  /** `RELEASE_FORMAT` when it was made. */
  format: number
  kind: Manifest['kind']
  entry: string
  file_name: string | null
  files: ReleaseFile[]
  collects_responses: boolean
  /** Whether a policy of its own may keep its scripts from sending responses. */
  blocks_responses: boolean
  uses_storage: boolean
  /** Whether its HTML has a script, a frame or an embedded document, or answers for its host. */
  is_active: boolean
  /** The rules of its `_redirects` and `_headers`; null without any. */
  hosting: Hosting | null
  /** What it needs an origin of its own for; empty where it works whole in the sandbox. */
  needs_origin: OriginNeed[]
  /** The fields of all HTML files, the entry's first. */
  controls: FormControl[]
  /** What will not work for visitors, in the order of the files. */
  warnings: ReleaseWarning[]
}

/** A file that came with the request. */
export interface SourceFile extends Omit<ManifestFile, 'size_bytes'> {
  bytes: Uint8Array
}

/**
 * Makes the manifest of new files and of files that are stored already.
 *
 * @param newBlobs gets the bytes of the new files
 */
export function stage(
  input: {
    kind: Manifest['kind']
    entry: string
    file_name?: string
    files: (SourceFile | ManifestFile)[]
  },
  newBlobs: Staged['newBlobs'] = new Map(),
): Staged {
  const files = input.files.map((file) => withoutBytes(file, newBlobs))
  const { kind, entry, file_name = null } = input
  const manifest: Manifest = { kind, entry, files, file_name }
  return { manifest, manifestId: sha256(manifestText(manifest)), newBlobs, release: null }
}

/** @param newBlobs gets the bytes */
export function withoutBytes(
  file: SourceFile | ManifestFile,
  newBlobs: Staged['newBlobs'],
): ManifestFile {
  if (!('bytes' in file)) return file
  const { bytes, ...rest } = file
  newBlobs.set(file.hash, bytes)
  return { ...rest, size_bytes: bytes.byteLength }
}

export type { Manifest, ManifestFile }

export function sizeOf(manifest: Manifest): number {
  return bytesIn(manifest.files)
}

/** The size of files together. */
export function bytesIn(files: readonly { size_bytes: number }[]): number {
  return files.reduce((sum, file) => sum + file.size_bytes, 0)
}

export function isHtml({ mime }: { mime: string }): boolean {
  return mime.startsWith('text/html')
}

/** The files of a deck that are no pages; of a PDF or image page, the file itself. */
export function assetsOf({ files }: Manifest) {
  return files.filter((file) => !isHtml(file) && !isMarkdownSource(file)).map(listItem)
}

/** A file in lists, without its bytes. */
export function listItem({ path, mime, size_bytes, hash }: ManifestFile) {
  return { path, type: mime, size_bytes, hash }
}

/**
 * An HTML file of the content, by its path or that of its Markdown. Only a deck has files by name.
 *
 * @throws Refusal `wrong_kind`, `file_not_found`
 */
export function htmlFileOf(manifest: Manifest, path: string): ManifestFile {
  const { kind, files } = manifest
  if (kind === 'single') {
    throw refuse.invalid('wrong_kind', 'file names a file of a deck; this is a single page.', {
      param: 'file',
    })
  }
  const name = normalPath(path)
  const [page] = [...markdownSources(manifest)].find(([, source]) => source.path === name) ?? []
  const file = files.find((each) => isHtml(each) && each.path === (page ?? name))
  if (file !== undefined) return file
  throw refuse.invalid('file_not_found', `The deck has no HTML file ${path}.`, { param: 'file' })
}

export function entryFile(manifest: Manifest): ManifestFile {
  const file = manifest.files.find(({ path }) => path === manifest.entry)
  if (file === undefined)
    throw new Error(`The manifest has no file for its entry ${manifest.entry}`)
  return file
}

/** Facts of content that a page object shows, without the content itself. */
export interface Outline {
  kind: Manifest['kind']
  entry: string
  html_count: number
  size_bytes: number
  /** Of the only file; null for a deck. */
  sha256: string | null
  file: { name: string; mime: string; size_bytes: number } | null
  /** As its release has it; empty until it has one. */
  needs_origin: OriginNeed[]
}

export function outlineOf(manifest: Manifest, needsOrigin: OriginNeed[] = []): Outline {
  const { hash, mime, size_bytes } = entryFile(manifest)
  const { kind, entry, file_name } = manifest
  return {
    kind,
    entry,
    html_count: kind === 'single' ? 1 : manifest.files.filter(isHtml).length,
    size_bytes: sizeOf(manifest),
    sha256: kind === 'single' ? hash : null,
    file: file_name === null ? null : { name: file_name, mime, size_bytes },
    needs_origin: needsOrigin,
  }
}
