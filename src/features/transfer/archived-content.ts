import type { Account } from '../../model/account.ts'
import { type Archive, BadEntry } from './archive.ts'
import type { ArchivedManifest } from './format.ts'

/** Content in the form of the input of a create. */
export interface ArchivedContent {
  /** Names its files as uploads, by their hashes. */
  input: ContentByHash
  /** Of all its files. */
  sizeBytes: number
  /** @throws BadEntry */
  readFile(hash: string): Promise<Uint8Array>
}

type ContentByHash =
  | { html_upload: string }
  | { file_upload: string; filename: string }
  | { files: FileByHash[]; assets: FileByHash[]; entry: string }

interface FileByHash {
  path: string
  upload: string
}

/** The content of an archive that one of its manifests describes. @throws BadEntry */
export function contentIn(
  archive: Archive,
  { limits }: Account,
  manifest: ArchivedManifest | undefined,
): ArchivedContent {
  if (manifest === undefined) throw new BadEntry('A version names content that is not there.')
  const { kind, files } = manifest
  const sizes = files.map(({ hash }) => archive.sizeOf(`files/${hash}`) ?? 0)
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  if (kind === 'bundle' && sizeBytes > limits.deck_bytes) {
    throw new BadEntry('The deck is larger than your plan allows.')
  }
  const maxBytes = kind === 'bundle' ? limits.deck_bytes : limits.file_bytes
  const readFile = (hash: string) => archive.readFile(hash, maxBytes)
  return { input: inputOf(manifest), sizeBytes, readFile }
}

function inputOf({ kind, entry, files, file_name: filename }: ArchivedManifest): ContentByHash {
  if (kind === 'single') {
    const { hash } = files[0]!
    return filename === null ? { html_upload: hash } : { file_upload: hash, filename }
  }
  const isHtml = ({ mime }: { mime: string }) => mime.startsWith('text/html')
  const byHash = ({ path, hash }: { path: string; hash: string }) => ({ path, upload: hash })
  return {
    files: files.filter(isHtml).map(byHash),
    assets: files.filter((file) => !isHtml(file)).map(byHash),
    entry,
  }
}
