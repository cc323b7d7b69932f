import type { Account } from '../../../model/account.ts'
import { LIMITS } from '../../../model/plan.ts'
import type { ContentInput } from '../contract.ts'
import { decodeBase64 } from '../files/base64.ts'
import { checkFilename, fileMime } from '../files/types.ts'
import { type Staged, stage } from '../staging.ts'
import type { ImportDeps } from './deps.ts'
import { assertSize } from './limits.ts'

/** Reads a PDF or an image. */
export async function importFile(
  deps: ImportDeps,
  account: Account,
  input: ContentInput,
): Promise<Staged> {
  const limit = LIMITS[account.plan].fileBytes
  const { bytes, name } = await readFile(deps, account, input)
  assertSize(bytes.byteLength, account, { limit, what: 'The file' })
  const filename = checkFilename(input.filename ?? name)
  const mime = fileMime(filename, bytes, input.mime)
  const files = [{ path: filename, mime, bytes }]
  return stage({ kind: 'single', entry: filename, file_name: filename, files })
}

async function readFile({ uploads, fetch }: ImportDeps, account: Account, input: ContentInput) {
  const { file_base64: base64, file_url: url, file_upload: upload } = input
  const name = 'file'
  if (base64 !== undefined) return { bytes: decodeBase64(base64, 'file_base64'), name }
  if (upload !== undefined) {
    return { bytes: await uploads.read(account, upload, 'file_upload'), name }
  }
  const fetched = await fetch.get(url!, { maxBytes: LIMITS[account.plan].fileBytes })
  return { bytes: fetched.bytes, name: nameInUrl(fetched.url) }
}

/** The last segment of the path. */
function nameInUrl(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || 'file'
  } catch {
    return segment
  }
}
