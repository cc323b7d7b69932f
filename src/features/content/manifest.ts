import { type Manifest, type ManifestFile, manifestText } from '../../model/manifest.ts'
import type { OriginNeed } from '../../model/origin-needs.ts'
import { sha256 } from '../../platform/secrets.ts'

export type { Manifest, ManifestFile }

/** The hash of the content. */
export function manifestId(manifest: Manifest): string {
  return sha256(manifestText(manifest))
}

export function sizeOf(manifest: Manifest): number {
  return manifest.files.reduce((sum, file) => sum + file.size_bytes, 0)
}

export function isHtml({ mime }: { mime: string }): boolean {
  return mime.startsWith('text/html')
}

/** The files of a deck that are no HTML; of a PDF or image page, the file itself. */
export function assetsOf({ files }: Manifest): Asset[] {
  return files
    .filter((file) => !isHtml(file))
    .map(({ path, mime, size_bytes, hash }) => {
      return { path, type: mime, size_bytes, hash }
    })
}
interface Asset {
  path: string
  type: string
  size_bytes: number
  hash: string
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
