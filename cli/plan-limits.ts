import { ApiError, type Client } from '../src/client/index.ts'
import { besideLimit, LIMITS, MAX_ASSET_BYTES } from '../src/model/plan.ts'
import type { LocalContent } from './local-content/index.ts'
import { CommandFailed, oneLine } from './output.ts'

/** Content of this size fits every plan: there is nothing to ask the server. */
const ALWAYS_ALLOWED_BYTES = Math.min(LIMITS.free.fileBytes, LIMITS.free.deckBytes, MAX_ASSET_BYTES)

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws CommandFailed
 */
export async function assertPlanAllows(client: Client, local: LocalContent): Promise<void> {
  const sizes = sizesOf(local)
  if (sizes.every(({ bytes }) => bytes <= ALWAYS_ALLOWED_BYTES)) return
  const account = await readAccount(client)
  if (account === null) return
  const { plan, limits } = account
  const allowed = { file: limits.file_bytes, deck: limits.deck_bytes, asset: MAX_ASSET_BYTES }
  for (const { what, bytes, kind } of sizes) {
    const most = allowed[kind]
    if (bytes <= most) continue
    const shown = besideLimit(bytes, most)
    const rule =
      kind === 'asset'
        ? `a file of a deck may have ${shown.limit}`
        : `the ${plan} plan allows ${shown.limit}`
    throw new CommandFailed(`${what} is ${shown.size}; ${rule}. Nothing was sent.`)
  }
}

interface Size {
  what: string
  bytes: number
  kind: 'file' | 'deck' | 'asset'
}

function sizesOf(local: LocalContent): Size[] {
  if (local.kind === 'html') return [{ what: 'The page', ...sizeOf(local), kind: 'file' }]
  if (local.kind === 'file') return [{ what: oneLine(local.name), ...sizeOf(local), kind: 'file' }]
  const files = [...local.pages, ...local.assets]
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  const assets = local.assets.map((asset): Size => {
    return { what: oneLine(asset.path), ...sizeOf(asset), kind: 'asset' }
  })
  return [...assets, { what: 'The deck', bytes, kind: 'deck' }]
}

function sizeOf({ bytes }: { bytes: Uint8Array }): { bytes: number } {
  return { bytes: bytes.byteLength }
}

/** Null where the server is older than this operation: it refuses too large content itself. */
async function readAccount(client: Client) {
  try {
    return (await client.getAccount()).data
  } catch (err) {
    if (err instanceof ApiError && (err.status === 404 || err.status === 405)) return null
    throw err
  }
}
