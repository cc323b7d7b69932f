import { isUtf8 } from 'node:buffer'
import { parse as parseDisposition } from 'content-disposition'
import { type Account, assertSize, assertStores } from '../../../model/account.ts'
import { aboutParam, refuse } from '../../../model/errors.ts'
import { isMarkdownSource } from '../../../model/manifest.ts'
import { isMarkdownName } from '../../../model/markdown/source.ts'
import type { RequestContext } from '../../../model/operation.ts'
import { percentDecoded } from '../../../model/page-name.ts'
import type { Fetched } from '../../../platform/fetch/index.ts'
import { isId } from '../../../platform/ids.ts'
import { type ContentInput, contentInput } from '../contract.ts'
import { decodeBase64, decodeHtmlBase64 } from '../files/base64.ts'
import { checkFilename, fileMime, HTML_MIME } from '../files/types.ts'
import { renderedFiles } from '../markdown.ts'
import { type Manifest, type Staged, sizeOf, stage } from '../staging.ts'
import { warn } from '../warnings.ts'
import { type ImportDeps, importDeck } from './deck.ts'
import type { DeckZip } from './deck-zip.ts'

export interface Arrived {
  sizeBytes: number
  fetched: Fetched | null
  /** An upload that holds the files of a deck. */
  zip: DeckZip | null
  close(): Promise<void>
}

export function createImportContent(deps: ImportDeps) {
  /**
   * Reads the content source that a request names, and checks it against the limits of the plan.
   * Stores only what would be too much for memory.
   *
   * @param sources what is not in the request itself; `fetched` where that names a URL
   */
  async function importContent(account: Account, input: ContentInput, sources: Sources = {}) {
    const staged = await read(account, input, sources)
    // The write checks it again, for good. This comes before any of it is stored.
    assertStores(account, sizeOf(staged.manifest))
    return staged
  }

  async function read(account: Account, input: ContentInput, sources: Sources): Promise<Staged> {
    const source = contentSource(input)
    const { before, fetched = null, zip, uploads = deps.uploads } = sources
    const from = { ...deps, uploads: { ...deps.uploads, ...uploads } }
    if (source === 'zip') return zip!.stage(from, { account, before }, input.entry)
    if (source === 'files') return importDeck(from, { account, before }, input)
    return aboutParam(source, async () => {
      const bytes = await bytesOf(from, { account, fetched, source }, String(input[source]))
      const isMarkdown = source.startsWith('markdown')
      const isText = isMarkdown || source.startsWith('html')
      const name = isMarkdown ? 'The Markdown' : isText ? 'The HTML' : 'The file'
      const limit = account.limits.file_bytes
      assertSize(bytes.byteLength, account, { limit, what: name })
      if (!isText) return stageFile(deps, bytes, fetched, input)
      const isUnicode = source === 'html' || source === 'markdown'
      const result = await deps.work.run('checkHtml', {
        bytes,
        charset: isUnicode ? null : { contentType: fetched?.contentType ?? null },
        expectedHash: input.sha256,
        name,
      })
      const { warnings, encoding: _, ...content } = result
      const entry = 'index.html'
      const files = isMarkdown
        ? await renderedFiles(deps.work, { ...content, path: markdownName(input.filename) }, entry)
        : [{ path: entry, mime: HTML_MIME, ...content }]
      const replacesMarkdown = !isMarkdown && before?.files.some(isMarkdownSource)
      const all = replacesMarkdown ? [...warnings, warn('markdown_replaced', null)] : warnings
      const staged = stage({ kind: 'single', entry, files })
      return { ...staged, warnings: all.map((each) => ({ ...each, path: null })) }
    })
  }

  /**
   * Fetches the content of a URL into a file, and finds the size of uploads, so that memory for all
   * of them can be reserved before the import.
   */
  async function arrive(account: Account, input: ContentInput, context: RequestContext) {
    if (isZip(input)) {
      // Loaded when a zip comes: no other content needs it.
      const { openDeckZip } = await import('./deck-zip.ts')
      const zip = await openDeckZip(deps, account, input.file_upload!)
      return { sizeBytes: zip.sizeBytes, fetched: null, zip, close: zip.close }
    }
    const url = input.html_url ?? input.file_url
    if (url === undefined) {
      const ids = uploadsIn(input)
      const sizeBytes = ids.length === 0 ? 0 : await deps.uploads.sizeOf(account, ids)
      return { sizeBytes, fetched: null, zip: null, close: async () => {} }
    }
    const options = { maxBytes: account.limits.file_bytes, accountId: account.id }
    const fetched = await aboutParam(contentSource(input), () => deps.fetch.get(url, options))
    // A slow answer can outlast the right of the account's key or session.
    await context.renew?.().catch((err) => fetched.close().then(() => Promise.reject(err)))
    return { sizeBytes: fetched.sizeBytes, fetched, zip: null, close: fetched.close }
  }
  return Object.assign(importContent, { arrive })
}
export type ImportContent = ReturnType<typeof createImportContent>

/** The bytes of a source other than `files`, by the value of its member. */
async function bytesOf(
  { uploads }: ImportDeps,
  { account, fetched, source }: Pick<Sources, 'fetched'> & { account: Account; source: SourceName },
  value: string,
): Promise<Uint8Array> {
  if (source === 'html' || source === 'markdown') return new TextEncoder().encode(value)
  if (source === 'html_base64') return decodeHtmlBase64(value)
  if (source === 'file_base64') return decodeBase64(value, source)
  return source.endsWith('_url')
    ? fetched!.read()
    : (await uploads.read(account, value, source)).bytes
}

function markdownName(filename = 'index.md'): string {
  const name = checkFilename(filename)
  return isMarkdownName(name) ? name : `${name}.md`
}

/** A PDF or an image. */
async function stageFile(
  { work }: ImportDeps,
  bytes: Uint8Array,
  fetched: Fetched | null,
  input: ContentInput,
): Promise<Staged> {
  const filename = checkFilename(input.filename ?? (fetched === null ? 'file' : nameOf(fetched)))
  const mime = fileMime(filename, bytes, input.mime)
  const files = [{ path: filename, mime, bytes, hash: await work.hash(bytes) }]
  return stage({ kind: 'single', entry: filename, file_name: filename, files })
}

/** The name that the server gives the file, else the one in its URL. */
function nameOf({ contentDisposition, url }: Fetched): string {
  const name = contentDisposition === null ? null : nameInDisposition(contentDisposition)
  return name ?? nameInUrl(url)
}

const MAX_HEADER_CHARS = 4096

/** @returns null where the header has no name that a file can have */
function nameInDisposition(header: string): string | null {
  if (header.length > MAX_HEADER_CHARS) return null
  try {
    const name = parseDisposition(header).parameters.filename ?? ''
    return checkFilename(utf8Of(name))
  } catch {
    return null
  }
}

/** Many servers send UTF-8, which the HTTP client reads as Latin-1. */
function utf8Of(name: string): string {
  if (!/^[\0-\xff]*$/.test(name)) return name
  const bytes = Buffer.from(name, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : name
}

function nameInUrl(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  return (percentDecoded(segment) ?? segment) || 'file'
}

interface Sources {
  /** The content that a deck keeps its assets from. */
  before?: Manifest | undefined
  fetched?: Fetched | null
  zip?: DeckZip | null
  /** Reads what the input names as uploads, where that is not among those of the account. */
  uploads?: Pick<ImportDeps['uploads'], 'read'>
}

/** The ids of uploads that are named. */
function uploadsIn({ files, assets, ...input }: ContentInput) {
  const ofDeck = [...(files ?? []), ...(assets ?? [])].map(({ upload }) => upload)
  const { html_upload: html, markdown_upload: markdown, file_upload: file } = input
  return [html, markdown, file, ...ofDeck].filter(
    (id): id is string => id !== undefined && isId('up', id),
  )
}

type SourceName = Exclude<keyof ContentInput, keyof typeof COMPANIONS>

/** Whether the upload that it names holds the files of a deck. */
function isZip({ file_upload, filename = '' }: ContentInput): boolean {
  return file_upload !== undefined && /\.zip$/i.test(filename.trim())
}

/** The sources that each of the other content members belongs to. */
const COMPANIONS = {
  sha256: /^(?:html|markdown)/,
  entry: /^(?:files|zip)$/,
  assets: /^files$/,
  filename: /^(?:file_|zip|html|markdown)/,
  mime: /^(?:file_|zip)/,
} as const

const SOURCES = contentInput
  .keyof()
  .options.filter((name): name is SourceName => !(name in COMPANIONS))

/** The one source that the request names. @throws Refusal `content_source` */
export function contentSource(input: ContentInput): SourceName | 'zip' {
  const [name, another] = SOURCES.filter((each) => input[each] !== undefined)
  if (name === undefined) {
    const message = 'There is no content: send one of the members that `one_of` lists.'
    throw refuse.invalid('content_source', message, { param: 'body', one_of: SOURCES })
  }
  if (another !== undefined) {
    const message = `Send the content in one member only, not in both ${name} and ${another}.`
    throw refuse.invalid('content_source', message, { param: another })
  }
  const source = isZip(input) ? 'zip' : name
  for (const [companion, belongsTo] of Object.entries(COMPANIONS)) {
    if (input[companion as keyof ContentInput] === undefined || belongsTo.test(source)) continue
    throw refuse.invalid('content_source', `${companion} does not go with ${name}: leave it out.`, {
      param: companion,
    })
  }
  return source
}
