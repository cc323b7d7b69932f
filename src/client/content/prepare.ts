import { mapConcurrently } from '../../model/map-concurrently.ts'
import { isMarkdownName } from '../../model/markdown/source.ts'
import { BODY_LIMIT_BYTES, besideLimit, DEFAULT_PLANS, type Limits } from '../../model/plan.ts'
import type { Input } from '../operations.ts'
import {
  ContentProblem,
  type DeckFile,
  type LocalContent,
  type LocalDeck,
} from './local-content.ts'

export type Content = Pick<
  Input<'createPage'>,
  | 'html'
  | 'html_upload'
  | 'markdown'
  | 'markdown_upload'
  | 'sha256'
  | 'entry'
  | 'file_base64'
  | 'file_upload'
  | 'filename'
> &
  Pick<Input<'updatePage'>, 'files' | 'assets' | 'becomes_deck'>

type Upload = (contents: Blob[]) => Promise<string[]>

/** How much content a request body can carry. The rest is left for the settings. */
const INLINE_BYTES = BODY_LIMIT_BYTES - 512 * 1024

interface PrepareOptions {
  /** How much may go into the body; 0 uploads everything. */
  inlineBytes?: number
  /** The files of a deck whose bytes the draft has, with their paths there: these are not sent. */
  keptFiles?: ReadonlyMap<DeckFile, string>
}

/**
 * Turns local content into the fields of an API request. Content that is too large for the request
 * body is uploaded first; an upload alone changes no page.
 */
export async function prepareContent(
  local: LocalContent,
  upload: Upload,
  { inlineBytes = INLINE_BYTES, keptFiles = new Map() }: PrepareOptions = {},
): Promise<Content> {
  if (local.kind === 'deck') return prepareDeck(local, upload, { inlineBytes, keptFiles })
  const { blob } = local
  if (local.kind === 'file') {
    const { name: filename } = local
    const fileBase64 = await toInlineText(blob, 'base64', inlineBytes)
    if (fileBase64 !== null) return { file_base64: fileBase64, filename }
    const [fileUpload] = await upload([blob])
    return { file_upload: fileUpload, filename }
  }
  const text = await toInlineText(blob, 'text', inlineBytes)
  const [id] = text === null ? await upload([blob]) : []
  const { name: filename } = local
  if (filename === undefined || !isMarkdownName(filename)) {
    return text === null ? { html_upload: id, filename } : { html: text, filename }
  }
  return text === null ? { markdown_upload: id, filename } : { markdown: text, filename }
}

async function prepareDeck(
  { pages, assets, entry }: LocalDeck,
  upload: Upload,
  { inlineBytes, keptFiles }: Required<PrepareOptions>,
): Promise<Content> {
  const isSent = (file: DeckFile) => !keptFiles.has(file)
  const leftBytes = [...pages, ...assets].reduce(
    (bytes, file) => bytes - sizeOfNames(file, keptFiles),
    inlineBytes,
  )
  const texts = await inlineSmallestFirst(pages.filter(isSent), 'text', leftBytes)
  const blobs = await inlineSmallestFirst(assets.filter(isSent), 'base64', texts.leftBytes)
  const large = [...texts.large, ...blobs.large]
  const ids = large.length === 0 ? [] : await upload(large.map(({ blob }) => blob))
  const uploadBy = new Map(large.map((file, at) => [file, ids[at]!]))
  const sentBefore = (file: DeckFile) =>
    keptFiles.has(file) ? { keep: keptFiles.get(file)! } : { upload: uploadBy.get(file) }
  return {
    ...(entry !== undefined && { entry }),
    files: pages.map((file) => {
      const { path } = file
      const text = texts.inlined.get(file)
      if (text === undefined) return { path, ...sentBefore(file) }
      return isMarkdownName(path) ? { path, markdown: text } : { path, html: text }
    }),
    assets: assets.map((file) => {
      const data = blobs.inlined.get(file)
      return {
        path: file.path,
        ...(data === undefined ? sentBefore(file) : { data_base64: data }),
      }
    }),
  }
}

/** What a file takes in the body without its content. An id of an upload has some 30 characters. */
function sizeOfNames(file: DeckFile, keptFiles: ReadonlyMap<DeckFile, string>): number {
  return sizeInJson(file.path) + sizeInJson(keptFiles.get(file) ?? '') + 64
}

/** Inlines the smallest files first, within the budget, so that few need an upload. */
async function inlineSmallestFirst(files: DeckFile[], as: 'text' | 'base64', budgetBytes: number) {
  const inlined = new Map<DeckFile, string>()
  const large: DeckFile[] = []
  let leftBytes = budgetBytes
  for (const file of [...files].sort((a, b) => a.blob.size - b.blob.size)) {
    const text = await toInlineText(file.blob, as, leftBytes)
    if (text === null) large.push(file)
    else {
      inlined.set(file, text)
      leftBytes -= sizeInJson(text)
    }
  }
  return { inlined, large, leftBytes }
}

/** Reads bytes as a JSON string. Null if it exceeds the budget, or is HTML but not UTF-8. */
async function toInlineText(
  blob: Blob,
  as: 'text' | 'base64',
  budgetBytes: number,
): Promise<string | null> {
  if (blob.size > budgetBytes) return null
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const text = as === 'base64' ? toBase64(bytes) : decodeUtf8(bytes)
  return text !== null && sizeInJson(text) <= budgetBytes ? text : null
}

/** Arguments of one call are limited in number. */
const CHUNK_BYTES = 0x8000

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return btoa(binary)
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function sizeInJson(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength
}

/** How many uploads run at once: most of the time of a small one is spent on waiting. */
const UPLOADS_AT_ONCE = 4

interface Sending {
  /** Sends one of them. @returns its id */
  send(content: Blob, onProgress: (sentBytes: number) => void): Promise<string>
  /** Called with the bytes that were sent of all. */
  onProgress(sentBytes: number, totalBytes: number): void
}

/** Uploads contents. @returns their ids, in the same order */
export async function uploadAll(contents: Blob[], sending: Sending): Promise<string[]> {
  const totalBytes = contents.reduce((sum, { size }) => sum + size, 0)
  let sentBytes = 0
  return mapConcurrently(contents, UPLOADS_AT_ONCE, async (content) => {
    let ownBytes = 0
    const report = (bytes: number) => {
      sentBytes += Math.min(bytes, content.size) - ownBytes
      ownBytes = Math.min(bytes, content.size)
      sending.onProgress(sentBytes, totalBytes)
    }
    const id = await sending.send(content, report)
    report(content.size)
    return id
  })
}

interface Account {
  plan_name: string
  limits: Limits
  is_operator?: boolean
}

/**
 * Whether content fits each plan, so that there is nothing to ask the server. One that made its
 * plans smaller refuses it itself.
 */
export function fitsEveryPlan(local: LocalContent): boolean {
  return problemOf(local, { plan_name: '', limits: DEFAULT_PLANS.free.limits }) === null
}

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws ContentProblem
 */
export function assertFitsPlan(local: LocalContent, account: Account): void {
  const problem = problemOf(local, account)
  if (problem === null) return
  const cure = account.is_operator ? ' PLANS_FILE on the server raises what its plans allow.' : ''
  throw new ContentProblem(`${problem}. Nothing was sent.${cure}`)
}

function problemOf(local: LocalContent, { plan_name, limits }: Account): string | null {
  const allows = `the ${plan_name} plan allows`
  const sizeProblem = (what: string, size: number, limit: number): string | null => {
    if (size <= limit) return null
    const sizes = besideLimit(size, limit)
    return `${what} is ${sizes.size}; ${allows} ${sizes.limit}`
  }
  if (local.kind !== 'deck') {
    const what = local.kind === 'html' ? 'The page' : local.name
    return sizeProblem(what, local.blob.size, limits.file_bytes)
  }
  const { pages, assets } = local
  if (pages.length > limits.deck_files) {
    return (
      `The deck holds ${pages.length} HTML files; ${allows} ${limits.deck_files}: publish its ` +
      'folders as pages of their own, or leave out those that nobody opens'
    )
  }
  if (assets.length > limits.deck_assets) {
    return (
      `The deck holds ${assets.length} assets; ${allows} ${limits.deck_assets}: leave out those ` +
      'that no page uses, such as source maps, or bundle them'
    )
  }
  const assetLimit = Math.min(limits.asset_bytes, limits.file_bytes)
  const large = assets.find(({ blob }) => blob.size > assetLimit)
  if (large !== undefined) {
    const problem = sizeProblem(large.path, large.blob.size, assetLimit)
    return `${problem} for an asset of a deck: make it smaller, or link to it`
  }
  const bytes = [...pages, ...assets].reduce((sum, { blob }) => sum + blob.size, 0)
  return sizeProblem('The deck', bytes, limits.deck_bytes)
}
