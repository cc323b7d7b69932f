import { sql } from 'kysely'
import type { Database } from './index.ts'

/** How many rows one transaction deletes. */
const ROWS = 200

const DEPENDENTS = {
  sqlite: `SELECT s.name FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
    WHERE s.type = 'table' AND f."table" IN ('pages', 'polls') AND f."from" = 'page_id'
    ORDER BY s.name = 'polls'`,
  postgres: `SELECT DISTINCT relname AS name, relname = 'polls' AS is_last
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND confrelid IN ('pages'::regclass, 'polls'::regclass)
    ORDER BY is_last`,
}
const ROW_ADDRESS = { sqlite: 'rowid', postgres: 'ctid' }

/**
 * Deletes everything that belongs to a page, in short transactions, so that a page with very many
 * rows holds up no other write. For pages that nobody sees: it is not atomic.
 */
export async function deleteRowsOfPage(database: Database, pageId: string): Promise<void> {
  const { engine, read } = database
  const address = sql.raw(ROW_ADDRESS[engine])
  const { rows } = await sql.raw<{ name: string }>(DEPENDENTS[engine]).execute(read)
  for (const { name } of rows) {
    const table = sql.table(name)
    for (let deleted = ROWS; deleted === ROWS; ) {
      const { numAffectedRows } = await database.write(
        (tx) =>
          sql`DELETE FROM ${table} WHERE ${address} IN
            (SELECT ${address} FROM ${table} WHERE page_id = ${pageId} LIMIT ${ROWS})`.execute(tx),
        'freeing',
      )
      deleted = Number(numAffectedRows ?? 0)
    }
  }
}
