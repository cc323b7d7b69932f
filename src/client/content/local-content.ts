import { FILE_EXTENSIONS } from '../../model/file-types.ts'
import { MAX_DECK_BYTES } from '../../model/plan.ts'

/** Content to publish, of a path or dropped into a browser. Files are read when they are sent. */
export type LocalContent =
  | { kind: 'html'; blob: Blob }
  | { kind: 'file'; name: string; blob: Blob }
  | LocalDeck
export interface LocalDeck {
  kind: 'deck'
  pages: DeckFile[]
  assets: DeckFile[]
  skipped: SkippedFile[]
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

export function isMarkdownName(path: string): boolean {
  return /^(?:md|markdown)$/.test(extensionOf(path))
}

export function formatOf(name: string): 'html' | 'markdown' | 'file' | 'zip' | 'other' {
  const extension = extensionOf(name)
  if (isHtmlName(name)) return 'html'
  if (isMarkdownName(name)) return 'markdown'
  if ((FILE_EXTENSIONS as readonly string[]).includes(extension)) return 'file'
  return extension === 'zip' ? 'zip' : 'other'
}

/** The path in the deck that a reference of a file means; null for another host or scheme. */
export function pathInDeck(reference: string, from: string): string | null {
  const base = `http://deck.invalid/${from.split('/').map(encodeURIComponent).join('/')}`
  const url = URL.canParse(reference, base) ? new URL(reference, base) : null
  if (url?.host !== 'deck.invalid') return null
  try {
    return decodeURIComponent(url.pathname.slice(1))
  } catch {
    return null
  }
}
