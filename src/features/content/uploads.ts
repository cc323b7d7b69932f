import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { inMegabytes, LIMITS } from '../../model/plan.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { Content } from './content.ts'
import * as store from './store.ts'

const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000

export interface Upload {
  id: string
  sha256: string
  size_bytes: number
  expires_at: string
}

/** Content that is sent ahead of the request that uses it, because a body could not hold it. */
export interface Uploads {
  /** @throws Refusal `content_too_large`, `empty_upload` */
  create(account: Account, chunks: AsyncIterable<Uint8Array>): Promise<Upload>
  /** @throws Refusal `upload_not_found`, which names `param` */
  read(account: Account, id: string, param: string): Promise<Uint8Array>
}

export interface UploadsDeps {
  database: Database
  clock: Clock
  content: Pick<Content, 'putStream' | 'bytes'>
}

export function createUploads({ database, clock, content }: UploadsDeps): Uploads {
  return {
    async create(account, chunks) {
      const { hash, sizeBytes } = await content.putStream(withinLimit(account, chunks))
      const upload = {
        id: newId('up'),
        size_bytes: sizeBytes,
        expires_at: clock.after(UPLOAD_LIFE_MS),
      }
      await database.write((tx) =>
        store.insertUpload(tx, {
          ...upload,
          account_id: account.id,
          hash,
          created_at: clock.now(),
        }),
      )
      return { ...upload, sha256: hash }
    },
    async read(account, id, param) {
      const upload = isId('up', id)
        ? await store.findUpload(database.read, { accountId: account.id, id, now: clock.now() })
        : undefined
      if (upload !== undefined) return content.bytes(upload.hash)
      throw refuse.invalid(
        'upload_not_found',
        `There is no upload ${id}: it never existed, or its 24 hours are over.`,
        { param },
      )
    },
  }
}

/** Passes the chunks on, and throws when they exceed the plan's limit or are none. */
async function* withinLimit({ plan }: Account, chunks: AsyncIterable<Uint8Array>) {
  const limit = LIMITS[plan].fileBytes
  let sizeBytes = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limit) {
      throw refuse.tooLarge(
        'content_too_large',
        `An upload may have ${inMegabytes(limit)} on the ${plan} plan: send less.`,
        { limit, plan },
      )
    }
    yield chunk
  }
  if (sizeBytes === 0) throw refuse.invalid('empty_upload', 'The upload is empty.')
}
