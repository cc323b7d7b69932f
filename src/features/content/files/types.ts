import { isUtf8 } from 'node:buffer'
import { refuse } from '../../../model/errors.ts'
import { ASSET_NAMES, type AssetExtension, type FileExtension } from '../../../model/file-types.ts'
import { isCutOff } from './cut-off.ts'
import { quoted } from './paths.ts'

export const HTML_MIME = 'text/html; charset=utf-8'

interface Type {
  mime: string
  /** What the bytes must be; `text` is UTF-8. */
  bytes: readonly (Signature | 'text')[]
  /** For text in another encoding, which browsers guess. Without it, such text is refused. */
  otherTextMime?: string
}

const PNG: Type = { mime: 'image/png', bytes: ['png'] }
const JPG: Type = { mime: 'image/jpeg', bytes: ['jpg'] }
const GIF: Type = { mime: 'image/gif', bytes: ['gif'] }
const WEBP: Type = { mime: 'image/webp', bytes: ['webp'] }
const PDF: Type = { mime: 'application/pdf', bytes: ['pdf'] }
const SCRIPT: Type = { mime: 'text/javascript; charset=utf-8', bytes: ['text'] }

const FILES = typesBy({
  pdf: PDF,
  png: PNG,
  jpg: JPG,
  jpeg: JPG,
  webp: WEBP,
  gif: GIF,
} satisfies Record<FileExtension, Type>)

/** Also XML, which a browser would render as a document, with its scripts. */
const PLAIN: Type = {
  mime: 'text/plain; charset=utf-8',
  bytes: ['text'],
  otherTextMime: 'text/plain',
}

const ASSETS = typesBy({
  png: PNG,
  jpg: JPG,
  jpeg: JPG,
  webp: WEBP,
  gif: GIF,
  svg: { mime: 'image/svg+xml; charset=utf-8', bytes: ['text'] },
  // Browsers also accept a PNG with this extension, and site generators write it.
  ico: { mime: 'image/x-icon', bytes: ['ico', 'png'] },
  css: { mime: 'text/css; charset=utf-8', bytes: ['text'] },
  js: SCRIPT,
  mjs: SCRIPT,
  json: { mime: 'application/json; charset=utf-8', bytes: ['text'] },
  woff: { mime: 'font/woff', bytes: ['woff'] },
  woff2: { mime: 'font/woff2', bytes: ['woff2'] },
  ttf: { mime: 'font/ttf', bytes: ['sfnt'] },
  otf: { mime: 'font/otf', bytes: ['sfnt'] },
  txt: PLAIN,
  md: PLAIN,
  xml: PLAIN,
  csv: { mime: 'text/csv; charset=utf-8', bytes: ['text'], otherTextMime: 'text/csv' },
  geojson: { mime: 'application/geo+json; charset=utf-8', bytes: ['text'] },
  map: { mime: 'application/json; charset=utf-8', bytes: ['text'] },
  webmanifest: { mime: 'application/manifest+json; charset=utf-8', bytes: ['text'] },
  wasm: { mime: 'application/wasm', bytes: ['wasm'] },
  avif: { mime: 'image/avif', bytes: ['avif'] },
  mp4: { mime: 'video/mp4', bytes: ['mp4'] },
  webm: { mime: 'video/webm', bytes: ['webm'] },
  mp3: { mime: 'audio/mpeg', bytes: ['mp3'] },
  wav: { mime: 'audio/wav', bytes: ['wav'] },
  pdf: PDF,
} satisfies Record<AssetExtension, Type>)

function typesBy(types: Record<string, Type>): Map<string, Type> {
  return new Map(Object.entries(types))
}

const FILE_NAMES = 'PDF and images (PNG, JPG, WebP, GIF)'

/**
 * The MIME type of a deck's asset, by its extension. Its bytes must have that type.
 * @throws Refusal `unsupported_file_type`
 */
export function assetMime(path: string, bytes: Uint8Array): string {
  const extension = extensionOf(path)
  const type = ASSETS.get(extension)
  if (type === undefined) {
    const hint = /^html?$/.test(extension) ? ' HTML goes into files.' : ''
    throw unsupported(`${quoted(path)} is not an asset: a deck takes ${ASSET_NAMES}.${hint}`)
  }
  if (type.bytes.includes('text')) {
    if (isUtf8(bytes)) return type.mime
    if (type.otherTextMime !== undefined) return type.otherTextMime
    throw unsupported(`${quoted(path)} is not text in UTF-8, as .${extension} must be.`)
  }
  const signature = signatureOf(bytes)
  if (signature === 'png' && extension === 'ico') return PNG.mime
  if (signature !== null && type.bytes.includes(signature)) return type.mime
  throw unsupported(`${quoted(path)} ${mismatch(extension, signature)}.`)
}

/**
 * The MIME type of a PDF or image page, by its bytes. A known extension and a declared type must
 * not contradict it. An image must be there to its end.
 * @throws Refusal `unsupported_file_type`, `truncated_image`
 */
export function fileMime(filename: string, bytes: Uint8Array, declaredMime?: string): string {
  const extension = extensionOf(filename)
  const signature = signatureOf(bytes)
  const type = signature === null ? undefined : FILES.get(signature)
  if (type === undefined) throw unsupported(whyNotFile(filename, extension, bytes))
  const named = FILES.get(extension) ?? (isOtherKind(extension) ? null : undefined)
  if (named !== undefined && named !== type) {
    throw unsupported(`${quoted(filename)} ${mismatch(extension, signature)}.`)
  }
  const declared = plainMime(declaredMime)
  if (declared !== null && declared !== type.mime) {
    const message = `mime says ${quoted(declared)}, but the bytes are ${type.mime}: leave mime out.`
    throw unsupported(message, { param: 'mime' })
  }
  if (isImageCutOff(bytes)) {
    throw refuse.invalid(
      'truncated_image',
      `${quoted(filename)} is cut off: its ${bytes.byteLength} bytes end before the image does. ` +
        'Send the whole file.',
      { size_bytes: bytes.byteLength },
    )
  }
  return type.mime
}

/** Whether the bytes start as an image and end before that image does. */
export function isImageCutOff(bytes: Uint8Array): boolean {
  const signature = signatureOf(bytes)
  switch (signature) {
    case 'png':
    case 'jpg':
    case 'gif':
    case 'webp':
      return isCutOff(signature, bytes)
    default:
      return false
  }
}

/** The name that a PDF or image is saved by, with the extension of its type. */
export function downloadName(fileName: string, mime: string): string {
  if (FILES.get(extensionOf(fileName))?.mime === mime) return fileName
  const extension = [...FILES].find(([, type]) => type.mime === mime)?.[0]
  return extension === undefined ? fileName : `${fileName}.${extension}`
}

/**
 * The name that a file of a deck is saved by. A link may give it a name, but no extension of
 * another type: nobody is given a program for an image.
 *
 * @param asked by the link, from anybody; '' for the file's own name
 */
export function attachmentName(asked: string, path: string): string {
  const own = path.slice(path.lastIndexOf('/') + 1)
  const name = cleanFilename(asked) ?? own
  const type = ASSETS.get(extensionOf(own))
  const isOfType = type !== undefined && ASSETS.get(extensionOf(name)) === type
  return name === own || isOfType ? name : `${name}.${extensionOf(own)}`
}

const OFFICE = /^(?:docx?|docm|dotx?|odt|rtf|pages|pptx?|pptm|ppsx?|odp|key)$/
const SPREADSHEET = /^(?:xlsx?|xlsm|xlsb|ods|csv|tsv|numbers)$/

function whyNotFile(filename: string, extension: string, bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const isMarkup = /^(?:\xef\xbb\xbf)?\s*</.test(head)
  if (extension === 'svg' || (isMarkup && /<svg[\s/>]/i.test(head))) {
    return `SVG is not supported as a file: send ${FILE_NAMES}, or put the SVG into HTML or a deck.`
  }
  if (SPREADSHEET.test(extension)) {
    return `Spreadsheets are not supported: send ${FILE_NAMES}. Export the sheet as PDF first.`
  }
  const isOffice = head.startsWith('PK\x03\x04') || head.startsWith('\xd0\xcf\x11\xe0')
  if (OFFICE.test(extension) || isOffice) {
    return (
      `Office documents and spreadsheets are not supported: send ${FILE_NAMES}. ` +
      'Export the document as PDF first.'
    )
  }
  if (/^html?$/.test(extension) || (isMarkup && /<(?:!doctype|html)[\s>]/i.test(head))) {
    return `HTML is not sent as a file: send it as html, html_base64 or html_url.`
  }
  return `${quoted(filename)} is not a file the service can show: send ${FILE_NAMES}.`
}

/** Whether the extension is that of a kind of file which is not accepted by itself. */
function isOtherKind(extension: string): boolean {
  return ASSETS.has(extension) || OFFICE.test(extension) || SPREADSHEET.test(extension)
}

function mismatch(extension: string, signature: Signature | null): string {
  const wanted = extension.toUpperCase()
  if (signature === null) return `is not ${wanted}: its bytes are something else`
  if (signature === 'sfnt') return `is not ${wanted}: its bytes are a TTF or OTF font`
  return `is not ${wanted}: its bytes are ${signature.toUpperCase()}, so name it .${signature}`
}

function plainMime(declared: string | undefined): string | null {
  const mime = (declared ?? '').split(';')[0]!.trim().toLowerCase()
  if (mime === '' || /^(?:application|binary)\/octet-stream$/.test(mime)) return null
  if (mime === 'image/jpg' || mime === 'image/pjpeg') return JPG.mime
  return mime === 'application/x-pdf' ? PDF.mime : mime
}

export function extensionOf(path: string): string {
  return /\.([a-z0-9]{1,16})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

function unsupported(message: string, details?: Record<string, unknown>) {
  return refuse.invalid('unsupported_file_type', message, details)
}

const MAX_FILENAME_CHARS = 150

// Control characters, which break headers, and characters that change how a name is displayed.
const HIDDEN = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/**
 * The last part of a path as a file name, without characters that are hidden or unsafe.
 * @throws Refusal `bad_filename`
 */
export function checkFilename(name: string): string {
  const clean = cleanFilename(name)
  if (clean !== null) return clean
  throw refuse.invalid('bad_filename', `${quoted(name)} is not the name of a file.`, {
    param: 'filename',
  })
}

/** Null where nothing is left. */
function cleanFilename(name: string): string | null {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const clean = base.toWellFormed().normalize('NFC').replace(HIDDEN, '').trim()
  if (/^\.*$/.test(clean)) return null
  if (clean.length <= MAX_FILENAME_CHARS) return clean
  const ending = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? ''
  const stem = clean.slice(0, MAX_FILENAME_CHARS - ending.length)
  return (stem.isWellFormed() ? stem : stem.slice(0, -1)) + ending
}

/** The type of a file by its first bytes. */
type Signature =
  | 'pdf'
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'ico'
  | 'woff'
  | 'woff2'
  | 'sfnt'
  | 'wasm'
  | 'avif'
  | 'mp4'
  | 'webm'
  | 'mp3'
  | 'wav'

const STARTS: [Signature, starts: string][] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpg', '\xff\xd8\xff'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['ico', '\0\0\x01\0'],
  ['woff', 'wOFF'],
  ['woff2', 'wOF2'],
  ['sfnt', 'OTTO'],
  ['sfnt', '\0\x01\0\0'],
  ['sfnt', 'true'],
  ['wasm', '\0asm'],
  ['webm', '\x1a\x45\xdf\xa3'],
  ['mp3', 'ID3'],
]

/** How far the brands of an MP4 or AVIF are read. */
const HEAD_BYTES = 64

/** @returns null for bytes of no known type, such as text */
function signatureOf(bytes: Uint8Array): Signature | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const signature = STARTS.find(([, starts]) => head.startsWith(starts))?.[0]
  if (signature !== undefined) return signature
  if (head.startsWith('RIFF')) {
    if (head.startsWith('WEBP', 8)) return 'webp'
    return head.startsWith('WAVE', 8) ? 'wav' : null
  }
  if (head.startsWith('ftyp', 4)) return /avi[fs]/.test(head.slice(8)) ? 'avif' : 'mp4'
  return isMp3Frame(bytes) ? 'mp3' : null
}

/** Whether the bytes start with the header of a frame of MPEG audio, layer III. */
function isMp3Frame([first, second = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe6) === 0xe2
}
