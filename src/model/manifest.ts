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

/** A deck's default entry: of the pages in the fewest folders an index.html, else the first. */
export function defaultEntry(htmlPaths: readonly string[]): string {
  const rank = (path: string) =>
    path.split('/').length - (/(?:^|\/)index\.html$/.test(path) ? 0.5 : 0)
  return htmlPaths.reduce((best, path) => (rank(path) < rank(best) ? path : best))
}

/**
 * The type of a file that a page is made of. It stands beside its HTML in the manifest, and
 * visitors never get it. Any other file of Markdown is an asset, whose type names no variant.
 */
export const MARKDOWN_MIME = 'text/markdown; charset=utf-8; variant=GFM'
export function isMarkdownSource({ mime }: { mime: string }): boolean {
  return mime === MARKDOWN_MIME
}

/**
 * The HTML file of each file of Markdown in a deck, by its path. The `README` of a folder is its
 * `index.html`, unless it has an `index.md`.
 */
export function pagesOfMarkdown(paths: readonly string[]): Map<string, string> {
  const names = new Set(paths.map((path) => path.toLowerCase()))
  return new Map(paths.map((path) => [path, htmlPath(path, names)]))
}

function htmlPath(path: string, names: ReadonlySet<string>): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const hasIndex = names.has(`${folder}index.md`.toLowerCase())
  if (/(?:^|\/)readme\.(?:md|markdown)$/i.test(path) && !hasIndex) return `${folder}index.html`
  return path.replace(/\.(?:md|markdown)$/i, '.html')
}

/** The files of Markdown that pages are made of, by the path of their HTML. */
export function markdownSources<F extends Pick<ManifestFile, 'path' | 'mime'>>({
  kind,
  entry,
  files,
}: Pick<Manifest, 'kind' | 'entry'> & { files: readonly F[] }): Map<string, F> {
  const sources = files.filter(isMarkdownSource)
  if (kind === 'single') return new Map(sources.map((file) => [entry, file]))
  const pages = pagesOfMarkdown(sources.map(({ path }) => path))
  return new Map(sources.map((file) => [pages.get(file.path)!, file]))
}

/**
 * The files of which publishing makes the same content: the Markdown where every page is made of
 * it, else the HTML.
 */
export function filesToSave<F extends Pick<ManifestFile, 'path' | 'mime'>>(
  content: Pick<Manifest, 'kind' | 'entry'> & { files: readonly F[] },
): F[] {
  const sources = markdownSources(content)
  const isPage = ({ mime }: F) => mime.startsWith('text/html')
  const isMarkdown = content.files.every((file) => !isPage(file) || sources.has(file.path))
  const isDerived = sources.size > 0 && isMarkdown ? isPage : isMarkdownSource
  return content.files.filter((file) => !isDerived(file))
}
