import { CompiledQuery } from 'kysely'
import type { Db } from './index.ts'

/**
 * A hot statement written as SQL, for what the query builder cannot say. Parameters are `$1`, `$2`…
 * on both engines; `Row` names the columns that come back.
 *
 * @returns a function that runs the statement in a transaction, or outside one for a read
 */
export function raw<Row extends object = never>(statement: string) {
  return async (db: Db, parameters: readonly unknown[]): Promise<Row[]> => {
    const query = CompiledQuery.raw(statement, [...parameters]) as CompiledQuery<Row>
    return (await db.executeQuery(query)).rows
  }
}
