import type { z } from 'zod'
import type { Account } from '../../model/account.ts'
import type { Database, Db, IdQuery } from '../../platform/db/index.ts'
import type { usage } from './contract.ts'

/** How much of its plan an account uses. */
export type AccountUsage = z.output<typeof usage>

type PendingUploads = Pick<AccountUsage, 'uploads' | 'upload_bytes'>

interface UsageDeps {
  database: Database
  pages: {
    count(accountId: string, db: Db): Promise<Pick<AccountUsage, 'pages' | 'published_pages'>>
    idsIn(accountId: string): IdQuery
    hasMany(accountId: string): Promise<boolean>
  }
  uploads: { pending(accountId: string, db: Db): Promise<PendingUploads> }
  responses: { totalOf(pageIds: IdQuery, db: Db): Promise<{ count: number; bytes: number }> }
}

type Stored = Pick<Account, 'id' | 'stored_bytes'>

export function createUsage({ database, pages, uploads, responses }: UsageDeps) {
  async function read(account: Stored, db: Db): Promise<AccountUsage> {
    const { id, stored_bytes } = account
    const { count, bytes } = await responses.totalOf(pages.idsIn(id), db)
    return {
      ...(await pages.count(id, db)),
      ...(await uploads.pending(id, db)),
      ...{ stored_bytes, responses: count, response_bytes: bytes },
    }
  }

  return async (account: Stored): Promise<AccountUsage> =>
    (await pages.hasMany(account.id))
      ? database.longRead((db) => read(account, db))
      : read(account, database.read)
}
