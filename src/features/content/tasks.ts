import { sha256 } from '../../platform/secrets.ts'
import { type ComparedHtml, compareHtml, type HtmlToCompare } from './changes/compare-html.ts'
import { applyEdits, type Edit, type EditedText } from './edits/edits.ts'
import { findPassages, type PassagesToFind } from './html/find-passages.ts'
import { type OmittedDataUris, omitDataUris } from './html/omit-data-uris.ts'
import { type CheckedHtml, checkHtml, type HtmlToCheck } from './import/check-html.ts'
import { type FileToRelease, type ReleasedFile, releaseFile } from './release-file.ts'

interface HtmlToEdit {
  bytes: Uint8Array
  edits: readonly Edit[]
  maxBytes: number
}

interface HtmlToRead {
  bytes: Uint8Array
  /** false leaves out long data: URIs. */
  full: boolean
}

/** Keeps a byte order mark, which is part of the content. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const NOTHING = { count: 0, chars: 0 }

/** Tasks that read every byte of a file, some of them several times. */
export const CONTENT_TASKS = {
  checkHtml: (input: HtmlToCheck): CheckedHtml => checkHtml(input),
  editHtml({ bytes, edits, maxBytes }: HtmlToEdit): EditedText & { hash: string } {
    const edited = applyEdits(bytes, edits, { maxBytes })
    return { ...edited, hash: sha256(edited.bytes) }
  },
  readHtml({ bytes, full }: HtmlToRead): { json: Uint8Array; elided: OmittedDataUris } {
    const html = utf8.decode(bytes)
    const { html: read, elided } = full ? { html, elided: NOTHING } : omitDataUris(html)
    return { json: Buffer.from(JSON.stringify(read)), elided }
  },
  compareHtml: (input: HtmlToCompare): ComparedHtml | null => compareHtml(input),
  findPassages: (input: PassagesToFind) => findPassages(input),
  releaseFile: (input: FileToRelease): ReleasedFile => releaseFile(input),
}

export type ContentTasks = typeof CONTENT_TASKS
