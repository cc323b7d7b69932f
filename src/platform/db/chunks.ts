import type { Insertable } from 'kysely'
import type { Tx } from './index.ts'
import type { Tables } from './tables.ts'

/** Fewer than the parameters that any engine takes. */
const CHUNK = 500

/** Divides a list for statements with one parameter for each item. An empty list has no chunk. */
export function* inChunks<T>(items: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** A function that inserts any number of rows, `size` of them with one statement. */
export function rowsInto<Table extends keyof Tables>(table: Table, size = 100) {
  return async (tx: Tx, rows: readonly Insertable<Tables[Table]>[]): Promise<void> => {
    for (const chunk of inChunks(rows, size)) {
      await tx
        .insertInto<keyof Tables>(table)
        .values([...chunk])
        .execute()
    }
  }
}
