import { type Account, assertStores } from '../../../model/account.ts'
import { aboutParam, refuse } from '../../../model/errors.ts'
import type { Fetched } from '../../../platform/fetch/index.ts'
import type { ContentInput } from '../contract.ts'
import { type Manifest, type Staged, sizeOf } from '../staging.ts'
import type { ImportDeps } from './deps.ts'

/**
 * Reads the content source that a request names, and checks it against the limits of the plan.
 * Stores nothing.
 *
 * @param sources what is not in the request itself; `fetched` where that names a URL
 */
export interface ImportContent {
  (account: Account, input: ContentInput, sources?: Sources): Promise<Staged>
  /**
   * Fetches the content of a URL into a file, and finds the size of uploads, so that memory for all
   * of them can be reserved before the import.
   */
  arrive(account: Account, input: ContentInput): Promise<Arrived>
}

export interface Arrived {
  /** Of uploads and of what was fetched. */
  sizeBytes: number
  fetched: Fetched | null
  /** Deletes what was fetched. */
  close(): Promise<void>
}

export function createImportContent(deps: ImportDeps): ImportContent {
  async function importContent(
    account: Account,
    input: ContentInput,
    sources: Sources = {},
  ): Promise<Staged> {
    const staged = await read(account, input, sources)
    // The write checks it again, for good. This comes before any of it is stored.
    assertStores(account, sizeOf(staged.manifest))
    return staged
  }

  async function read(account: Account, input: ContentInput, sources: Sources): Promise<Staged> {
    const source = contentSource(input)
    const { before, fetched = null, uploads = deps.uploads } = sources
    const from = { ...deps, uploads: { ...deps.uploads, ...uploads } }
    // Each is loaded when somebody publishes such content: no view needs it.
    if (source === 'files') {
      const { importDeck } = await import('./deck.ts')
      return importDeck(from, { account, before }, input)
    }
    if (source.startsWith('html')) {
      const { importHtml } = await import('./file.ts')
      return aboutParam(source, () => importHtml(from, { account, fetched }, input))
    }
    const { importFile } = await import('./file.ts')
    return aboutParam(source, () => importFile(from, { account, fetched }, input))
  }

  async function arrive(account: Account, input: ContentInput): Promise<Arrived> {
    const url = input.html_url ?? input.file_url
    if (url === undefined) {
      const sizeBytes = await deps.uploads.sizeOf(account, uploadsIn(input))
      return { sizeBytes, fetched: null, close: async () => {} }
    }
    const maxBytes = account.limits.file_bytes
    const fetched = await aboutParam(contentSource(input), () => deps.fetch.get(url, { maxBytes }))
    return { sizeBytes: fetched.sizeBytes, fetched, close: fetched.close }
  }
  return Object.assign(importContent, { arrive })
}

interface Sources {
  /** The content that a deck keeps its assets from. */
  before?: Manifest | undefined
  fetched?: Fetched | null
  /** Reads what the input names as uploads, where that is not among those of the account. */
  uploads?: Pick<ImportDeps['uploads'], 'read'>
}

function uploadsIn({ html_upload: html, file_upload: file, files, assets }: ContentInput) {
  const ofDeck = [...(files ?? []), ...(assets ?? [])].map(({ upload }) => upload)
  return [html, file, ...ofDeck].filter((id) => id !== undefined)
}

const SOURCES = [
  'html',
  'html_base64',
  'html_url',
  'html_upload',
  'files',
  'file_base64',
  'file_url',
  'file_upload',
] as const
type SourceName = (typeof SOURCES)[number]

/** The sources that each of the other content members belongs to. */
const COMPANIONS = {
  sha256: /^html/,
  entry: /^files$/,
  assets: /^files$/,
  filename: /^file_/,
  mime: /^file_/,
} as const

/** The one source that the request names. @throws Refusal `content_source` */
export function contentSource(input: ContentInput): SourceName {
  const [source, another] = SOURCES.filter((name) => input[name] !== undefined)
  if (source === undefined) {
    const message = `Send the content in one of ${SOURCES.join(', ')}.`
    throw refuse.invalid('content_source', message, { param: 'body' })
  }
  if (another !== undefined) {
    throw refuse.invalid(
      'content_source',
      `Send the content in one member only, not in both ${source} and ${another}.`,
      { param: another },
    )
  }
  for (const [companion, belongsTo] of Object.entries(COMPANIONS)) {
    if (input[companion as keyof ContentInput] === undefined || belongsTo.test(source)) continue
    throw refuse.invalid(
      'content_source',
      `${companion} does not go with ${source}: leave it out.`,
      { param: companion },
    )
  }
  return source
}
