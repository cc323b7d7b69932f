import { type SqlBool, sql } from 'kysely'

/** For tables with a `page_id`: leaves out pages that are being brought or deleted. */
export const isOfWholePage = sql<SqlBool>`
  page_id NOT IN (SELECT id FROM pages WHERE importing_at IS NOT NULL)`

/** For tables with a `page_id`: leaves out such pages, and those in the trash. */
export function isOfShownPage(accountId: string) {
  return sql<SqlBool>`page_id NOT IN (SELECT id FROM pages WHERE importing_at IS NOT NULL UNION ALL
    SELECT id FROM pages WHERE account_id = ${accountId} AND trashed_at IS NOT NULL)`
}
