import { createHash } from 'node:crypto'
import type { Bytes, DeckFile } from '../src/client/content/local-content.ts'
import {
  assertFitsPlan,
  type Content,
  fitsEveryPlan,
  prepareContent as prepare,
} from '../src/client/content/prepare.ts'
import { ApiError, type Client } from '../src/client/index.ts'
import type { LocalContent } from './local-content.ts'
import { CommandFailed } from './output.ts'
import { showProgress } from './terminal.ts'

export type { Content } from '../src/client/content/prepare.ts'

/**
 * Turns local content into the fields of an API request. Content that is too large for the request
 * body is uploaded first; an upload alone changes no page. Content that the plan does not allow is
 * not sent at all.
 *
 * @param kept the files of a deck whose bytes the draft has, with their paths there
 */
export async function prepareContent(
  client: Client,
  local: LocalContent,
  kept?: ReadonlyMap<DeckFile, string>,
): Promise<Content> {
  await assertPlanAllows(client, local)
  const content = await prepare(local, (contents) => upload(client, contents), {
    ...(kept && { kept }),
  })
  return local.kind === 'html' ? { ...content, sha256: sha256Of(local.bytes) } : content
}

async function upload(client: Client, contents: Bytes[]): Promise<string[]> {
  const totalBytes = contents.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const progress = showProgress('Uploading', totalBytes)
  const ids: string[] = []
  let uploadedBytes = 0
  try {
    for (const bytes of contents) {
      const onProgress = (sentBytes: number) => progress.update(uploadedBytes + sentBytes)
      const { data } = await client.createUpload(new Blob([bytes]), { onProgress })
      if (data.sha256 !== sha256Of(bytes)) {
        throw new CommandFailed('An upload arrived damaged: try again.')
      }
      ids.push(data.id)
      uploadedBytes += bytes.byteLength
    }
  } finally {
    progress.end()
  }
  return ids
}

export function sha256Of(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws ContentProblem
 */
async function assertPlanAllows(client: Client, local: LocalContent): Promise<void> {
  if (fitsEveryPlan(local)) return
  const account = await readAccount(client)
  if (account !== null) assertFitsPlan(local, account)
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
