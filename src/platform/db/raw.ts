import { CompiledQuery } from 'kysely'
import type { Db } from './index.ts'

/**
 * Prepares a statement written as SQL, for hot paths and for what the query builder cannot express.
 * Parameters are `$1`, `$2`… on both engines. `Row` is the type of the rows that it returns.
 *
 * @returns a function that runs the statement: a write in a `Tx`, a read on any `Db`
 */
export function raw<Row extends object = never>(statement: string) {
  return async (db: Db, parameters: readonly unknown[]): Promise<Row[]> => {
    const query = CompiledQuery.raw(statement, [...parameters]) as CompiledQuery<Row>
    return (await db.executeQuery(query)).rows
  }
}
