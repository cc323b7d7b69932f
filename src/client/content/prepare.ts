import { BODY_LIMIT_BYTES, besideLimit, DEFAULT_PLANS, MAX_ASSET_BYTES } from '../../model/plan.ts'
import type { Input, Output } from '../types.ts'
import { type Bytes, ContentProblem, type DeckFile, type LocalContent } from './local-content.ts'

export type Content = Pick<
  Input<'createPage'>,
  'html' | 'html_upload' | 'sha256' | 'entry' | 'file_base64' | 'file_upload' | 'filename'
> &
  Pick<Input<'updatePage'>, 'files' | 'assets'>

type Upload = (contents: Bytes[]) => Promise<string[]>

/** How much content a request body can carry. The rest is left for the settings. */
const INLINE_BYTES = BODY_LIMIT_BYTES - 512 * 1024

interface PrepareOptions {
  /** How much may go into the body; 0 uploads everything. */
  inlineBytes?: number
  /** The files of a deck whose bytes the draft has, with their paths there: these are not sent. */
  kept?: ReadonlyMap<DeckFile, string>
}

/**
 * Turns local content into the fields of an API request. Content that is too large for the request
 * body is uploaded first; an upload alone changes no page.
 */
export async function prepareContent(
  local: LocalContent,
  upload: Upload,
  { inlineBytes = INLINE_BYTES, kept = new Map() }: PrepareOptions = {},
): Promise<Content> {
  if (local.kind === 'deck') return prepareDeck(local, upload, { inlineBytes, kept })
  const { bytes } = local
  if (local.kind === 'file') {
    const { name: filename } = local
    const fileBase64 = toInlineText(bytes, 'base64', inlineBytes)
    if (fileBase64 !== null) return { file_base64: fileBase64, filename }
    const [fileUpload] = await upload([bytes])
    return { file_upload: fileUpload, filename }
  }
  const html = toInlineText(bytes, 'text', inlineBytes)
  if (html !== null) return { html }
  const [htmlUpload] = await upload([bytes])
  return { html_upload: htmlUpload }
}

async function prepareDeck(
  { pages, assets }: Extract<LocalContent, { kind: 'deck' }>,
  upload: Upload,
  { inlineBytes, kept }: Required<PrepareOptions>,
): Promise<Content> {
  const isSent = (file: DeckFile) => !kept.has(file)
  const texts = inlineSmallestFirst(pages.filter(isSent), 'text', inlineBytes)
  const blobs = inlineSmallestFirst(assets.filter(isSent), 'base64', texts.leftBytes)
  const large = [...texts.large, ...blobs.large]
  const ids = large.length === 0 ? [] : await upload(large.map(({ bytes }) => bytes))
  const uploadBy = new Map(large.map((file, at) => [file, ids[at]!]))
  const sentBefore = (file: DeckFile) =>
    kept.has(file) ? { keep: kept.get(file)! } : { upload: uploadBy.get(file) }
  return {
    files: pages.map((file) => {
      const html = texts.inlined.get(file)
      const { path } = file
      return html === undefined ? { path, ...sentBefore(file) } : { path, html }
    }),
    assets: assets.map((file) => {
      const dataBase64 = blobs.inlined.get(file)
      const { path } = file
      return dataBase64 === undefined
        ? { path, ...sentBefore(file) }
        : { path, data_base64: dataBase64 }
    }),
  }
}

/** Inlines the smallest files first, within the budget, so that few need an upload. */
function inlineSmallestFirst(files: DeckFile[], as: 'text' | 'base64', budgetBytes: number) {
  const inlined = new Map<DeckFile, string>()
  const large: DeckFile[] = []
  let leftBytes = budgetBytes
  for (const file of [...files].sort((a, b) => a.bytes.byteLength - b.bytes.byteLength)) {
    const text = toInlineText(file.bytes, as, leftBytes)
    if (text === null) large.push(file)
    else {
      inlined.set(file, text)
      leftBytes -= sizeInJson(text)
    }
  }
  return { inlined, large, leftBytes }
}

/** Converts bytes to a JSON string. Null if it exceeds the budget, or is HTML but not UTF-8. */
function toInlineText(bytes: Bytes, as: 'text' | 'base64', budgetBytes: number): string | null {
  if (bytes.byteLength > budgetBytes) return null
  const text = as === 'base64' ? toBase64(bytes) : decodeUtf8(bytes)
  return text !== null && sizeInJson(text) <= budgetBytes ? text : null
}

/** Arguments of one call are limited in number. */
const CHUNK_BYTES = 0x8000

function toBase64(bytes: Bytes): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return btoa(binary)
}

function decodeUtf8(bytes: Bytes): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function sizeInJson(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength
}

type Account = Pick<Output<'getAccount'>['data'], 'plan_name' | 'limits'>

/**
 * Content of this size fits every plan, so there is nothing to ask the server. One that made its
 * plans smaller refuses it itself.
 */
const { file_bytes, deck_bytes } = DEFAULT_PLANS.free.limits
const ALWAYS_ALLOWED_BYTES = Math.min(file_bytes, deck_bytes, MAX_ASSET_BYTES)

export function fitsEveryPlan(local: LocalContent): boolean {
  return sizesOf(local).every(({ bytes }) => bytes <= ALWAYS_ALLOWED_BYTES)
}

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws ContentProblem
 */
export function assertFitsPlan(local: LocalContent, { plan_name, limits }: Account): void {
  const allowed = { file: limits.file_bytes, deck: limits.deck_bytes, asset: MAX_ASSET_BYTES }
  for (const { what, bytes, kind } of sizesOf(local)) {
    const most = allowed[kind]
    if (bytes <= most) continue
    const sizes = besideLimit(bytes, most)
    const rule =
      kind === 'asset'
        ? `an asset of a deck may have ${sizes.limit} on every plan: make it smaller, or link to it`
        : `the ${plan_name} plan allows ${sizes.limit}`
    throw new ContentProblem(`${what} is ${sizes.size}; ${rule}. Nothing was sent.`)
  }
}

interface Size {
  what: string
  bytes: number
  kind: 'file' | 'deck' | 'asset'
}

function sizesOf(local: LocalContent): Size[] {
  if (local.kind === 'html') return [{ what: 'The page', ...sizeOf(local), kind: 'file' }]
  if (local.kind === 'file') return [{ what: local.name, ...sizeOf(local), kind: 'file' }]
  const files = [...local.pages, ...local.assets]
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  const assets = local.assets.map((asset): Size => {
    return { what: asset.path, ...sizeOf(asset), kind: 'asset' }
  })
  return [...assets, { what: 'The deck', bytes, kind: 'deck' }]
}

function sizeOf({ bytes }: { bytes: Uint8Array }): { bytes: number } {
  return { bytes: bytes.byteLength }
}
