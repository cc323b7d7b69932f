import { CLOCKS_APART_MS, type Clock } from '../clock.ts'
import type { Database, Db, Tx } from './index.ts'
import { raw } from './raw.ts'

/**
 * The times in a column from which a wait of ours is counted. Where they are later than now, the
 * clock was set back since: the wait would take as much longer. It begins again with `lower`.
 *
 * @param condition of the rows, in SQL
 */
export function futureTimes(table: string, column: string, condition = '1 = 1') {
  const later = `FROM ${table} WHERE ${column} > $1 AND ${condition}`
  const select = raw<{ one: number }>(`SELECT 1 AS one ${later} LIMIT 1`)
  const update = raw(`UPDATE ${table} SET ${column} = $2 WHERE ${column} > $1 AND ${condition}`)
  return {
    exist: async (db: Db, clock: Clock) =>
      (await select(db, [clock.after(CLOCKS_APART_MS)])).length > 0,
    async lower(tx: Tx, clock: Clock): Promise<void> {
      await update(tx, [clock.after(CLOCKS_APART_MS), clock.after(0)])
    },
  }
}
type FutureTimes = ReturnType<typeof futureTimes>

/** Whether any of the columns has such times. */
export async function existAny(db: Db, clock: Clock, all: readonly FutureTimes[]) {
  for (const times of all) if (await times.exist(db, clock)) return true
  return false
}

/** Writes nothing while none of `main` has such times, as is usual. */
export async function lowerAll(
  { database, clock }: { database: Database; clock: Clock },
  { main, others = [] }: { main: readonly FutureTimes[]; others?: readonly FutureTimes[] },
): Promise<void> {
  if (!(await existAny(database.read, clock, main))) return
  await database.write(async (tx) => {
    for (const times of [...main, ...others]) await times.lower(tx, clock)
  }, 'freeing')
}
