import type { Db, Tx } from '../../../platform/db/index.ts'
import type { ImportedPagesTable } from '../../../platform/db/tables.ts'

export async function insertImported(tx: Tx, row: ImportedPagesTable): Promise<void> {
  await tx.insertInto('imported_pages').values(row).execute()
}

/** The origin of an imported page; undefined for a page that was created here. */
export function findOrigin(db: Db, pageId: string) {
  return db
    .selectFrom('imported_pages')
    .select(['from_server', 'from_page_id'])
    .where('page_id', '=', pageId)
    .executeTakeFirst()
}

/** The page of an account that an import brought from there. */
export function findFrom(db: Db, accountId: string, fromPageId: string) {
  return db
    .selectFrom('imported_pages')
    .select('page_id')
    .where('account_id', '=', accountId)
    .where('from_page_id', '=', fromPageId)
    .executeTakeFirst()
}
