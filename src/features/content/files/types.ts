import { isUtf8 } from 'node:buffer'
import mimeTypes from 'mime'
import { refuse } from '../../../model/errors.ts'
import { type FileExtension, hasPdfHeader, signatureOf } from '../../../model/file-types.ts'
import { isCutOff } from './cut-off.ts'
import { isHtmlPath, quoted } from './paths.ts'

export const HTML_MIME = 'text/html; charset=utf-8'

/** What can be a page besides HTML. */
const FILES: Record<FileExtension, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}
const UNKNOWN = 'application/octet-stream'
/** What browsers fall back to where neither text nor server names an encoding. */
export const FALLBACK_ENCODING = 'windows-1252'

/** Types that browsers know by another name than the registry. */
const BROWSER_TYPES = new Map([
  ['cjs', 'text/javascript'],
  ['ico', 'image/x-icon'],
])

/**
 * The type that an extension has, without a charset. Chrome saves scripts as `.js.download`, and
 * style sheets of Google Fonts and scripts of its tags as `css2`, `js` and `js(1)`.
 */
function typeByName(path: string): string {
  const saved = /(?:^|\/)(css|js)2?(?:\(\d+\))?$/.exec(path)?.[1]
  const extension = saved ?? extensionOf(path.replace(/\.download$/i, ''))
  const registered = extension === '' ? null : mimeTypes.getType(`.${extension}`)
  return BROWSER_TYPES.get(extension) ?? registered ?? UNKNOWN
}

/** Markdown, and templates of HTML that a server would fill in: shown as the text that they are. */
const SHOWN_AS_TEXT = /^text\/(?:html|markdown|mdx)$|^application\/x-httpd-php$/

/**
 * The MIME type of a deck's asset on a host of the page's own, by its extension. What is text names
 * its encoding: UTF-8 where the bytes are, else that of the deck's pages.
 *
 * @throws Refusal `unsupported_file_type` for HTML
 */
export function assetMime(path: string, bytes: Uint8Array, encoding = FALLBACK_ENCODING): string {
  if (isHtmlPath(path)) {
    throw unsupported(`${quoted(path)} is not an asset: HTML goes into files.`)
  }
  const type = typeByName(path)
  const mime = SHOWN_AS_TEXT.test(type) ? 'text/plain' : type
  if (!/^text\/|[/+](?:json|xml|javascript)$/.test(mime)) return mime
  if (isUtf8(bytes)) return `${mime}; charset=utf-8`
  // Documents of XML and style sheets can say it themselves.
  const saysIt = /[/+]xml$/.test(mime) || /^@charset "/.test(startOf(bytes, 10))
  return saysIt ? mime : `${mime}; charset=${encoding}`
}

/** Text that scripts, styles and data are loaded as; a browser runs none of it as a document. */
const LOADED_TEXT = /^(?:text\/(?:html|css|javascript|plain|csv|vtt)|image\/svg\+xml|.*[/+]json)\b/

/** The type that a file is sent with in the sandbox, on the host of the app. */
export function sandboxMime(mime: string): string {
  if (LOADED_TEXT.test(mime) || !/^(?:text|message|multipart)\/|[/+]xml\b/.test(mime)) return mime
  const charset = /charset=[\w-]+/.exec(mime)?.[0]
  return charset === undefined ? 'text/plain' : `text/plain; ${charset}`
}

/** Whether a file of a deck is of no type that browsers know: there it is only saved. */
export function isUnknownType(mime: string): boolean {
  return mime === UNKNOWN
}

const FILE_NAMES = 'PDF and images (PNG, JPG, WebP, GIF)'

/**
 * The MIME type of a PDF or image page, by its bytes. A known extension and a declared type must
 * not contradict it. An image must be there to its end.
 * @throws Refusal `unsupported_file_type`, `truncated_image`
 */
export function fileMime(filename: string, bytes: Uint8Array, declaredMime?: string): string {
  const extension = extensionOf(filename)
  const isLatePdf = extension === 'pdf' && hasPdfHeader(bytes)
  const signature = signatureOf(bytes) ?? (isLatePdf ? 'pdf' : null)
  if (signature === null) throw unsupported(whyNotFile(filename, extension, bytes))
  const type = FILES[signature]
  const typeOfName = Object.hasOwn(FILES, extension) ? FILES[extension as FileExtension] : null
  if (typeOfName === null ? isOtherKind(extension) : typeOfName !== type) {
    const [expected, is] = [extension.toUpperCase(), signature.toUpperCase()]
    const message = `is not ${expected}: its bytes are ${is}, so name it .${signature}.`
    throw unsupported(`${quoted(filename)} ${message}`)
  }
  const declaration = plainMime(declaredMime)
  if (declaration !== null && declaration !== type) {
    const message = `mime says ${quoted(declaration)}, but the bytes are ${type}: leave mime out.`
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
  return type
}

/** Whether the bytes start as an image and end before that image does. */
export function isImageCutOff(bytes: Uint8Array): boolean {
  const signature = signatureOf(bytes)
  return signature !== null && signature !== 'pdf' && isCutOff(signature, bytes)
}

/** The name that a PDF or image is saved by, with the extension of its type. */
export function downloadName(fileName: string, mime: string): string {
  const ofType = Object.entries(FILES).filter(([, type]) => type === mime)
  const extensions = ofType.map(([extension]) => extension)
  const isNamed = extensions.length === 0 || extensions.includes(extensionOf(fileName))
  return isNamed ? fileName : `${fileName}.${extensions[0]}`
}

/**
 * The name that a file of a deck is saved by. A link may give it a name, but no extension of
 * another type: nobody is given a program for an image.
 *
 * @param requestedName by the link, from anybody; '' for the file's own name
 */
export function attachmentName(requestedName: string, path: string): string {
  const own = cleanFilename(path) ?? 'file'
  const name = cleanFilename(requestedName) ?? own
  const extension = extensionOf(own)
  const type = typeByName(own)
  const isOfType = type !== UNKNOWN && typeByName(name) === type
  if (isOfType || extensionOf(name) === extension) return name
  return extension === '' ? own : `${name}.${extension}`
}

const AS_DECK =
  'Or publish it as a deck: an index.html in files that links to it, and the file itself in assets.'

const OFFICE =
  /^(?:doc[xm]?|dotx?|odt|rtf|pages|ppt[xm]?|ppsx?|odp|key|xls[xmb]?|ods|csv|tsv|numbers)$/

function whyNotFile(filename: string, extension: string, bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return `${quoted(filename)} is empty: send the whole file.`
  const head = startOf(bytes, 1024)
  const isMarkup = /^(?:\xef\xbb\xbf)?\s*</.test(head)
  if (/^html?$/.test(extension) || (isMarkup && /<(?:!doctype html|html)[\s>]/i.test(head))) {
    return 'HTML is not sent as a file: send it as html, html_base64 or html_url.'
  }
  const isSvg = extension === 'svg' || (isMarkup && /<svg[\s/>]/i.test(head))
  const isZip = head.startsWith('PK\x03\x04')
  const isOldOffice = head.startsWith('\xd0\xcf\x11\xe0')
  if (isZip && /^(?:zip)?$/.test(extension)) {
    return 'A zip becomes a deck as file_upload with a filename that ends in .zip: upload it first.'
  }
  const why = isSvg
    ? 'SVG is not supported as a file'
    : OFFICE.test(extension) || isZip || isOldOffice
      ? 'Office documents and spreadsheets are not supported as files'
      : `${quoted(filename)} is not a file that the service can show by itself`
  return `${why}: send ${FILE_NAMES}. ${AS_DECK}`
}

/** Whether the extension is that of a kind of file which is not accepted by itself. */
function isOtherKind(extension: string): boolean {
  const isKnown = /^(?:text|image|audio|video|font)\//.test(typeByName(`.${extension}`))
  return isKnown || OFFICE.test(extension)
}

function plainMime(declaration: string | undefined): string | null {
  const mime = (declaration ?? '').split(';')[0]!.trim().toLowerCase()
  if (mime === '' || /^(?:application|binary)\/octet-stream$/.test(mime)) return null
  if (mime === 'image/jpg' || mime === 'image/pjpeg') return FILES.jpg
  return mime === 'application/x-pdf' ? FILES.pdf : mime
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

function startOf(bytes: Uint8Array, count: number): string {
  return Buffer.from(bytes.subarray(0, count)).toString('latin1')
}
