import type { Account } from '../../model/account.ts'
import type { Database, Db, IdQuery } from '../../platform/db/index.ts'

/** How much of its plan an account uses. */
export interface AccountUsage {
  pages: number
  published_pages: number
  stored_bytes: number
  /** Uploads that no page has yet. */
  uploads: number
  upload_bytes: number
  responses: number
  response_bytes: number
}

export interface PendingUploads {
  uploads: number
  upload_bytes: number
}

interface UsageDeps {
  database: Database
  pages: {
    count(accountId: string, db: Db): Promise<{ pages: number; published_pages: number }>
    idsIn(accountId: string): IdQuery
    hasMany(accountId: string): Promise<boolean>
  }
  uploads: { pending(accountId: string, db: Db): Promise<PendingUploads> }
  responses: { totalOf(pageIds: IdQuery, db: Db): Promise<{ count: number; bytes: number }> }
}

type Stored = Pick<Account, 'id' | 'stored_bytes'>

export function createUsage({ database, pages, uploads, responses }: UsageDeps) {
  async function read(account: Stored, db: Db): Promise<AccountUsage> {
    const { id: accountId } = account
    const ids = pages.idsIn(accountId)
    const { pages: count, published_pages } = await pages.count(accountId, db)
    const received = await responses.totalOf(ids, db)
    return {
      pages: count,
      published_pages,
      stored_bytes: account.stored_bytes,
      ...(await uploads.pending(accountId, db)),
      responses: received.count,
      response_bytes: received.bytes,
    }
  }

  return async (account: Stored): Promise<AccountUsage> =>
    (await pages.hasMany(account.id))
      ? database.longRead((db) => read(account, db))
      : read(account, database.read)
}
