import { SqliteAdapter } from 'kysely'
import type { Db } from './index.ts'
import { raw } from './raw.ts'

/**
 * Prepares a statement about the rows that a list names: `statementOf` gets what stands behind
 * `IN`. The list is one parameter, so the statement is compiled once, however long the list is.
 */
export function rawList<Row extends object>(statementOf: (list: string) => string) {
  const onSqlite = raw<Row>(statementOf('(SELECT value FROM json_each($1))'))
  const onPostgres = raw<Row>(statementOf('(SELECT jsonb_array_elements_text($1::text::jsonb))'))

  return async (db: Db, list: readonly string[]): Promise<Row[]> => {
    if (list.length === 0) return []
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
    return (isSqlite ? onSqlite : onPostgres)(db, [JSON.stringify(list)])
  }
}
