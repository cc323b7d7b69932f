import type { Database, Db, IdQuery } from '../../platform/db/index.ts'

/** How much of its plan an account uses. */
export interface AccountUsage {
  pages: number
  published_pages: number
  stored_bytes: number
  responses: number
  response_bytes: number
}

export interface UsageDeps {
  database: Database
  pages: {
    count(accountId: string, db: Db): Promise<{ pages: number; published_pages: number }>
    idsIn(accountId: string): IdQuery
    hasMany(accountId: string): Promise<boolean>
  }
  versions: { bytesOf(pageIds: IdQuery, db: Db): Promise<number> }
  responses: { totalOf(pageIds: IdQuery, db: Db): Promise<{ count: number; bytes: number }> }
}

export function createUsage({ database, pages, versions, responses }: UsageDeps) {
  async function read(accountId: string, db: Db): Promise<AccountUsage> {
    const ids = pages.idsIn(accountId)
    const { pages: count, published_pages: published } = await pages.count(accountId, db)
    const received = await responses.totalOf(ids, db)
    return {
      pages: count,
      published_pages: published,
      stored_bytes: await versions.bytesOf(ids, db),
      responses: received.count,
      response_bytes: received.bytes,
    }
  }

  return async (accountId: string): Promise<AccountUsage> =>
    (await pages.hasMany(accountId))
      ? database.longRead((db) => read(accountId, db))
      : read(accountId, database.read)
}
