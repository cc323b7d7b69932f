import { sha256 } from '../../platform/secrets.ts'
import { type ComparedHtml, compareHtml, type HtmlToCompare } from './changes/compare-html.ts'
import { applyEdits, type Edit, type EditedText } from './edits/edits.ts'
import { countSheets } from './files/pdf-sheets.ts'
import { findPassages, type PassagesToFind } from './html/find-passages.ts'
import {
  findLongDataUris,
  sizeOfHtmlJson,
  type UriRange,
  withoutUris,
} from './html/omit-data-uris.ts'
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

export interface HtmlAsJson {
  /** Null where it is longer than `MAX_JSON_BYTES`: then it is made again while it is sent. */
  json: string | null
  jsonBytes: number
  /** What is left out. */
  uris: UriRange[]
}

/** What a request may keep in memory of each file that it reads, until its answer is sent. */
const MAX_JSON_BYTES = 32 * 1024

/** Keeps a byte order mark, which is part of the content. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Tasks that read every byte of a file, some of them several times. */
export const CONTENT_TASKS = {
  checkHtml: (input: HtmlToCheck): CheckedHtml => checkHtml(input),
  editHtml({ bytes, edits, maxBytes }: HtmlToEdit): EditedText & { hash: string } {
    const edited = applyEdits(bytes, edits, { maxBytes })
    return { ...edited, hash: sha256(edited.bytes) }
  },
  readHtml({ bytes, full }: HtmlToRead): HtmlAsJson {
    const html = utf8.decode(bytes)
    const uris = full ? [] : findLongDataUris(html)
    const jsonBytes = sizeOfHtmlJson(html, uris)
    const isSmall = jsonBytes <= MAX_JSON_BYTES
    const json = isSmall ? JSON.stringify(withoutUris(html, uris)) : null
    return { json, jsonBytes, uris }
  },
  compareHtml: (input: HtmlToCompare): ComparedHtml | null => compareHtml(input),
  findPassages: (input: PassagesToFind) => findPassages(input),
  countSheets: ({ bytes }: { bytes: Uint8Array }) => countSheets(bytes),
  releaseFile: (input: FileToRelease): ReleasedFile => releaseFile(input),
}

export type ContentTasks = typeof CONTENT_TASKS
