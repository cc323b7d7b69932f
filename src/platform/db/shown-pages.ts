import { type SqlBool, sql } from 'kysely'

/** Few: pages that an import is bringing, that are being deleted, or that are in the trash. */
export function hiddenPages(accountId: string) {
  return sql`(SELECT id FROM pages WHERE importing_at IS NOT NULL UNION ALL
    SELECT id FROM pages WHERE account_id = ${accountId} AND trashed_at IS NOT NULL)`
}

/** For tables with a `page_id`: leaves out pages that are being brought or deleted. */
export const isOfWholePage = sql<SqlBool>`
  page_id NOT IN (SELECT id FROM pages WHERE importing_at IS NOT NULL)`

/** For tables with a `page_id`: leaves out hidden pages. */
export function isOfShownPage(accountId: string) {
  return sql<SqlBool>`page_id NOT IN ${hiddenPages(accountId)}`
}
