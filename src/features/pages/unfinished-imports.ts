import { CLOCKS_APART_MS, type Clock } from '../../platform/clock.ts'
import { lowerAll } from '../../platform/db/future-times.ts'
import type { Database } from '../../platform/db/index.ts'
import type { RemoveHidden } from './remove-hidden.ts'
import * as store from './store.ts'

/** An import without a write for this long has ended. Reading one content takes less. */
const ABANDONED_MS = 15 * 60_000

export interface UnfinishedImports {
  /**
   * Deletes the pages whose import broke off, and those whose deletion did.
   *
   * @param atStart no import of this process is under way. On SQLite there is no other process.
   */
  sweepImports(atStart?: boolean): Promise<number>
}

export interface UnfinishedImportsDeps {
  database: Database
  clock: Clock
  removeHidden: RemoveHidden
}

export function createUnfinishedImports(deps: UnfinishedImportsDeps): UnfinishedImports {
  const { database, clock, removeHidden } = deps
  return {
    async sweepImports(atStart = false): Promise<number> {
      const isAlone = atStart && database.engine === 'sqlite'
      await lowerAll({ database, clock }, { looked: [store.importTimes] })
      const before = clock.after(isAlone ? CLOCKS_APART_MS : -ABANDONED_MS)
      const ids = await store.listAbandoned(database.read, before)
      for (const id of ids) await removeHidden(id)
      return ids.length
    },
  }
}
