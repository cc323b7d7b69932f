/** A file of a page's content. */
export interface ManifestFile {
  path: string
  /** SHA-256 of the bytes, hex. */
  hash: string
  size_bytes: number
  mime: string
  /** An image whose bytes end before it does. No part of the manifest's id: the hash decides it. */
  is_cut_off?: true
}

/** Immutable content. Its id is its hash; drafts, published pages and versions point at it. */
export interface Manifest {
  kind: 'single' | 'bundle'
  /** The path of the file a visitor lands on; of a single page, its only file. */
  entry: string
  files: ManifestFile[]
  /** The name to download a PDF or image by; null for HTML. */
  file_name: string | null
}

/** The text whose SHA-256 is the id of the content. The order of the files does not count. */
export function manifestText({ kind, entry, files, file_name }: Manifest): string {
  const sorted = files
    .map(({ path, hash, size_bytes, mime }) => [path, hash, size_bytes, mime] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([kind, entry, file_name, sorted])
}

/** The default entry of a deck: the index.html in the fewest folders, else the first such page. */
export function defaultEntry(htmlPaths: readonly string[]): string {
  const depth = (path: string) => path.split('/').length
  const indexes = htmlPaths.filter((path) => /(?:^|\/)index\.html$/.test(path))
  const candidates = indexes.length > 0 ? indexes : htmlPaths
  return candidates.reduce((best, path) => (depth(path) < depth(best) ? path : best))
}
