import { besideLimit, LIMITS, MAX_ASSET_BYTES } from '../../model/plan.ts'
import type { Output } from '../types.ts'
import { ContentProblem, type LocalContent } from './local-content.ts'

type Account = Pick<Output<'getAccount'>['data'], 'plan' | 'limits'>

/** Content of this size fits every plan: there is nothing to ask the server. */
const ALWAYS_ALLOWED_BYTES = Math.min(LIMITS.free.fileBytes, LIMITS.free.deckBytes, MAX_ASSET_BYTES)

export function fitsEveryPlan(local: LocalContent): boolean {
  return sizesOf(local).every(({ bytes }) => bytes <= ALWAYS_ALLOWED_BYTES)
}

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws ContentProblem
 */
export function assertFitsPlan(local: LocalContent, { plan, limits }: Account): void {
  const allowed = { file: limits.file_bytes, deck: limits.deck_bytes, asset: MAX_ASSET_BYTES }
  for (const { what, bytes, kind } of sizesOf(local)) {
    const most = allowed[kind]
    if (bytes <= most) continue
    const shown = besideLimit(bytes, most)
    const rule =
      kind === 'asset'
        ? `an asset of a deck may have ${shown.limit} on every plan: make it smaller, or link to it`
        : `the ${plan} plan allows ${shown.limit}`
    throw new ContentProblem(`${what} is ${shown.size}; ${rule}. Nothing was sent.`)
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
