import { besideLimit, DEFAULT_PLANS, MAX_ASSET_BYTES } from '../../model/plan.ts'
import type { Output } from '../types.ts'
import { ContentProblem, type LocalContent } from './local-content.ts'

type Account = Pick<Output<'getAccount'>['data'], 'plan_name' | 'limits'>

/**
 * Content of this size fits every plan, so there is nothing to ask the server. One that made its
 * plans smaller refuses it itself.
 */
const { file_bytes: fileBytes, deck_bytes: deckBytes } = DEFAULT_PLANS.free.limits
const ALWAYS_ALLOWED_BYTES = Math.min(fileBytes, deckBytes, MAX_ASSET_BYTES)

export function fitsEveryPlan(local: LocalContent): boolean {
  return sizesOf(local).every(({ bytes }) => bytes <= ALWAYS_ALLOWED_BYTES)
}

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws ContentProblem
 */
export function assertFitsPlan(
  local: LocalContent,
  { plan_name: planName, limits }: Account,
): void {
  const allowed = { file: limits.file_bytes, deck: limits.deck_bytes, asset: MAX_ASSET_BYTES }
  for (const { what, bytes, kind } of sizesOf(local)) {
    const most = allowed[kind]
    if (bytes <= most) continue
    const shown = besideLimit(bytes, most)
    const rule =
      kind === 'asset'
        ? `an asset of a deck may have ${shown.limit} on every plan: make it smaller, or link to it`
        : `the ${planName} plan allows ${shown.limit}`
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
