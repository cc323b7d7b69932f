import { FILE_EXTENSIONS } from '../../model/file-types.ts'
import { isMarkdownName } from '../../model/markdown/source.ts'
import { MAX_DECK_BYTES } from '../../model/plan.ts'

/** Content to publish, of a path or dropped into a browser. Files are read when they are sent. */
export type LocalContent =
  /** With the name of its file, if any. Markdown, by that name, is rendered by the server. */
  | { kind: 'html'; blob: Blob; name?: string; skipped?: SkippedFile[] }
  | { kind: 'file'; name: string; blob: Blob }
  | LocalDeck
export interface LocalDeck {
  kind: 'deck'
  pages: DeckFile[]
  assets: DeckFile[]
  skipped: SkippedFile[]
  /** The page that was named, where the others are only here because it uses them. */
  entry?: string
}
export type Bytes = Uint8Array<ArrayBuffer>
export interface DeckFile {
  path: string
  blob: Blob
}
export interface SkippedFile {
  path: string
  reason: string
  isExpected: boolean
}

/** Content that cannot be published. The message says what to do. */
export class ContentProblem extends Error {
  override readonly name = 'ContentProblem'
}

/** The most that any plan allows. Larger content is not read. */
export const MAX_BYTES = MAX_DECK_BYTES

export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

export function isHtmlName(path: string): boolean {
  return /^html?$/.test(extensionOf(path))
}

export function formatOf(name: string): 'html' | 'markdown' | 'file' | 'zip' | 'other' {
  const extension = extensionOf(name)
  if (isHtmlName(name)) return 'html'
  if (isMarkdownName(name)) return 'markdown'
  if ((FILE_EXTENSIONS as readonly string[]).includes(extension)) return 'file'
  return extension === 'zip' ? 'zip' : 'other'
}
