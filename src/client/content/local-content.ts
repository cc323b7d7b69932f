import { FILE_EXTENSIONS } from '../../model/file-types.ts'
import { MAX_FILE_BYTES } from '../../model/plan.ts'

/** Content to publish, in memory: from a path, or dropped into a browser. */
export type LocalContent =
  | { kind: 'html'; bytes: Bytes }
  | { kind: 'file'; name: string; bytes: Bytes }
  | { kind: 'deck'; pages: DeckFile[]; assets: DeckFile[]; skipped: SkippedFile[] }
export type Bytes = Uint8Array<ArrayBuffer>
export interface DeckFile {
  path: string
  bytes: Bytes
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

/** The most that any plan allows. Larger files are not read. */
export const MAX_BYTES = MAX_FILE_BYTES

export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

export function isHtmlName(path: string): boolean {
  return /^html?$/.test(extensionOf(path))
}

export function isMarkdownName(path: string): boolean {
  return /^(?:md|markdown)$/.test(extensionOf(path))
}

/** How to read a file, by its name. A file of another type becomes a deck that shows or offers it. */
export function formatOf(name: string): 'html' | 'markdown' | 'file' | 'zip' | 'other' {
  const extension = extensionOf(name)
  if (isHtmlName(name)) return 'html'
  if (isMarkdownName(name)) return 'markdown'
  if ((FILE_EXTENSIONS as readonly string[]).includes(extension)) return 'file'
  return extension === 'zip' ? 'zip' : 'other'
}
