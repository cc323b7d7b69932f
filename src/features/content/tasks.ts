import { isUtf8 } from 'node:buffer'
import { refuse } from '../../model/errors.ts'
import { signatureOf } from '../../model/file-types.ts'
import { sha256 } from '../../platform/ids.ts'
import { compareHtml } from './changes/compare-html.ts'
import { applyEdits, type Edit, type EditedText } from './edits/edits.ts'
import { countSheets } from './files/pdf-sheets.ts'
import { FALLBACK_ENCODING } from './files/types.ts'
import { bufferOf, createLineCounter, isBlank, type Patch, patchBytes } from './html/bytes.ts'
import { findPassages } from './html/find-passages.ts'
import { findText } from './html/find-text.ts'
import {
  findLongDataUris,
  hasPlaceholder,
  sizeOfHtmlJson,
  withoutUris,
} from './html/omit-data-uris.ts'
import { findAttribute, keyword, readTokens } from './html/tokens.ts'
import { notRendered } from './not-rendered.ts'
import { releaseFile } from './release-file.ts'
import { type FoundWarning, warn } from './warnings.ts'

interface HtmlToEdit {
  bytes: Uint8Array
  edits: readonly Edit[]
  maxBytes: number
}

/** What a request may keep in memory of each file that it reads, until its answer is sent. */
const MAX_JSON_BYTES = 32 * 1024

/** Keeps a byte order mark, which is part of the content. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Tasks that read every byte of a file, some of them several times. */
export const CONTENT_TASKS = {
  checkHtml,
  editHtml({ bytes, edits, maxBytes }: HtmlToEdit): EditedText & { hash: string } {
    const result = applyEdits(bytes, edits, { maxBytes })
    return { ...result, hash: sha256(result.bytes) }
  },
  renderMarkdown: renderMarkdownFile,
  /** The HTML as JSON, and what is left out of it: long data: URIs, unless it is read `full`. */
  readHtml({ bytes, full }: { bytes: Uint8Array; full: boolean }) {
    const html = utf8.decode(bytes)
    const uris = full ? [] : findLongDataUris(html)
    const jsonBytes = sizeOfHtmlJson(html, uris)
    const isSmall = jsonBytes <= MAX_JSON_BYTES
    // Longer JSON is made again while it is sent.
    const json = isSmall ? JSON.stringify(withoutUris(html, uris)) : null
    return { json, jsonBytes, uris }
  },
  compareHtml,
  findPassages,
  findText,
  countSheets: ({ bytes }: { bytes: Uint8Array }) => countSheets(bytes),
  releaseFile,
}

export type ContentTasks = typeof CONTENT_TASKS

export interface MarkdownFile {
  /** UTF-8. */
  bytes: Uint8Array
  path: string
  /** In a deck, the HTML file of each of its files of Markdown. */
  pages?: ReadonlyMap<string, string>
}

/**
 * @returns also the given bytes, which were moved to where the work is done
 * @throws Refusal `invalid_markdown`
 */
async function renderMarkdownFile(file: MarkdownFile) {
  // Loaded when there is Markdown: nothing else needs it.
  const { renderMarkdown } = await import('../../model/markdown/render.ts')
  const text = new TextDecoder().decode(file.bytes)
  const bytes = new TextEncoder().encode(await renderMarkdown({ ...file, text }).catch(notRendered))
  return { source: file.bytes, bytes, hash: sha256(bytes) }
}

interface HtmlToCheck {
  bytes: Uint8Array
  /** Its charset, where the bytes may be in any; null for bytes that were text in the request. */
  charset: { contentType: string | null } | null
  /** The SHA-256 that the bytes must have, in hex. */
  expectedHash?: string | undefined
  /** The name of the file, for messages. */
  name: string
  /** A part of a deck: also nothing at all, or bytes that are no text. */
  isPart?: boolean
}

/**
 * Checks HTML that replaces a whole file, and converts it to UTF-8.
 *
 * @returns also what was guessed, and the encoding of the given bytes; null where they stayed
 * @throws Refusal `sha256_mismatch`, `invalid_html`, `empty_html`, `elided_html`
 */
export function checkHtml(input: HtmlToCheck) {
  const { bytes, charset, expectedHash, name, isPart = false } = input
  const givenHash = sha256(bytes)
  assertChecksum(bytes, givenHash, expectedHash)
  if (charset !== null && !isPart) assertNoFile(bytes)
  const { utf8, ...conversion } =
    charset === null ? unconverted(bytes) : htmlFromBytes(bytes, charset.contentType)
  if (!(isPart && isBlank(bufferOf(utf8)))) assertHtml(utf8, name)
  return { bytes: utf8, hash: utf8 === bytes ? givenHash : sha256(utf8), ...conversion }
}

function assertNoFile(bytes: Uint8Array): void {
  const isZip = bufferOf(bytes).toString('latin1', 0, 4) === 'PK\x03\x04'
  const signature = isZip ? 'zip' : signatureOf(bytes)
  if (signature === null) return
  const type = signature.toUpperCase()
  const message = `These bytes are ${type}, not HTML: send them as a file, a zip as file_upload.`
  throw refuse.invalid('invalid_html', message)
}

/** Refuses nothing, and the placeholders of data that a read left out. */
function assertHtml(utf8: Uint8Array, name: string): void {
  const buffer = bufferOf(utf8)
  if (isBlank(buffer)) throw refuse.invalid('empty_html', `${name} is empty.`)
  if (!hasPlaceholder(buffer)) return
  throw refuse.invalid(
    'elided_html',
    `${name} contains ELIDED-BY-SERVICE placeholders, which stand for data left out when it was ` +
      'read. Read it with full=true, or find and replace text instead (PATCH /pages/{id}/html, ' +
      'edit_page).',
  )
}

function assertChecksum(bytes: Uint8Array, actual: string, expected: string | undefined): void {
  if (expected === undefined || expected === actual) return
  throw refuse.unprocessable(
    'sha256_mismatch',
    `The ${bytes.byteLength} bytes that arrived have another SHA-256, ${actual}: send them again.`,
    { param: 'sha256', expected, actual, size_bytes: bytes.byteLength },
  )
}

/** How far browsers search for a `<meta charset>` beyond the head. */
const PRESCAN_BYTES = 1024
const OF_HEAD = /^(?:html|head|title|base|link|meta|style|script|noscript|template)$/
const XML_DECLARATION = /^<\?xml\s[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w-]{1,40})/i

/**
 * Converts fetched or uploaded HTML to UTF-8, as browsers read it. Bytes that are UTF-8 already
 * stay the same, with a byte order mark and whatever charset they name. Other bytes are decoded by
 * their byte order mark, Content-Type or `<meta charset>`, in that order, else as windows-1252. The
 * `<meta>` names UTF-8 then, so that a saved copy is read right.
 *
 * @param contentType the header of the response; null without one
 */
export function htmlFromBytes(bytes: Uint8Array, contentType: string | null): ConvertedHtml {
  // UTF-16 and ISO-2022-JP can look like UTF-8, but not without one of these two bytes.
  const mayBeOther = bytes.includes(0) || bytes.includes(0x1b)
  if (!mayBeOther && isUtf8(bytes)) return unconverted(bytes)
  const label =
    byteOrderMark(bytes) ?? charsetParameter(contentType) ?? namedCharset(bytes)?.label ?? null
  const isOther = /^(?:utf-?16|(?:cs)?iso-?2022-?jp)/.test(label ?? '')
  if (!isOther && isUtf8(bytes)) return unconverted(bytes)
  const namedDecoder = decoderFor(label)
  const decoder = namedDecoder ?? new TextDecoder(FALLBACK_ENCODING)
  const text = decoder.decode(bytes)
  const { encoding } = decoder
  const warnings: FoundWarning[] = []
  if (namedDecoder === null) {
    const first = bytes.findIndex((byte) => byte > 127)
    warnings.push(warn('guessed_encoding', lineAt(bufferOf(bytes).toString('latin1'), first)))
  }
  const replacementAt = text.indexOf('\ufffd')
  if (replacementAt >= 0)
    warnings.push(warn('replaced_text', lineAt(text, replacementAt), encoding))
  const utf8 = Buffer.from(text)
  // Its characters may have been one byte each.
  const meta = namedCharset(utf8, 3 * PRESCAN_BYTES)
  return { utf8: patchBytes(utf8, meta === null ? [] : [meta]), warnings, encoding }
}

interface ConvertedHtml {
  utf8: Uint8Array
  warnings: FoundWarning[]
  encoding: string | null
}

function unconverted(utf8: Uint8Array): ConvertedHtml {
  return { utf8, warnings: [], encoding: null }
}

/** Null for a label that browsers do not know, and ignore. */
function decoderFor(label: string | null): TextDecoder | null {
  try {
    return label === null ? null : new TextDecoder(label)
  } catch {
    return null
  }
}

function lineAt(text: string, position: number): number {
  return createLineCounter((from) => text.indexOf('\n', from))(position)
}

function byteOrderMark([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : null
}

const PARAMETER = /^(.*?;\s*charset\s*=\s*["']?)([^\s;"']+)/is

function charsetParameter(contentType: string | null): string | null {
  return PARAMETER.exec(contentType ?? '')?.[2]?.toLowerCase() ?? null
}

/** The first charset that a `<meta>` names, else the XML, as a patch that makes it UTF-8. */
function namedCharset(bytes: Uint8Array, most = PRESCAN_BYTES): (Patch & { label: string }) | null {
  const buffer = bufferOf(bytes)
  const named: (Patch & { label: string })[] = []
  let isHead = true
  readTokens(buffer, {
    startTag(tag) {
      isHead &&= OF_HEAD.test(tag.name)
      if (tag.name !== 'meta' || !(isHead || tag.start < most)) return
      const isType = keyword(buffer, tag, 'http-equiv') === 'content-type'
      const own = findAttribute(tag, 'charset')
      const { valueStart = 0, valueEnd = 0 } =
        own ?? (isType ? findAttribute(tag, 'content') : undefined) ?? {}
      const value = buffer.toString('latin1', valueStart, valueEnd)
      const [, before = '', name = ''] = (own ? /^(\s*)(\S+)/ : PARAMETER).exec(value) ?? []
      const start = valueStart + before.length
      if (name !== '') named.push(charsetAt(start, name))
    },
  })
  const [declaration, label] = XML_DECLARATION.exec(buffer.toString('latin1', 0, 300)) ?? []
  if (named.length > 0 || label === undefined) return named[0] ?? null
  return charsetAt(declaration!.length - label.length, label)
}

function charsetAt(start: number, name: string): Patch & { label: string } {
  // As in browsers: a name that can be read as ASCII proves that the page is not UTF-16.
  const label = /^utf-?16/i.test(name) ? 'utf-8' : name.toLowerCase()
  return { label, start, end: start + name.length, text: 'utf-8' }
}
